/** The API keys of one sandbox: its own, further ones of its fixture, and revoked ones. */
import { expect, it } from 'vitest'
import { openShop } from '../support/control.ts'

const order = { customer_id: 'cus_ada', plan: 'basic' }

it.each([
  ['its own', 'sk_sandbox_default', 200],
  ['a further one of its fixture', 'sk_sandbox_default_second', 200],
  ['a revoked one of its fixture', 'sk_sandbox_default_revoked', 401],
  ['one that its fixture does not have', 'sk_sandbox_default_third', 401],
  ['one of a sandbox that does not exist', 'sk_sandbox_nobody', 401],
])('%s, %s, is answered %i on /v1 and on the control plane', async (_, key, status) => {
  const shop = await openShop()
  const before = await shop.state()
  const headers = { Authorization: `Bearer ${key}` }
  const subscribed = await shop.call('POST', '/v1/subscriptions', { json: order, headers })
  expect(subscribed.status).toBe(status)
  const read = await shop.call('GET', '/sandbox', { headers })
  expect(read.status).toBe(status)
  const reset = await shop.call('POST', '/sandbox/reset', { headers })
  expect(reset.status).toBe(status)
  if (status === 200) return
  expect(subscribed.body).toMatchObject({ error: 'unauthorized' })
  expect(read.body).toMatchObject({ code: 'unauthorized' })
  for (const { text } of [subscribed, read, reset]) expect(text).not.toContain(key)
  expect(await shop.state()).toBe(before)
})

it('a key that was revoked stays so after a reset, in a fork and in an imported state', async () => {
  const shop = await openShop()
  const state = await shop.state()
  await shop.post('/sandbox/reset')
  const from = { from: { sandbox: 'default' } }
  expect((await shop.call('PUT', '/sandboxes/fork', { json: from })).status).toBe(201)
  await shop.call('PUT', '/sandboxes/copy')
  const named = { 'Sandbox-Id': 'copy' }
  await shop.call('PUT', '/sandbox/state', { bytes: state, headers: named })
  for (const sandbox of ['default', 'fork', 'copy']) {
    const statusOf = async (suffix: string) => {
      const headers = { Authorization: `Bearer sk_sandbox_${sandbox}_${suffix}` }
      return (await shop.call('POST', '/v1/subscriptions', { json: order, headers })).status
    }
    expect([sandbox, await statusOf('second'), await statusOf('revoked')]).toEqual([
      sandbox,
      200,
      401,
    ])
  }
})
