/** `record` as a person runs it: with the Pact core, and tests that are programs. */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { outcome, run } from '../../support/command-line.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { verify } from '../../support/verify.ts'

let place: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  place = await temporaryFolder()
})
afterEach(() => place.remove())

/** What every program here begins with. */
const beginning = `
const { SANDBOX_URL: url, SANDBOX_API_KEY: key } = process.env
const send = (path, body, headers = { Authorization: 'Bearer ' + key }) =>
  fetch(url + path, { method: 'POST', body, headers }).then((answer) => answer.json())
const v1 = (path, fields) => send('/v1/subscriptions' + path, new URLSearchParams(fields))
`

/** Runs `record` on a program of Node. */
async function record(program: string, ...options: readonly string[]) {
  const file = join(place.path, 'tests.mjs')
  await writeFile(file, `${beginning}${program}`)
  const pact = join(place.path, 'my-shop-subscription-service.json')
  const told = ['--consumer', 'my-shop', '--out', place.path, ...options]
  const ran = await outcome(run(['record', ...told, '--', process.execPath, file]))
  return { ...ran, pact, isWritten: existsSync(pact) }
}

const shop = `
const { subscription_id: id } = await v1('', { customer_id: 'cus_ada', plan: 'pro', trial_period_days: 14 })
await v1('/' + id + '/apply-coupon', { coupon_id: 'SAVE20' })
await v1('/' + id + '/apply-coupon', { coupon_id: 'EXPIRED' })
const json = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' }
await send('/v1/subscriptions/' + id + '/cancel', '{"at_period_end":true}', json)
const { refresh_token } = await send('/sandbox/tokens', '{}', json)
const bearer = { ...json, Authorization: 'Bearer ' + refresh_token }
await send('/v1/auth/refresh', '{}', bearer)
await send('/v1/auth/refresh', JSON.stringify({ refresh_token }), bearer)
`

it('writes a pact that holds under every variation, and says its score and what is not in it', async () => {
  const { code, out, pact } = await record(shop)
  expect(code).toBe(0)
  expect(out).toContain('4 interactions from 6 calls')
  expect(out).toMatch(/left out: refuses to apply the coupon EXPIRED .*no errors of this operation/)
  expect(out).toMatch(/left out: cancels .*with JSON: rests on json-bodies/)
  expect(out).toMatch(/notices \d+ of \d+ changes of its answers/)
  expect(out).toContain('4 interactions of 1 pact verified: 4 passed, 0 failed, 0 pending')
  const first = await readFile(pact, 'utf8')
  const { report, interactions } = await verify([pact, '--vary'])
  expect(report.result).toBe('passed')
  expect(interactions.flatMap(({ findings }) => findings)).toEqual([])
  const leaning = report.variations?.[0]?.interactions.map(({ rests_on: slugs }) => slugs)
  expect(leaning).toEqual([[], [], [], []])
  await record(shop)
  expect(await readFile(pact, 'utf8')).toBe(first)
})

it('expects what is assumed where it is asked to', async () => {
  const { code, out, pact } = await record(shop, '--with-assumptions')
  expect(code).toBe(0)
  expect(out).not.toContain('left out')
  expect(out).toContain('6 interactions of 1 pact verified: 6 passed, 0 failed, 0 pending')
  expect(await readFile(pact, 'utf8')).toMatch(/"error": "coupon_expired"/)
})

it('says that a pact is of the initial settings, where the tests ran with others', async () => {
  const create = "await v1('', { customer_id: 'cus_ada', plan: 'pro' })"
  const { out } = await record(create, '--deviation', 'vary/success-status')
  expect(out).toMatch(/left out: .*: no state of the catalogue leads to it/)
  expect(out).toContain('A pact is of the initial ones')
})

it('refuses a folder that takes no pact before it runs the tests', async () => {
  const taken = join(place.path, 'taken')
  await writeFile(taken, '')
  const { code, err } = await record("console.error('ran')", '--out', taken)
  expect({ code, err }).toEqual({
    code: 3,
    err: `--out ${taken} cannot be used: a file has that name; choose another folder.\n`,
  })
})

it('leaves out what no state leads to', async () => {
  const settings = `
await fetch(url + '/sandbox/settings', { method: 'PATCH', body: '{"paused_status_name":"on_hold"}',
  headers: { 'Content-Type': 'application/json' } })
const { subscription_id: id } = await v1('', { customer_id: 'cus_ada', plan: 'pro' })
await v1('/' + id + '/pause', {})
const json = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' }
await send('/sandbox/coupons', '{"coupon_id":"MORE","type":"trial_extension","value":5}', json)
const order = { customer_id: 'cus_ada', plan: 'pro', trial_period_days: 3 }
const { subscription_id: trial } = await v1('', order)
await v1('/' + trial + '/apply-coupon', { coupon_id: 'MORE' })
await v1('/' + trial + '/update', { plan: 'basic' })`
  const { out } = await record(settings)
  expect(out).toMatch(/left out: pauses an active subscription: no state .*, status differ/)
  expect(out).toMatch(
    /left out: moves a trialing subscription .*: no state .*: .*days 8 reach past/,
  )
  expect(out).toContain('3 interactions from 5 calls')
})

it.each([
  ['process.exit(7)', 7, 'failed, so that no pact is written'],
  ['', 3, 'made no call of /v1'],
  [`await send('/v1/invoices', '')`, 3, 'Nothing is left for a pact'],
])('writes nothing after %j', async (program, expected, message) => {
  const { code, err, isWritten } = await record(program)
  expect({ code, isWritten }).toEqual({ code: expected, isWritten: false })
  expect(err).toContain(message)
})

it.each([
  [['--consumer', '../x'], '--consumer must be a name'],
  [[], 'consumer'],
])('refuses %j', async (options, message) => {
  const { code, err } = await outcome(run(['record', ...options, '--', 'true']))
  expect(code).toBe(2)
  expect(err).toContain(message)
})
