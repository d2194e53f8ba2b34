import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { commandLineOn, outcome, run, serveHere } from '../support/command-line.ts'
import { temporaryFolder } from '../support/folders.ts'

let shell: Awaited<ReturnType<typeof commandLineOn>>

beforeAll(async () => {
  shell = await commandLineOn()
})
afterAll(() => shell.server.stop())

it.each([
  ['coupons create --type percentage --value much --id X', '--value must be a number above 0'],
  ['charges create --customer-id cus_ada --currency USD', '--amount is missing; it must be'],
  [
    'coupons create --type percentage --value 12.34000000000000000001 --id X',
    '--value must be a number above 0, at most 100, with at most 4 decimals; got "12.34000000000000000001".',
  ],
  [
    'charges create --customer-id cus_ada --currency USD --amount 9007199254740993',
    'got "9007199254740993".',
  ],
  ['faults create --match-operation applyCoupon --effect-status 9', '--effect-status must be'],
  ['faults create', 'it must be an object with --effect-status, --effect-delay-ms'],
  ['payments script --outcomes none', '--outcomes[0] must be one of succeed'],
  [
    'payments script',
    'The body must be --outcomes or --always, with at most one of --subscription',
  ],
  [
    'payments script --always succeed --outcomes succeed',
    '--always cannot be combined with --outcomes.',
  ],
  [
    'coupons create --id X --type percentage --value 5 --duration-in-months 3',
    '--duration-in-months can be given only where --duration is "repeating".',
  ],
  ['subscriptions update sub_000001', 'No option is given; there are --plan.'],
  [
    'events --type payment',
    '--type must be one of payment.succeeded, payment.failed, subscription.paused, invoice.paid, charge.failed (5 of 33); got "payment".',
  ],
  [
    'what-if updte plan=pro',
    'The operation of change 1 must be one of updateSubscription, createSubscription, pauseSubscription, applyCoupon, createProduct (5 of 29); got "updte".',
  ],
  [
    'settings change --vary foo,status',
    '\n  --vary[1] must be one of status-names, paused-status-name, success-status, invalid-grant-status, refresh-error-statuses (5 of 41); got "status"; the nearest is "status-names".',
  ],
  [
    'shrink x.json --event invoice.payd',
    '--event must be one of: invoice.paid, invoice.created, invoice.credited, invoice.voided, invoice.uncollectible (5 of 33); got "invoice.payd"; the nearest is "invoice.paid".',
  ],
  ['events --limit 0', '--limit must be an integer from 1'],
  ['events --follow --limit x', '--limit must be an integer from 1'],
  [
    'subscriptions cancel sub_000001 --at-period-end maybe',
    '--at-period-end must be true or false; got "maybe".',
  ],
  ['settings change --strict yes', '--strict must be true or false; got "yes".'],
  ['verify --vary=foo', '--vary takes no value; got "foo".'],
  [
    'webhooks create --url http://127.0.0.1:9',
    "Missing required argument 'url': --url is the server. Write subscription-sandbox webhooks create <url>.",
  ],
  ['tokens revoke', 'The body must be an object with --refresh-token or --family-id; got {}.'],
  [
    'promotions create --code A --coupon-id SAVE20 --starts-at 2028-01-01 --expires-at 2027-01-01',
    '--starts-at must be before --expires-at; got "2028-01-01T00:00:00.000Z" and ',
  ],
  ['clock advance 14', 'the argument by must be an ISO 8601 duration'],
  [
    'plans change pro --amount 10.00',
    '--amount must be an integer of minor units: 1000 is 10.00 USD; got "10.00".',
  ],
  [
    'charges create --customer-id cus_ada --currency USD --amount 9.99',
    '--amount must be an integer of minor units',
  ],
  ['customers create --id cus_x --balance 5.0', '--balance must be an integer of minor units'],
  ['what-if changePlan plan_id=pro amount=10.00', 'amount must be an integer of minor units'],
  [
    'what-if createCoupon value=5.00 coupon_id=A type=fixed currency=USD',
    'value must be an integer of minor units: 1000 is 10.00 USD; got "5.00".',
  ],
  [
    'coupons create --id X --type fixed --currency USD --value 5.00',
    '--value must be an integer of minor units: 1000 is 10.00 USD; got "5.00".',
  ],
  ['clock advance soon', 'by must be an ISO 8601 duration'],
  ['clock advance 2M', 'got "2M"; the nearest is "P2M".'],
  ['subscriptions list --status activ', 'got "activ"; the nearest is "active".'],
])(
  'ends with 2 and names the option where a value is wrong or missing: %s',
  async (line, words) => {
    const { code, err, out } = await shell.type(line)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(words)
    expect(err).toMatch(/\nSee: subscription-sandbox .* --help\n$/)
  },
)

