import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isRefusal } from '../../src/billing/refusal.ts'
import { chooseFixture, conventionalFixture } from '../../src/server/fixture-choice.ts'
import { temporaryFolder } from '../support/folders.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())

/** Writes a file, perhaps in a folder of its own; answers where it is. */
async function put(name: string, text: string | Uint8Array): Promise<string> {
  const file = join(folder.path, name)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, text)
  return file
}

/** What is wrong with a file, without the folder that it is in. */
async function problemsOf(name: string, text: string | Uint8Array): Promise<string[]> {
  const choice = await chooseFixture(await put(name, text))
  if (!isRefusal(choice)) throw new Error(`${name} was read`)
  return choice.message.replaceAll(`${folder.path}/`, '').split('\n')
}

const shop = `products:
  - { product_id: app, name: App }
plans:
  - { plan_id: pro, product_id: app, name: Pro, amount: 2500, currency: USD, interval: month }
customers:
  - customer_id: ann
`

it('reads YAML and JSON alike, and calls a fixture like its file', async () => {
  const json = { products: [{ product_id: 'app', name: 'App' }] }
  const files = [
    ['my.yaml', shop, 'my'],
    ['shop/My_Shop.fixture.yml', shop, 'my-shop'],
    ['other.json', JSON.stringify({ $schema: 'fixture.schema.json', ...json }), 'other'],
  ] as const
  for (const [path, text, name] of files) {
    const file = await put(path, text)
    const choice = await chooseFixture(file)
    if (isRefusal(choice)) throw new Error(choice.message)
    expect(choice).toMatchObject({ name, file })
    expect(choice.library.get(name)?.products).toEqual(json.products)
    expect(choice.library.has('starter')).toBe(true)
  }
})

it('says of records that a history makes how they are made, and guesses no other field', async () => {
  expect(await problemsOf('listed.yaml', `${shop}subscriptions: []\ncharges: []\n`)).toEqual([
    'listed.yaml:7: subscriptions cannot be listed: steps of the history make them, such as subscribe.',
    'listed.yaml:8: charges cannot be listed: steps of the history make them, such as subscribe.',
  ])
})

it('names file, line, path and rule of everything that is wrong, at once', async () => {
  const text = `${shop}  - { customer_id: bob, currency: dollars }
coupons:
  - coupon_id: X
    type: percentage
    value: 200
history:
  - at: yesterday
  - at: 2027-01-02
    subscribe:
      customer_id: ann
      colour: red
`
  expect(await problemsOf('wrong.yaml', text)).toEqual([
    'wrong.yaml:7: customers[1].currency must be the ISO 4217 code of a currency in use, such as USD; got "dollars".',
    'wrong.yaml:11: coupons[0].value must be a number above 0, at most 100, with at most 4 decimals; got 200.',
    expect.stringMatching(
      /^wrong\.yaml:13: history\[0\]\.at must be an RFC 3339 .*; got "yesterday"\.$/,
    ),
    'wrong.yaml:15: history[1].subscribe.plan is missing; it must be the identifier of a plan.',
    expect.stringMatching(/^wrong\.yaml:17: history\[1\]\.subscribe\.colour is not a known field/),
  ])
})

it('tells problems in the order of the file', async () => {
  expect(await problemsOf('order.yaml', 'colour: red\nplans: 1\ncustomers: 2\n')).toEqual([
    expect.stringMatching(/^order\.yaml:1: colour is not a known field/),
    'order.yaml:2: plans must be a list of at most 10000 (for more, export a state: npx subscription-sandbox fixture); got 1.',
    'order.yaml:3: customers must be a list of at most 10000 (for more, export a state: npx subscription-sandbox fixture); got 2.',
  ])
})

it('finds the line in JSON too, and in one that is too large to be read as YAML', async () => {
  const plan =
    '{"plan_id": "p", "product_id": "app", "name": "P", "currency": "USD",\n"interval": "month", "amount": 9.5}'
  const text = (filler: string) => `{"description": "${filler}",\n"plans": [\n${plan}]}`
  const problem =
    'plans[0].amount must be an integer from 0 to 1000000000000 (minor units); got 9.5.'
  expect(await problemsOf('small.json', text('small'))).toEqual([`small.json:4: ${problem}`])
  const large = text('small').replace('{', `{${' '.repeat(1024 * 1024)}`)
  expect(await problemsOf('large.json', large)).toEqual([`large.json:4: ${problem}`])
  // By the reader of JSON it would be 5 minor units.
  const decimals = await problemsOf('decimals.json', large.replace('9.5', '5.00'))
  expect(decimals).toEqual([expect.stringContaining('got "5.00"')])
})

