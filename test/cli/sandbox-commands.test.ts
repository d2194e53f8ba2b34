import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { listColumns } from '../../src/operations/labels.ts'
import { operationCommands } from '../../src/operations/names.ts'
import { atTerminal, commandLineOn, outcome, run } from '../support/command-line.ts'
import { temporaryFolder } from '../support/folders.ts'

let shell: Awaited<ReturnType<typeof commandLineOn>>

beforeAll(async () => {
  shell = await commandLineOn()
})
afterAll(() => shell.server.stop())
beforeEach(async () => {
  await ok('reset')
})

/** Types a line that must succeed; answers what it printed. */
async function ok(line: string): Promise<string> {
  const { code, out, err } = await shell.type(line)
  expect({ line, code, err }).toEqual({ line, code: 0, err: '' })
  return out
}

async function answer(line: string) {
  return JSON.parse(await ok(`${line} --json`))
}

it('creates a coupon as the tool of the interface does, in the sandbox that is named', async () => {
  await ok('fork other')
  await ok('coupons create --type percentage --value 20 --id SPRING --sandbox other')
  expect(await answer('coupons get SPRING --sandbox other')).toMatchObject({
    coupon_id: 'SPRING',
    type: 'percentage',
    value: 20,
    duration: 'once',
  })
  expect(await shell.type('coupons get SPRING')).toMatchObject({ code: 1, out: '' })
  const { out } = await shell.type('coupons list', { SANDBOX_ID: 'other' })
  expect(out).toMatch(/^SPRING {4}20 % +once/m)
  await ok('sandboxes delete other')
})

it('lives a trial, a coupon, a failed payment and its recovery', async () => {
  await ok('subscriptions create --customer-id cus_ada --plan pro --trial-period-days 14')
  await ok('subscriptions apply-coupon sub_000001 SAVE20')
  const advanced = await ok('clock advance P14D')
  expect(advanced).toMatch(/^2027-01-01 -> 2027-01-15, 5 events\n/)
  expect(advanced).toMatch(/^2027-01-15 +payment\.succeeded +inv_000001 +amount 20\.00 USD$/m)
  expect(advanced).toMatch(/\nNext: 2027-02-15 period_end of sub_000001\n$/)

  await ok('payments fail --subscription-id sub_000001')
  await ok('clock advance --until sub_000001=past_due')
  expect(await ok('subscriptions --status past_due')).toMatch(/^sub_000001 .*past_due/m)
  expect(await ok('invoices --status open')).toMatch(/^inv_000002 .*20\.00 USD +0\.00 USD/m)
  expect(await ok('invoices explain inv_000002')).toContain('20 % of 2500 is 500')
  await ok('clock advance --to-next 1')
  expect(await answer('subscriptions get sub_000001')).toMatchObject({ status: 'active' })

  await ok('subscriptions update sub_000001 --plan basic')
  expect(await answer('subscriptions get sub_000001')).toMatchObject({ pending_plan: 'basic' })
  await ok('subscriptions pause sub_000001')
  await ok('subscriptions resume sub_000001')
  await ok('subscriptions cancel sub_000001 --at-period-end')
  expect(await answer('subscriptions get sub_000001')).toMatchObject({ cancel_at_period_end: true })
  expect(await ok('subscriptions forecast sub_000001')).toBe('Nothing is billed.\n')
  expect(await ok('audit')).toMatch(/^The books are in order: \d+ promises checked on \d+ records/)
})

it('goes back to a checkpoint, and forks one', async () => {
  await ok('checkpoint start')
  await ok('clock advance --to 2027-05-01')
  await ok('fork then --checkpoint start')
  expect(await answer('sandboxes get then')).toMatchObject({ now: '2027-01-01T00:00:00.000Z' })
  await ok('restore start')
  expect(await answer('clock')).toMatchObject({ now: '2027-01-01T00:00:00.000Z' })
  await ok('sandboxes delete then')
})

