import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { stripVTControlCharacters, styleText } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { atTerminal, commandLineOn, outcome, run, serveHere } from '../support/command-line.ts'
import { temporaryFolder } from '../support/folders.ts'

let shell: Awaited<ReturnType<typeof commandLineOn>>

beforeAll(async () => {
  shell = await commandLineOn()
})
afterAll(() => shell.server.stop())
beforeEach(async () => {
  await ok('reset')
})

async function ok(line: string): Promise<string> {
  const { code, out, err } = await shell.type(line)
  expect({ line, code, err }).toEqual({ line, code: 0, err: '' })
  return out
}

/** Answers whatever comes with a text that is not HTTP. */
async function listeningRaw(text = 'GARBAGE\r\n') {
  const server = createServer((socket) => socket.once('data', () => socket.end(text)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => void server.close()
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: close }
}

async function webhookAt(url: string): Promise<string | undefined> {
  return /^webhook id +(\w+)$/m.exec(await ok(`webhooks create ${url}`))?.[1]
}

const painted = (style: 'bold' | 'green' | 'red' | 'yellow', text: string) =>
  styleText(style, text, { validateStream: false })

const linesOf = (text: string) => text.trimEnd().split(/\r?\n/)

it('prints an event in one line where it is piped, so that a search for it finds its amount', async () => {
  await ok('subscriptions create --customer-id cus_ada --plan pro')
  const created = linesOf(await ok('clock advance P2M')).filter((line) => /invoice\.cr/.test(line))
  expect(created).toHaveLength(2)
  for (const line of created) expect(line).toMatch(/ inv_00000\d +.*amount due 25\.00 USD$/)
})

it('shows 50 events of an advance in a terminal, and all that it answers where it is piped', async () => {
  await ok('subscriptions create --customer-id cus_ada --plan pro')
  const years = 'clock advance P2Y --dry-run'
  const piped = linesOf(await ok(years)).filter((line) => /^20\S+ +\w+\./.test(line))
  const { out } = await atTerminal(300, () => shell.type(years))
  const shown = linesOf(out).filter((line) => /^20\S+ +\w+\./.test(line))
  expect([piped.length, shown.length]).toEqual([96, 50])
  expect(out).toMatch(/^46 more: subscription-sandbox events --after \d+$/m)
})

it('prints lists as CSV: every field, text as RFC 4180 quotes it, null as nothing', async () => {
  const name = 'Team, "big"'
  await ok(`products create --id prod_team --name '${name}'`)
  const [head, app, team] = (await ok('products -o csv')).split('\r\n')
  expect([head, app]).toEqual(['product_id,name', 'prod_app,App'])
  expect(team).toBe('prod_team,"Team, ""big"""')
  const [columns = '', ada = ''] = (await ok('customers --output csv')).split('\r\n')
  expect(columns).toBe('customer_id,name,email,currency,payment_method,balance')
  expect(ada).toBe('cus_ada,Ada Lovelace,ada@example.com,USD,valid,0')
  expect(await ok('coupons get SAVE20 -o csv')).toMatch(/\r\nSAVE20,percentage,20,.*,,.*\r\n$/)
  const multiple = await ok('payments script --outcomes succeed,card_declined -o csv')
  expect(multiple).toContain('"[""succeed"",""card_declined""]"')
})

it('prints the header of an empty list as CSV, and no line of JSON for it', async () => {
  expect(await ok('charges -o csv')).toMatch(/^charge_id,customer_id,amount,[a-z_,]+\r\n$/)
  expect(await ok('charges -o ndjson')).toBe('')
})

it('prints a line of JSON for each record of a list, each event of an advance, and any other answer', async () => {
  const { data } = JSON.parse(await ok('plans -o json'))
  expect(linesOf(await ok('plans -o ndjson')).map((line) => JSON.parse(line))).toEqual(data)
  await ok('subscriptions create --customer-id cus_ada --plan pro')
  const [first] = linesOf(await ok('clock advance P1M --output ndjson'))
  expect(JSON.parse(first ?? '')).toMatchObject({ type: 'subscription.renewed' })
  const clock = await ok('clock -o ndjson')
  expect(clock).toBe(`${JSON.stringify(JSON.parse(await ok('clock --json')))}\n`)
})

it('prints a line for each sandbox of a data folder', async () => {
  const folder = await temporaryFolder()
  const server = await serveHere({ folder: folder.path })
  await server.stop()
  const doctor = async (format: string) =>
    (await outcome(run(['doctor', '--data', folder.path, '-o', format]))).out
  expect(JSON.parse(await doctor('ndjson'))).toMatchObject({ sandbox_id: 'default', sound: true })
  expect(await doctor('csv')).toMatch(/^sandbox_id,sound,damages,.*\r\ndefault,true,\[\],/)
  expect(await doctor('table')).toMatch(/^default {2}sound: /m)
  await folder.remove()
})

it('says in the tables of deliveries and charges why one failed', async () => {
  await using receiver = await listeningRaw()
  const id = await webhookAt(receiver.url)
  await ok('payments fail --customer-id cus_ada')
  await ok('charges create --customer-id cus_ada --amount 100 --currency USD')
  expect(await ok('charges')).toMatch(/ failed +card_declined +2027-01-01\n$/)
  await expect
    .poll(() => ok('webhooks deliveries'))
    .toMatch(/ charge\.failed +(pending|failed) +\d+ +the answer is not HTTP\n/)
  await ok(`webhooks delete ${id}`)
})

it.each(['events --follow', 'plans'])('says of %s that its answer ended too soon', async (line) => {
  const head = 'HTTP/1.1 200 OK\r\nSandbox-Version: 1\r\nContent-Length: 100\r\n\r\n'
  await using server = await listeningRaw(`${head}data: {}\n\n`)
  const { code, err } = await shell.type(`${line} --url ${server.url}`)
  const address = server.url.replace(/\/$/, '')
  expect({ code, err }).toEqual({
    code: 3,
    err: `${address} ended the connection in the middle of its answer (other side closed).\n`,
  })
})

it.each([
  [
    '--effect-malformed',
    3,
    /^Warning: The fault flt_\d+ hit .*\nhttp\S+ answered something that is not JSON\.$/,
  ],
  [
    '--effect-drop',
    3,
    /^http\S+ closed the connection without an answer: a fault may have hit this call\.$/,
  ],
  ['--effect-status 503', 1, /^The sandbox answered 503\. The fault flt_\d+ hit this call\.$/],
])('says of a command that a fault hit it: %s', async (effect, code, err) => {
  const made = await ok('subscriptions create --customer-id cus_ada --plan pro --json')
  const { subscription_id: id } = JSON.parse(made)
  await ok(`faults create --times 1 ${effect}`)
  const said = await shell.type(`subscriptions update ${id} --plan basic`)
  expect({ code: said.code, err: said.err.trim() }).toEqual({
    code,
    err: expect.stringMatching(err),
  })
})

it('says of an advance in lockstep what came of its deliveries', async () => {
  await using receiver = await listeningRaw()
  const id = await webhookAt(receiver.url)
  await ok('subscriptions create --customer-id cus_ada --plan pro --trial-period-days 1')
  const out = await ok('clock advance P1D --lockstep')
  const words =
    /\nDeliveries: 0 delivered, \d failed; (wh_\d+)_\d+: the answer is not HTTP\.\nNext: /
  expect(words.exec(out)?.[1], out).toBe(id)
  await ok(`webhooks delete ${id}`)
})

it.each(['csv', 'ndjson'])('says beside %s that a list goes on', async (format) => {
  const { out, err } = await shell.type(`plans --limit 1 -o ${format}`)
  expect(err).toBe('There are more: --after basic\n')
  expect(linesOf(out).at(-1)).toContain('basic')
})

it.each([
  ['plans -o xml', '--output must be one of: table, json, csv, ndjson; got "xml".'],
  ['state export -o csv', '--output must be one of: json; got "csv".'],
  ['plans -o csv --json', "Option '--json' cannot be used with option '-o, --output <format>'."],
])('refuses a format that a command does not have: %s', async (line, message) => {
  const { code, out, err } = await shell.type(line)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(message)
})

it.each([
  [
    'coupons get nosuch --json',
    1,
    { code: 'not_found', status: 404, message: /^coupon_id "nosuch" does not exist; /, help: null },
  ],
  [
    'charges create --amount x --customer-id cus_ada --currency USD -o json',
    2,
    {
      code: 'invalid_request',
      status: 400,
      message: /^--amount must be an integer/,
      help: 'subscription-sandbox charges create --help',
    },
  ],
  [
    'plans --limt 3 --output=ndjson',
    2,
    {
      code: 'usage',
      status: null,
      message: /^Unknown option '--limt' /,
      help: 'subscription-sandbox plans list --help',
    },
  ],
  [
    'clock --url http://127.0.0.1:2 -ojson',
    3,
    { code: 'environment', status: null, message: /^Nothing answers at /, help: null },
  ],
])('prints a failure as a line of JSON where JSON is asked for: %s', async (line, exit, error) => {
  const { code, out, err } = await shell.type(line)
  expect({ code, out }).toEqual({ code: exit, out: '' })
  expect(linesOf(err)).toHaveLength(1)
  const message = expect.stringMatching(error.message)
  expect(JSON.parse(err)).toEqual({ error: { fields: expect.any(Array), ...error, message } })
})

it('names the fields that are wrong where JSON is asked for, as the API calls them', async () => {
  const { err } = await shell.type('charges create --amount x --json')
  const fields = JSON.parse(err).error.fields.map(({ field }: { field: string }) => field)
  expect(fields).toEqual(['customer_id', 'amount', 'currency'])
})

it.each(['plans get no', 'plans get no -o csv'])(
  'prints a failure as text for %s',
  async (line) => {
    expect((await shell.type(line)).err).toMatch(/^plan_id "no" does not exist; /)
  },
)

it('colours statuses and refusals in a terminal', async () => {
  await ok('subscriptions create --customer-id cus_ada --plan pro')
  await ok('subscriptions create --customer-id cus_linus --plan pro --trial-period-days 14')
  const seen = (line: string, environment = {}) =>
    atTerminal(80, () => shell.type(line, environment))
  const list = await seen('subscriptions')
  expect(list.out).toContain(painted('green', 'active'))
  expect(list.out).toContain(painted('yellow', 'trialing'))
  expect((await seen('subscriptions get sub_000001')).out).toContain(painted('green', 'active'))
  const { err } = await seen('plans get no')
  expect(err).toBe(`${painted('red', stripVTControlCharacters(err).trimEnd())}\n`)
  const plain = await seen('subscriptions', { NO_COLOR: '1' })
  expect(plain.out).not.toContain('\x1b')
  expect(stripVTControlCharacters(list.out)).toBe(plain.out)
})

it('colours what is piped only where FORCE_COLOR says so', async () => {
  await ok('subscriptions create --customer-id cus_ada --plan pro')
  expect(await ok('subscriptions')).not.toContain('\x1b')
  const forced = await shell.type('subscriptions', { FORCE_COLOR: '1' })
  expect(forced.out).toContain(painted('green', 'active'))
})

it('is for the matrix where exec has it', async () => {
  const refused = await outcome(run(['exec', '-o', 'csv', 'true']))
  expect(refused).toMatchObject({ code: 2, out: '' })
  expect(refused.err).toContain('--output is for the matrix; add --matrix.')
})