it('refuses a pipe, which would be waited for without an end', async () => {
  const pipe = join(folder.path, 'pipe.yaml')
  execFileSync('mkfifo', [pipe])
  expect(await chooseFixture(pipe)).toMatchObject({
    message: `--fixture ${pipe} must be a regular file or a folder.`,
  })
})

it('tells what billing refuses with its line, each record that is', async () => {
  const refused = shop.replaceAll('product_id: app, name: Pro', 'product_id: gone, name: Pro')
  const history = `${shop}history:\n  - at: 2027-01-02\n  - pause: { subscription_id: sub_000001 }\n`
  expect(await problemsOf('refused.yaml', refused)).toEqual([
    'refused.yaml:4: plans[0]: product_id "gone" does not exist; products: app.',
  ])
  expect(await problemsOf('history.yaml', history)).toEqual([
    expect.stringMatching(
      /^history\.yaml:9: history\[1\]: subscription_id "sub_000001" does not exist/,
    ),
  ])
})

it('lists no record that is refused because another one is', async () => {
  const text = `coupons:
  - { coupon_id: C, type: percentage, value: 20, duration: once, applies_to_plans: [pro] }
promotions:
  - { code: P, coupon_id: C }
  - { code: Q, coupon_id: D }
`
  expect(await problemsOf('coupon.yaml', text)).toEqual([
    expect.stringMatching(/^coupon\.yaml:2: coupons\[0\]: .*"pro" does not exist/),
    expect.stringMatching(/^coupon\.yaml:5: promotions\[1\]: coupon_id "D" does not exist/),
  ])
  // An id of its own that is what it lacks hides nothing.
  const own =
    'plans: [{ plan_id: x, product_id: x, name: X, amount: 1, currency: USD, interval: month }]'
  expect(await problemsOf('own.yaml', own)).toHaveLength(1)
})

it.each([
  ['text that is no YAML', 'plans: [', /:1: Flow sequence .*\.$/],
  ['a name twice', 'plans: []\nplans: []', /:2: "plans" must be given once; got it twice\.$/],
  ['a name twice in JSON', '{"now": 1, "now":2}', /:1: "now" must be given once; got it twice\.$/],
  ['a name of words', 'a b: 1\n"a b" : 2', /:2: "a b" must be given once; got it twice\.$/],
  [
    'two documents',
    'plans: []\n---\nplans: []',
    /:2: The file must be one document; another one begins here\.$/,
  ],
  ['an unknown tag', 'plans: !!js []', /:1: Unresolved tag/],
  [
    'what is nested too deep',
    `plans: ${'['.repeat(5000)}${']'.repeat(5000)}`,
    /:1: The file is nested too deep\.$/,
  ],
  ['a start that is none', 'now: soon', /:1: now must be an RFC 3339 instant .*; got "soon"\.$/],
  [
    'fields that do not go together',
    'history:\n- payment_outcomes: { always: succeed, outcomes: [succeed] }',
    /:2: history\[0\]\.payment_outcomes\.always cannot be combined with history\[0\]\.payment_outcomes\.outcomes\.$/,
  ],
  ['nothing', '', /:1: The file must be an object with plans, .*; it is empty\.$/],
  ['a list', '- plans', /:1: The file must be an object with plans, .*; got \["plans"\]\.$/],
  ['what is no UTF-8', new Uint8Array([0xff, 0xfe]), /^refused\.yaml must be UTF-8\.$/],
  [
    'what is too large',
    new Uint8Array(64 * 1024 * 1024 + 1),
    /^refused\.yaml must be at most 67108864 bytes; it has 67108865\.$/,
  ],
  ['a small file that means a large value', bomb(), /:1: Excessive alias count/],
  [
    'a state beside records',
    'plans: []\nstate: {}',
    /:1: plans must be absent, because there is a state/,
  ],
  [
    'a state that is none',
    'description: x\nstate: {\n  format: 1}',
    /:2: state\.sandbox_id is missing/,
  ],
  ['a number out of range', 'plans: [{ amount: .inf }]', /:1: .*got a number out of range\./],
])('refuses %s', async (_, text, problem) => {
  expect(await problemsOf('refused.yaml', text)).toEqual(
    expect.arrayContaining([expect.stringMatching(problem)]),
  )
})