it('asks what would be, in words of operations', async () => {
  await ok('subscriptions create --customer-id cus_ada --plan pro')
  const asked = 'what-if updateSubscription subscription_id=sub_000001 plan=basic at=2027-02-01'
  const out = await ok(
    `${asked} cancelSubscription subscription_id=sub_000001 at=2027-03-01 --for P3M`,
  )
  expect(out).toMatch(/^USD +paid in all +100\.00 USD +60\.00 USD +-40\.00 USD$/m)
  expect(out.slice(out.indexOf('cus_ada, USD'))).toMatchInlineSnapshot(`
    "cus_ada, USD
    month    day  subscription  for     as is       changed         difference
    2027-02  01   sub_000001    period  25.00  pro    25.00  pro          0.00
    2027-03  01   sub_000001    period  25.00  pro    10.00  basic      -15.00
    2027-04  01   sub_000001    period  25.00  pro        -             -25.00
    total                               75.00         35.00             -40.00
    "
  `)
  const { invoices } = JSON.parse(await ok(`${asked} --for P3M --json`))
  expect(invoices).toHaveLength(2)
  const refused = await shell.type('what-if dance')
  expect(refused).toMatchObject({ code: 2, out: '' })
  expect(refused.err).toContain('The operation of change 1 must be one of')
})

it('forecasts a subscription and a customer, with totals of every page', async () => {
  await ok('subscriptions create --customer-id cus_ada --plan pro')
  await ok('subscriptions create --customer-id cus_ada --plan basic_yearly')
  const out = await ok('customers forecast cus_ada --for P14M --limit 2')
  expect(out).toMatch(/^2027-02 .* 25\.00 {2}paid$/m)
  expect(out).toContain('Total 450.00 USD: 450.00 paid.\nThere are more: --after inv_')
  expect(await ok('subscriptions forecast sub_000002 --for P14M')).toContain(
    'Total 100.00 USD: 100.00 paid.',
  )
  expect(await ok('customers forecast cus_grace')).toBe('Nothing is billed.\n')
  const refused = await shell.type('customers forecast cus_ada --for P1M --until 2027-02-01')
  expect(refused).toMatchObject({ code: 2, out: '' })
  expect(refused.err).toContain('--for cannot be combined with --until')
})

it('takes lists with spaces behind their commas', async () => {
  await ok('coupons create --id LISTED --type percentage --value 5 --applies-to-plans "basic, pro"')
  expect(JSON.parse(await ok('coupons get LISTED --json'))).toMatchObject({
    applies_to_plans: ['basic', 'pro'],
  })
})

it('empties a list by an option with nothing, or with the brackets that answers print', async () => {
  for (const nothing of ['--vary=', '--vary []']) {
    await ok('settings change --vary success-status')
    expect(await answer(`settings change ${nothing}`)).toMatchObject({ vary: [] })
  }
})

it('takes a body from a file, and from what another command prints', async () => {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'state.json')
  await ok('customers create --id cus_mary --name Mary')
  await writeFile(file, await ok('state export --json'))
  await ok('reset')
  await ok(`state restore --body ${file}`)
  await writeFile(file, `\uFEFF${await readFile(file, 'utf8')}`)
  await ok(`state restore --body ${file}`)
  expect(await answer('customers get cus_mary')).toMatchObject({ name: 'Mary' })
  expect(await shell.type('state restore --body nosuch.json')).toMatchObject({ code: 2 })
  await folder.remove()
})

it('issues tokens, refreshes them, and has calls fail on purpose', async () => {
  const { refresh_token: token } = await answer('tokens issue --subject Ada')
  await ok(`tokens refresh ${token}`)
  expect(await shell.type(`tokens refresh ${token}`)).toMatchObject({ code: 1 })
  await ok('faults create --match-operation pauseSubscription --effect-status 503 --times 1')
  await ok('subscriptions create --customer-id cus_ada --plan pro')
  expect(await shell.type('subscriptions pause sub_000001')).toMatchObject({ code: 1 })
  expect(await ok('subscriptions pause sub_000001')).toContain('paused')
  expect(await ok('faults')).toMatch(/^flt_000001 +operation pauseSubscription +status 503 +1 +0$/m)
})

