import { expect, it } from 'vitest'
import { openShop } from '../../support/control.ts'

const basic = `Basic ${Buffer.from('sk_sandbox_default:').toString('base64')}`

it.each([
  'Bearer sk_sandbox_defualt',
  'Bearer sk_sandbox_default_old',
  'Bearer x',
  'Bearer',
  basic,
])(
  'refuses to reset a sandbox for the Authorization %s, which is no key',
  async (Authorization) => {
    const shop = await openShop()
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    const before = await shop.state()
    const refused = await shop.call('POST', '/sandbox/reset', { headers: { Authorization } })
    expect(refused).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    expect(refused.headers.get('WWW-Authenticate')).toContain('Bearer')
    expect(await shop.state()).toBe(before)
  },
)

it('takes any Authorization beside a Sandbox-Id, and none at all for the default sandbox', async () => {
  const shop = await openShop()
  const headers = { Authorization: 'Bearer x', 'Sandbox-Id': 'default' }
  expect((await shop.call('GET', '/sandbox', { headers })).status).toBe(200)
  expect((await shop.get('/sandbox')).headers.get('Sandbox-Id')).toBe('default')
})

it.each([
  ['GET', '/sandbox/nothing', 404],
  ['GET', '/sandbox/clock/advance', 405],
])('answers %s %s for the sandbox that is named', async (method, path, status) => {
  const shop = await openShop()
  await shop.call('PUT', '/sandboxes/mine', { json: { now: '2030-01-01' } })
  const by = async (headers: Record<string, string>) => {
    const refused = await shop.call(method, path, { headers })
    expect(refused.status).toBe(status)
    return [refused.headers.get('Sandbox-Id'), refused.headers.get('Sandbox-Time')]
  }
  const mine = ['mine', '2030-01-01T00:00:00.000Z']
  expect(await by({ 'Sandbox-Id': 'mine' })).toEqual(mine)
  expect(await by({ Authorization: 'Bearer sk_sandbox_mine' })).toEqual(mine)
  expect(await by({ 'Sandbox-Id': 'nobody' })).toEqual(['default', '2027-01-01T00:00:00.000Z'])
})
