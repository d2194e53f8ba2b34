import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { WireSandbox } from '../../../src/wire/sandbox/sandbox.ts'
import { inSandbox, openShop } from '../../support/control.ts'

it('are listed in their order, and a few loaded at a time', async () => {
  const shop = await openShop()
  const ids = Array.from({ length: 9 }, (_, at) => `worker-${9 - at}`)
  for (const id of ids) await shop.call('PUT', `/sandboxes/${id}`)
  const { registry } = shop
  const find = registry.find.bind(registry)
  let [loading, most] = [0, 0]
  registry.find = async (id) => {
    loading += 1
    most = Math.max(most, loading)
    await pause(ids.indexOf(id) % 3)
    loading -= 1
    return find(id)
  }
  const { body } = await shop.get<{ data: WireSandbox[] }>('/sandboxes')
  expect(body.data.map(({ sandbox_id }) => sandbox_id)).toEqual(['default', ...ids])
  expect(most).toBe(8)
})

describe('making a sandbox', () => {
  it('under an identifier of its own', async () => {
    const shop = await openShop()
    const made = await shop.call('PUT', '/sandboxes/worker-1')
    const one = {
      sandbox_id: 'worker-1',
      api_key: 'sk_sandbox_worker-1',
      now: '2027-01-01T00:00:00.000Z',
    }
    expect(made).toMatchObject({ status: 201, body: one })
    expect(made.headers.get('Location')).toBe('/sandboxes/worker-1')
    expect(await shop.get('/sandboxes/worker-1')).toMatchObject({ status: 200, body: one })
    const again = await shop.call('PUT', '/sandboxes/worker-1')
    expect(again).toMatchObject({ status: 409, body: { code: 'exists' } })
  })

  it('under a generated identifier', async () => {
    const shop = await openShop()
    const made = await shop.post<WireSandbox>('/sandboxes', { fixture: 'empty' })
    expect(made.status).toBe(201)
    expect(made.headers.get('Location')).toBe(`/sandboxes/${made.body.sandbox_id}`)
    expect((await shop.post('/sandboxes')).status).toBe(201)
  })

  it('with its own start and settings', async () => {
    const shop = await openShop()
    const json = { now: '2028-02-29T12:00:00+02:00', settings: { after_retries: 'keep_past_due' } }
    const made = await shop.call('PUT', '/sandboxes/leap', { json })
    expect(made.body).toMatchObject({ now: '2028-02-29T10:00:00.000Z' })
    const settings = await inSandbox(shop, 'leap').get('/sandbox/settings')
    expect(settings.body).toMatchObject({ after_retries: 'keep_past_due' })
    const order = { from: { sandbox: 'leap' }, settings: { trial_day_length: 'calendar_day' } }
    await shop.call('PUT', '/sandboxes/fork', { json: order })
    const fork = inSandbox(shop, 'fork')
    await fork.post('/sandbox/reset')
    const { body } = await fork.get('/sandbox/settings')
    expect(body).toMatchObject({ after_retries: 'keep_past_due', ...order.settings })
  })

  it.each([
    ['Worker', {}, 400, 'invalid_request'],
    ['-worker', {}, 400, 'invalid_request'],
    ['wor_ker', {}, 400, 'invalid_request'],
    ['w'.repeat(64), {}, 400, 'invalid_request'],
    ['w%00', {}, 400, 'invalid_request'],
    ['%2e%2e%2fescape', {}, 400, 'invalid_request'],
    ['%ff', {}, 400, 'invalid_request'],
    ['worker', { fixture: 'nope' }, 404, 'not_found'],
    ['worker', { fixture: '../starter' }, 400, 'invalid_request'],
    ['worker', { from: { sandbox: 'nope' } }, 404, 'not_found'],
    ['worker', { from: { sandbox: 'default', checkpoint: 'x' } }, 404, 'not_found'],
    ['worker', { from: { sandbox: 'default' }, fixture: 'starter' }, 400, 'invalid_request'],
    ['worker', { now: 'now' }, 400, 'invalid_request'],
    ['worker', { now: '9999-01-01T00:00:00Z' }, 409, 'clock_limit'],
    ['worker', { fixture: 'dunning', now: '2027-01-15T00:00:00Z' }, 409, 'clock_backwards'],
    ['worker', { settings: { speed: 1 } }, 400, 'invalid_request'],
    ['default', {}, 409, 'exists'],
  ])('PUT /sandboxes/%s with %j is refused with %i', async (...row) => {
    const [id, json, status, code] = row
    const shop = await openShop()
    const before = await shop.get('/sandboxes')
    const refused = await shop.call('PUT', `/sandboxes/${id}`, { json })
    expect(refused).toMatchObject({ status, body: { code } })
    expect((await shop.get('/sandboxes')).text).toBe(before.text)
  })

  it('refuses one too many, until one is deleted', async () => {
    const shop = await openShop({}, 2)
    expect((await shop.call('PUT', '/sandboxes/second')).status).toBe(201)
    const third = await shop.call('PUT', '/sandboxes/third')
    expect(third).toMatchObject({ status: 409, body: { code: 'sandbox_limit' } })
    expect((await shop.call('DELETE', '/sandboxes/second')).status).toBe(204)
    expect((await shop.call('PUT', '/sandboxes/third')).status).toBe(201)
  })
})

describe('the sandboxes of a process', () => {
  it('are found by header, else by key, else it is the default one', async () => {
    const shop = await openShop()
    await shop.call('PUT', '/sandboxes/mine')
    const idWith = async (headers: Record<string, string>) =>
      (await shop.call('GET', '/sandbox', { headers })).headers.get('Sandbox-Id')
    expect(await idWith({})).toBe('default')
    expect(await idWith({ Authorization: 'Bearer sk_sandbox_mine' })).toBe('mine')
    expect(await idWith({ 'Sandbox-Id': 'mine' })).toBe('mine')
    const both = { Authorization: 'Bearer sk_sandbox_mine', 'Sandbox-Id': 'default' }
    expect(await idWith(both)).toBe('default')
    const lost = await inSandbox(shop, 'nope').get('/sandbox')
    expect(lost).toMatchObject({ status: 404, body: { detail: expect.stringMatching(/"nope"/) } })
  })

  it('can be made by a request that names them already', async () => {
    const shop = await openShop()
    expect((await inSandbox(shop, 'mine').call('PUT', '/sandboxes/mine')).status).toBe(201)
  })

  it('are gone once deleted, but for the default one', async () => {
    const shop = await openShop()
    await shop.call('PUT', '/sandboxes/brief')
    expect((await shop.call('DELETE', '/sandboxes/brief')).status).toBe(204)
    expect((await shop.get('/sandboxes/brief')).status).toBe(404)
    expect((await inSandbox(shop, 'brief').get('/sandbox')).status).toBe(404)
    expect((await shop.call('DELETE', '/sandboxes/brief')).status).toBe(404)
    const kept = await shop.call('DELETE', '/sandboxes/default')
    expect(kept).toMatchObject({ status: 409, body: { code: 'in_use' } })
  })
})