it.each([
  ['coupons get nosuch', 'coupon_id "nosuch" does not exist'],
  ['coupons get SAVE20 --sandbox nosuch', '--sandbox "nosuch" does not exist'],
  ['subscriptions pause sub_000001 --sandbox nosuch', '--sandbox "nosuch" does not exist, or its'],
  ['charges create --customer-id no --amount 1 --currency USD', '--customer-id "no" does not'],
  ['clock advance --to 2020-01-01', 'the virtual now, or later; got 2020-01-01'],
  ['coverage --min-operations 100', ''],
])('ends with 1 where a check failed or the sandbox refused: %s', async (line, words) => {
  const refused = await shell.type(line)
  expect(refused.code).toBe(1)
  expect(refused.err).toContain(words)
  expect(refused.err).not.toMatch(/\n\s+at |See:/)
})

it('takes a switch before what it is about, and its value only where it can be one', async () => {
  const made = 'subscriptions create --customer-id cus_ada --plan pro'
  await ok(made)
  const cancel = 'subscriptions cancel --at-period-end'
  expect(await answer(`${cancel} sub_000001`)).toMatchObject({ status: 'active' })
  const { code, out, err } = await shell.type(`${cancel} false sub_000001 --json`)
  expect([code, JSON.parse(out)]).toMatchObject([0, { status: 'canceled' }])
  expect(err).toMatch(/^Warning: The subscription ended at once[^\n]*\n$/)
  const changed = await answer('settings change --invalid-grant-status 403')
  expect(changed).toMatchObject({ invalid_grant_status: 403 })
})

it.each(['null', '[]', '"text"'])('refuses %s as a body', async (body) => {
  const { path, remove } = await temporaryFolder()
  await writeFile(join(path, 'body.json'), body)
  const { code, err } = await shell.type(`coupons create --body ${path}/body.json --id X`)
  expect(code).toBe(2)
  expect(err).toContain('--body must be a JSON object.')
  await remove()
})

it.each([
  ['drop --effect-cut', '--effect-cut must be absent where --effect-drop is true; got true.'],
  [
    'cut --effect-body x',
    '--effect-body must be absent where there is no --effect-status; got "x".',
  ],
])('names the parts of a fault by their options: %s', async (parts, words) => {
  const { code, err } = await shell.type(`faults create --effect-${parts}`)
  expect(code).toBe(2)
  expect(err).toContain(words)
})

it('never shows a password that stands in the address of a server', async () => {
  const { code, err } = await shell.type('status --url http://bob:s3cret@127.0.0.1:9')
  expect(code).toBe(2)
  expect(err).toContain('--url must be without a user and a password')
  expect(err).not.toContain('s3cret')
})

it('refuses to begin a sandbox of another server anew', async () => {
  const { code, err } = await outcome(run(['mcp', '--fixture', 'empty', '--url', 'http://x:1']))
  expect(code).toBe(2)
  expect(err).toContain('--fixture is for a sandbox of its own, without --url.')
})

it.each([
  ['mcp', '--url', 'http://me:hunter2@127.0.0.1:99999'],
  ['events', '--url', 'me:hunter2@127.0.0.1:4010'],
  ['status', '--url', 'http://me:hun/hunter2@127.0.0.1:4010'],
  ['status', '--url', 'http://127.0.0.1:4010/?access_token=hunter2'],
  ['learn', '--from', 'me:hunter2@127.0.0.1', '--out', 'no.har'],
  ['serve', '--allow-origin', 'http://me:hunter2@127.0.0.1'],
  ['serve', '--allow-host', 'http://me:hunter2@127.0.0.1'],
  ['verify', 'none/*', '--states', 'http://me:hunter2@127.0.0.1:99999'],
  ['shrink', 'http://me:hunter2@127.0.0.1/recording.json'],
])('shows no secret of an address that it refuses: %s %s %s', async (...typed: string[]) => {
  const { code, err } = await outcome(run(typed))
  expect(code).toBe(2)
  expect(err).toMatch(/^(?:--[\w-]+|RECORDING) .*\.\.\./)
  expect(err).not.toContain('hunter2')
})

