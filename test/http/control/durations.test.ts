/** Durations: weeks are read like seven days wherever a calendar duration is, and refused with a reason elsewhere. */
import { expect, it } from 'vitest'
import { Fixture } from '../../../src/sandbox/fixture-format.ts'
import { durationPattern, nearestDuration } from '../../../src/time/duration-text.ts'
import { exactMillis, parseDuration } from '../../../src/time/instant.ts'
import { chanceOf, oneOf, seeded, upTo } from '../../support/chance.ts'
import { type Answer, openShop, type Shop } from '../../support/control.ts'
import { shopOfTwo } from '../../support/what-if-client.ts'

const clear = { operation: 'clearPaymentOutcomes' }
const until = { subscription_id: 'sub_000001', status: 'expired' }
const advance = '/sandbox/clock/advance'

type Read = (shop: Shop, duration: string) => Promise<Answer<{ to?: string; until?: string }>>

const readers: Readonly<Record<string, Read>> = {
  'an advance by it': (shop, by) => shop.post(advance, { by }),
  'an advance until a status within it': (shop, within) => shop.post(advance, { until, within }),
  'a dry run': (shop, by) => shop.post(advance, { by, dry_run: true }),
  'a what-if for it': (shop, period) =>
    shop.post('/sandbox/what-if', { changes: [clear], for: period }),
}

it.each(Object.entries(readers))('a week is seven days: %s', async (_, read) => {
  const ends = []
  for (const duration of ['P1W', 'P7D', 'P8D']) {
    const { status, body } = await read(await shopOfTwo(), duration)
    expect(status).toBe(200)
    ends.push(body.to ?? body.until)
  }
  expect(ends[0]).toBe(ends[1])
  expect(ends[0]).not.toBe(ends[2])
})

it.each([
  ['2M', 'P2M'],
  ['14d', 'P14D'],
  ['1 month', 'P1M'],
  ['p14d', 'P14D'],
  ['1y6m', 'P1Y6M'],
  ['1 year, 6 months', 'P1Y6M'],
  ['2h30m', 'PT2H30M'],
  ['90 minutes', 'PT90M'],
  ['P12H', 'PT12H'],
  ['pt5m', 'PT5M'],
  [14, 'P14D'],
  ['3d 1m', null],
  ['100ms', null],
  ['soon', null],
  ['', null],
])('%j most likely means %j', async (written, meant) => {
  expect(nearestDuration(written)).toBe(meant)
  if (meant !== null) expect(parseDuration(meant)).not.toBeNull()
})

it('names the nearest duration where it refuses one', async () => {
  const { status, body } = await (await openShop()).post(advance, { by: '2M' })
  expect(status).toBe(400)
  expect(body).toMatchObject({ detail: expect.stringMatching(/got "2M"; the nearest is "P2M"\.$/) })
})

it.each([
  [['2 days'], 'P2D'],
  [['P1D', '36h'], 'PT36H'],
  [['PT12H', '1 week'], null],
])('names the nearest offset of a retry, and one problem: %j', async (schedule, meant) => {
  const { call } = await openShop()
  const json = { retry_schedule: schedule }
  const { status, body } = await call<{ detail: string }>('PATCH', '/sandbox/settings', { json })
  const near = meant === null ? '' : `; the nearest is "${meant}"`
  const at = schedule.length - 1
  expect(status).toBe(400)
  expect(body.detail).toBe(
    `retry_schedule[${at}] must be a positive ISO 8601 duration of days, hours, minutes and seconds, without years, months and weeks, such as P1D or PT12H, at most 3650 days; got "${schedule[at]}"${near}.`,
  )
})

it('a week is seven days: in the history of a fixture', () => {
  const agoOf = (ago: string) => Fixture.parse({ history: [{ ago }] }).history?.[0]?.ago
  expect(agoOf('P1W')).toEqual(agoOf('P7D'))
  expect(agoOf('P1W')).toEqual({ months: 0, millis: 604_800_000 })
})

it('a week is no offset of a retry, and the refusal says so', async () => {
  const { call } = await openShop()
  const refused = await call('PATCH', '/sandbox/settings', { json: { retry_schedule: ['P1W'] } })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain(
    'days, hours, minutes and seconds, without years, months and weeks',
  )
})

it('the documented patterns fit what is read, and nothing else', () =>
  seeded(async (seed) => {
    const chance = chanceOf(seed)
    const [any, exact] = [durationPattern('years'), durationPattern('days')].map(
      (pattern) => new RegExp(pattern),
    )
    for (let nth = 0; nth < 20_000; nth += 1) {
      const text = Array.from({ length: upTo(6, chance) }, () => oneOf(pieces, chance)).join('')
      expect([text, any?.test(`P${text}`)]).toEqual([text, parseDuration(`P${text}`) !== null])
      expect([text, exact?.test(`P${text}`)]).toEqual([text, exactMillis(`P${text}`) !== null])
    }
  }))

const pieces = [
  ...['1Y', '12M', '1W', '99999W', '100000W', '7D', '1234567D', '12345678D'],
  ...['T', '1H', '5M', '9S', '1.5S', '0.1234S', 'W', '-1D', ' ', 'T1H'],
]