it.each([
  ['charges create --customer-id cus_ada --currency USD --amount 0x10', '--amount', '"0x10"'],
  ['charges create --customer-id cus_ada --currency USD --amount " 5"', '--amount', '" 5"'],
  ['charges create --customer-id cus_ada --currency USD --amount 1e3', '--amount', '"1e3"'],
  ['events --limit 0x10', '--limit', '"0x10"'],
  ['settings change --invalid-grant-status 0x191', '--invalid-grant-status', '"0x191"'],
])('reads decimal numbers only: %s', async (line, option, got) => {
  const { code, err } = await shell.type(line)
  expect(code).toBe(2)
  expect(err).toMatch(new RegExp(`^${option} must be .*; got ${got}\\.\n`))
})

it('takes a percentage with decimals', async () => {
  const create = (value: string) =>
    shell.type(`coupons create --type percentage --json --id P${value} --value ${value}`)
  expect(JSON.parse((await create('12.5')).out)).toMatchObject({ value: 12.5 })
  expect(JSON.parse((await create('20.0')).out)).toMatchObject({ value: 20 })
})

it('says in words that the clock was moved and a status was not reached', async () => {
  const made = await shell.type('subscriptions create --customer-id cus_ada --plan pro --json')
  const id = JSON.parse(made.out).subscription_id
  const { code, err } = await shell.type(`clock advance --until ${id}=expired --json`)
  expect(code).toBe(1)
  expect(err).toMatch(
    new RegExp(`The clock was moved to \\d{4}-\\d\\d-\\d\\d.*; ${id} did not become expired`),
  )
})

it('takes a word as it is where it can be a text, and null as none elsewhere', async () => {
  const named = await shell.type('customers change cus_ada --name null --json')
  expect(JSON.parse(named.out)).toMatchObject({ name: 'null' })
  const coupon = 'coupons change SAVE20 --json --max-redemptions'
  expect(JSON.parse((await shell.type(`${coupon} 5`)).out)).toMatchObject({ max_redemptions: 5 })
  expect(JSON.parse((await shell.type(`${coupon} null`)).out)).toMatchObject({
    max_redemptions: null,
  })
})

it.each([
  [
    'customers create --body nofile.json',
    2,
    '--body "nofile.json" cannot be read: there is no such file.',
  ],
  ['plans get ..', 2, 'plan_id must be an id; got "..".'],
  ['plans delete .', 2, 'plan_id must be an id; got ".".'],
  ['plans get ""', 2, 'plan_id must be an id; got "".'],
  ['coupons create --coupon-id A', 2, "Unknown option '--coupon-id' (Did you mean --id?)"],
  ['customers create --body .', 2, '--body "." cannot be read: it is a folder.'],
  [
    'settings change --vary after-retires',
    2,
    '; got "after-retires"; the nearest is "after-retries".',
  ],
  ['state restore', 2, "Required option '--body <file>' not specified."],
  ['recording --json', 2, "Unknown option '--json'"],
  ['help nosuch', 2, "Unknown command 'nosuch'."],
  ['help clock nope', 2, "Unknown command 'nope'"],
  ['help serv', 2, "Unknown command 'serv' (Did you mean serve?)"],
  ['serv --help', 2, "Unknown command 'serv' (Did you mean serve?)"],
  ['coupons lst --limit 3 -h', 2, "Unknown command 'lst' (Did you mean list?)"],
  [
    'what-if updateSubscription subscription_id=sub_000001',
    2,
    'plan of updateSubscription is missing; it must be the identifier of a plan.',
  ],
  ['help coupons lst', 2, "Unknown command 'lst' (Did you mean list?)"],
  ['restore nosuch', 1, 'checkpoint "nosuch" does not exist; there are no checkpoints.'],
  ['checkpoints delete nosuch', 1, 'checkpoint "nosuch" does not exist; there are no checkpoints.'],
  ['clock advance --until x=foo', 2, '--until: status must be one of trialing, '],
  ['clock advance --until x=active', 1, '--until: subscription_id "x" does not exist; '],
  [
    'status --sandbox nosuch',
    1,
    '--sandbox "nosuch" does not exist; npx subscription-sandbox sandboxes lists the sandboxes.',
  ],
  [
    'status --url http://127.0.0.1:4190',
    3,
    'http://127.0.0.1:4190: fetch refuses this port; serve at another.',
  ],
  ['webhooks redeliver nosuch', 1, 'delivery_id "nosuch" does not exist; there are no deliveries.'],
])('says what is wrong: %s', async (line, code, words) => {
  const refused = await shell.type(line)
  expect(refused).toMatchObject({ code, out: '' })
  expect(refused.err).toContain(words)
})