it('says how to start a sandbox where nothing answers', async () => {
  const asked = await outcome(run(['clock', '--url', 'http://127.0.0.1:2']))
  expect(asked).toMatchObject({ code: 3, out: '' })
  expect(asked.err).toMatch(
    /^Nothing answers at http:\/\/127\.0\.0\.1:2\. Start .*: npx subscription-sandbox serve --port 2; .*SANDBOX_URL\.\n$/,
  )
  const secure = await shell.type('clock', {
    SANDBOX_URL: shell.server.url.replace('http', 'https'),
  })
  expect(secure).toMatchObject({ code: 3 })
  expect(secure.err).toMatch(
    /^Nothing answers by TLS at https:.*; the address of a sandbox is http:/,
  )
  const wrong = await shell.type('clock', { SANDBOX_URL: 'here' })
  expect(wrong).toMatchObject({ code: 2 })
  expect(wrong.err).toContain('SANDBOX_URL must be an address')
})

it.each([
  ['coupons lst', "Unknown command 'lst' (Did you mean list?)", 'coupons'],
  ['plans update basic', "Unknown command 'update' (Did you mean change?)", 'plans'],
  [
    'subscriptions change sub_000001',
    "Unknown command 'change' (Did you mean update?)",
    'subscriptions',
  ],
  ['coupons create --typ x', "Unknown option '--typ' (Did you mean --type?)", 'coupons create'],
  ['checkpoint', "Missing required argument 'name'.", 'checkpoint'],
  ['clock advance --until soon', '--until must be a subscription and its status', 'clock advance'],
  ['customers create --body nosuch x', 'Too many arguments', 'customers create'],
])('says in one line what is wrong: %s', async (line, words, command) => {
  const { code, err } = await shell.type(line)
  expect(code).toBe(2)
  expect(err).toContain(words)
  expect(err.trimEnd().split('\n').slice(1)).toEqual([
    `See: subscription-sandbox ${command} --help`,
  ])
})

it('prints tables that fit 80 columns, and a line for each record where it is piped', async () => {
  await ok('subscriptions create --customer-id cus_ada --plan pro --coupon-id SAVE20')
  await ok('webhooks create http://127.0.0.1:9/a/very/long/path/of/a/receiver/that/does/not/answer')
  await ok(
    'faults create --match-operation applyCoupon --effect-status 503 --effect-body "out of order"',
  )
  await ok('charges create --customer-id cus_ada --amount 1500 --currency USD')
  await ok('payments script --outcomes card_declined,insufficient_funds,succeed')
  await ok('checkpoint a-name-that-is-as-long-as-the-name-of-a-checkpoint-can-ever-be')
  await ok('tokens issue')
  const lists = operationCommands.filter(({ operationId }) => operationId in listColumns)
  expect(lists.length).toBeGreaterThan(15)
  for (const { words } of lists) {
    const line = `${words}${words.endsWith('forecast') ? ' sub_000001' : ''}`
    const { out } = await atTerminal(80, () => shell.type(line, { NO_COLOR: '1' }))
    expect(
      out.split('\n').filter((each) => each.length > 80),
      words,
    ).toEqual([])
    const [piped, records] = [await ok(`${line} --limit 100`), await ok(`${line} -o ndjson`)]
    expect(piped, words).not.toContain('\x1b')
    expect(piped.split('\n').length, words).toBe(records.split('\n').length + 1)
  }
  await ok('webhooks delete wh_000001')
})