/** Aliases of aliases. */
function bomb(): string {
  const line = (name: string, of: string) => `${name}: &${name} [${Array(9).fill(of).join(', ')}]\n`
  return line('a', 'x') + line('b', '*a') + line('c', '*b') + line('d', '*c') + line('e', '*d')
}

it('tells twenty problems of a file, and how many more there are', async () => {
  const customers = Array.from({ length: 30 }, () => '  - { customer_id: "" }')
  const problems = await problemsOf('many.yaml', `customers:\n${customers.join('\n')}\n`)
  expect(problems).toHaveLength(21)
  expect(problems.at(-1)).toBe('10 more problems are not listed.')
})

it('takes every file of a folder, and begins with `default`, else with the first', async () => {
  await put('many/b.yaml', shop)
  await put('many/c.json', '{}')
  await put('many/notes.txt', 'not a fixture')
  await put('many/deeper.json/d.yaml', shop)
  await put('many/fixture.schema.json', '{}')
  const choice = async () => {
    const chosen = await chooseFixture(join(folder.path, 'many'))
    return isRefusal(chosen) ? chosen : { name: chosen.name, known: [...chosen.library.keys()] }
  }
  const shipped = ['calendar-hazards', 'dunning', 'empty', 'starter']
  expect(await choice()).toEqual({ name: 'b', known: [...shipped, 'b', 'c'] })
  await put('many/default.yaml', shop)
  expect(await choice()).toEqual({ name: 'default', known: [...shipped, 'b', 'c', 'default'] })
  await put('many/b.yml', shop)
  expect(await choice()).toMatchObject({
    message: expect.stringMatching(/b\.yml .* "b" is also .*b\.yaml/),
  })
})

it('refuses a name that a fixture of the product has, an empty folder, and what is not there', async () => {
  expect(await problemsOf('starter.yaml', shop)).toEqual([
    'starter.yaml names its fixture, and its name must differ: "starter" is also one that comes with the sandbox.',
  ])
  await mkdir(join(folder.path, 'none'))
  expect(await chooseFixture(join(folder.path, 'none'))).toMatchObject({
    message: expect.stringContaining('with 1 to 200 files .yaml, .yml or .json; it has 0.'),
  })
  expect(await chooseFixture('./gone.yaml')).toMatchObject({
    message: '--fixture ./gone.yaml: there is no such file or folder.',
  })
  expect(await chooseFixture('startr')).toMatchObject({
    message: expect.stringContaining('did you mean "starter"?'),
  })
})

it.runIf(process.platform === 'linux')('says why a file cannot be read', async () => {
  // The user who runs this may be root, who may read every other file.
  expect(await chooseFixture('/proc/self/mem')).toMatchObject({
    message: '/proc/self/mem cannot be read: i/o error.',
  })
})

it('refuses a fixture that is past the end of the clock, with its line', async () => {
  for (const history of ['', 'history: [{ ago: P1D }]\n']) {
    const choice = await chooseFixture(
      await put('far.yaml', `description: x\nnow: 9500-01-01\n${history}`),
    )
    expect(choice).toMatchObject({
      message: expect.stringMatching(
        /far.yaml:2: now must be 9000-01-01T00:00:00.000Z or earlier; got 9500-01-01T00:00:00.000Z.$/,
      ),
    })
  }
})

it('finds the file that is used by convention, and refuses two of them', async () => {
  const own = join(folder.path, 'convention')
  await mkdir(own)
  expect(await conventionalFixture(own)).toBe(null)
  const file = await put('convention/sandbox.fixture.json', '{}')
  expect(await conventionalFixture(own)).toBe(file)
  await put('convention/sandbox.fixture.yaml', shop)
  const two = 'There are sandbox.fixture.yaml and sandbox.fixture.json'
  await expect(conventionalFixture(own)).rejects.toThrow(two)
  await mkdir(join(folder.path, 'taken/sandbox.fixture.yml'), { recursive: true })
  await expect(conventionalFixture(join(folder.path, 'taken'))).rejects.toThrow(
    /sandbox\.fixture\.yml must be a file; it is a folder\.$/,
  )
})
