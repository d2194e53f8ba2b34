import { expect, it } from 'vitest'
import { openShop } from '../../support/control.ts'

const midnight = '2027-02-01T00:00:00.000Z'

it.each([
  ['POST', '/sandbox/clock/advance', { to: '2027-02-01' }, { to: midnight }],
  ['PUT', '/sandbox/clock', { now: '2027-02-01' }, { now: midnight }],
  ['PUT', '/sandboxes/mine', { now: '2027-02-01' }, { now: midnight }],
  [
    'POST',
    '/sandbox/promotions',
    { code: 'SPRING', coupon_id: 'SAVE20', expires_at: '2027-02-01' },
    { expires_at: midnight },
  ],
  ['GET', '/sandbox/agenda?before=2027-02-01', undefined, { complete_until: midnight }],
])('%s %s takes the date in %j for midnight UTC', async (...row) => {
  const [method, path, json, answer] = row
  const shop = await openShop()
  const { status, body } = await shop.call(method, path, json === undefined ? {} : { json })
  expect(status).toBeLessThan(300)
  expect(body).toMatchObject(answer)
})

it.each([
  ['2027-02-01T10:00:00', '; the nearest is "2027-02-01T10:00:00Z".'],
  ['2027-02-01T10:00', '; the nearest is "2027-02-01T10:00:00Z".'],
  ['2027-02-30', '.'],
  ['soon', '.'],
])('refuses %s, with the instant that it most likely means', async (to, end) => {
  const shop = await openShop()
  const { status, body } = await shop.post('/sandbox/clock/advance', { to })
  expect(status).toBe(400)
  const message = expect.stringMatching(/^to must be an RFC 3339 instant .* got "[^"]*"(;.*)?\.$/)
  expect(body).toMatchObject({ errors: [{ field: 'to', message }] })
  expect(body).toMatchObject({ detail: expect.stringContaining(`got "${to}"${end}`) })
})