it.each([
  ['cancelSubscription', 'subscription_id of cancelSubscription is missing; it must be'],
  [
    'createSubscriptionAtCheckout plan=pro plan=basic',
    'plan of createSubscriptionAtCheckout must be given once; got "basic" as well.',
  ],
  ['payInvoice invoice_id=a at=2027-02-01 at=2027-03-01', 'at of payInvoice must be given once'],
  ['changePlan plan_id=pro amount=0x10', 'amount of changePlan must be an integer'],
  [
    'createSubscriptionAtCheckout toString=1',
    'toString of createSubscriptionAtCheckout is not a known field',
  ],
  ['payInvoice invoice_id=a at=x', 'at of payInvoice must be an RFC 3339 instant'],
  ['deletePlan plan_id=pro deletePlan plan_id=', 'plan_id of deletePlan (change 2) must be'],
])('refuses a change that cannot be meant: %s', async (line, words) => {
  const { code, err } = await shell.type(`what-if ${line}`)
  expect(code).toBe(2)
  expect(err).toContain(words)
})

it('names a change that the sandbox refuses by its operation', async () => {
  const { code, err } = await shell.type(
    'what-if changePlan plan_id=pro amount=5 deletePlan plan_id=no',
  )
  expect(code).toBe(1)
  expect(err).toMatch(/^deletePlan: plan_id "no" does not exist/)
})

it('says of a field what it is in each kind of a coupon', async () => {
  const { out } = await shell.type('coupons create --help', { COLUMNS: '200' })
  expect(out).toMatch(
    /--value <number> +The percentage to take off, .*\. Or: The amount to take off, in minor units\. Or: The days to add to a\s+trial\.\s+\(required\)\n/,
  )
})

it('lists the options at fault below one sentence', async () => {
  const { code, err } = await shell.type('plans create --amount -1 --interval never')
  expect(code).toBe(2)
  expect(err).toMatch(/^The request is malformed:\n(?: {2}--[\w-]+ .*must be .*\n){3,}See: .*\n$/)
})

it('keeps to one line where what should be JSON has several', async () => {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'no.json')
  await writeFile(file, 'no\njson\n')
  const { code, err } = await shell.type(`customers create --body ${file}`)
  expect(code).toBe(2)
  expect(err).toMatch(/^--body must be JSON: .*"no\\njson\\n".*\.\nSee: .*\n$/)
  await folder.remove()
})

it('keeps the names of fields that a file gives', async () => {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'charge.json')
  await writeFile(file, '{"customer_id":"cus_ada","amount":-1,"currency":"USD"}')
  const { code, err } = await shell.type(`charges create --body ${file}`)
  expect(code).toBe(2)
  expect(err).toMatch(/^amount must be an integer from 0/)
  const { err: typed } = await shell.type(`charges create --body ${file} --amount -2`)
  expect(typed).toMatch(/^--amount must be an integer from 0 .*got -2\.\n/)
  await folder.remove()
})

it.each([
  ['clock advance', 'got none.'],
  ['clock advance P1D --to 2028-01-01', 'got a duration and --to.'],
  ['clock advance --to-next 1 --until sub_000001=active', 'got --to-next and --until.'],
])('says by what an advance can go: %s', async (line, got) => {
  const { code, err } = await shell.type(line)
  expect(code).toBe(2)
  expect(err).toContain(`Exactly one of a duration, --to, --to-next, --until must be given; ${got}`)
})

it.each([
  [
    'SANDBOX_ID',
    'a b',
    'SANDBOX_ID must be 1 to 63 of a-z, 0-9 and -, not beginning with -; got "a b"',
  ],
  ['SANDBOX_URL', 'http://127.0.0.1:4010/v1', 'SANDBOX_URL must have no path'],
])('names the variable whose value is wrong: %s', async (name, value, words) => {
  const { code, err } = await shell.type('status', { [name]: value })
  expect(code).toBe(2)
  expect(err).toContain(words)
})

it('names the option and the variable of the control token', async () => {
  const server = await serveHere({ controlToken: 'one-secret' })
  const environment = { SANDBOX_URL: server.url }
  const both = 'with: --control-token TOKEN, or SANDBOX_CONTROL_TOKEN.\n'
  const without = await outcome(run(['clock'], environment))
  expect(without.code).toBe(2)
  expect(without.err).toContain('The control token is missing; ')
  expect(without.err).toContain(both)
  const wrong = { ...environment, SANDBOX_CONTROL_TOKEN: 'another-secret' }
  for (const args of [['clock'], ['mcp']]) {
    const { code, err } = await outcome(run(args, wrong))
    expect(code).toBe(2)
    expect(err).toContain('The control token is wrong; ')
    expect(err).toContain(both)
    expect(err).not.toContain('secret')
  }
  await server.stop()
})
