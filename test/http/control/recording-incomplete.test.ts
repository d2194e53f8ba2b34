import { describe, expect, it } from 'vitest'
import { RECORDING_CALLS } from '../../../src/sandbox/call-recording.ts'
import type { WireProblem } from '../../../src/wire/common/errors.ts'
import { openShop, type Shop } from '../../support/control.ts'
import { recordingOf, sentIn } from '../../support/exported-recording.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { openReceiver, SECRET } from '../../support/receiver.ts'
import { storeIn } from '../../support/store.ts'

/** Why there is no recording. */
async function refusalIn(shop: Shop, sandboxId = 'default'): Promise<string> {
  const headers = { 'Sandbox-Id': sandboxId }
  const { status, body } = await shop.call<WireProblem>('GET', '/sandbox/recording', { headers })
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'recording_incomplete' })
  return body.detail
}

describe('there is no recording, with the reason, of a sandbox', () => {
  it('that was made as a fork, until it is reset', async () => {
    const shop = await openShop()
    await shop.call('PUT', '/sandboxes/fork', { json: { from: { sandbox: 'default' } } })
    expect(await refusalIn(shop, 'fork')).toContain('it was made as a fork')
    await shop.call('POST', '/sandbox/reset', { headers: { 'Sandbox-Id': 'fork' } })
    expect(await recordingOf(shop, 'curl', 'fork')).toContain("send 200 POST '/sandbox/reset'")
  })

  it('whose state was imported; one that was refused does no harm', async () => {
    const shop = await openShop()
    await shop.call('PUT', '/sandbox/state', { json: { format: 1 } })
    expect(await sentIn(shop)).toEqual(["200 PATCH '/sandbox/settings'"])
    await shop.call('PUT', '/sandbox/state', { bytes: await shop.state() })
    expect(await refusalIn(shop)).toContain('a state was imported')
  })

  it('whose clock ran', async () => {
    const shop = await openShop()
    await shop.call('PUT', '/sandbox/clock', { json: { mode: 'running' } })
    await shop.call('PUT', '/sandbox/clock', { json: { mode: 'frozen' } })
    expect(await refusalIn(shop)).toContain('its clock ran')
  })

  it('that has too many calls', async () => {
    const shop = await openShop()
    const call = { requestId: 'req_000001', replacements: 0, method: 'POST', target: '/v1' }
    const rest = { headers: [], body: null, operationId: null, status: 404, answer: null }
    const add = () =>
      shop.registry.default.recording.add({
        ...call,
        ...rest,
        refusal: null,
        isQuestion: false,
        byAddress: false,
      })
    for (let count = 0; count < RECORDING_CALLS; count += 1) add()
    expect(shop.registry.default.recording.calls).toHaveLength(RECORDING_CALLS)
    add()
    expect(await refusalIn(shop)).toContain(`it has more than ${RECORDING_CALLS} calls`)
  })

  it('that has too many bytes', async () => {
    const shop = await openShop()
    for (let count = 0; count < 17; count += 1) {
      await shop.call('POST', '/sandbox/customers', { bytes: ' '.repeat(1_000_000) })
    }
    expect(await refusalIn(shop)).toContain('bytes')
  })

  it('in which a fault closed a connection', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/faults', { effect: { drop: true } })
    await shop.app.request('/v1/subscriptions/sub_1/pause', {
      method: 'POST',
      headers: { Authorization: 'Bearer sk_sandbox_default' },
    })
    expect(await refusalIn(shop)).toContain('a fault closed a connection')
  })

  it('in which a receiver made calls during an advance in lockstep', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    const headers = { Authorization: 'Bearer sk_sandbox_default' }
    const pause = { method: 'POST', headers }
    const receiver = await openReceiver(async () => {
      await shop.app.request('/v1/subscriptions/sub_000001/pause', pause)
      return 204
    })
    const { url } = receiver
    const event_types = ['invoice.created']
    await shop.post('/sandbox/webhooks', { url, secret: SECRET, event_types })
    await shop.post('/sandbox/clock/advance', { by: 'P1D', lockstep: true })
    expect((await shop.app.request('/sandbox/recording')).status).toBe(200)
    await shop.post('/sandbox/clock/advance', { by: 'P70D', lockstep: true })
    expect(await refusalIn(shop)).toContain('receivers of webhooks made calls')
  })

  it('that was there before the process', async () => {
    const folder = await temporaryFolder()
    try {
      const before = await openShop({}, 10, { store: await storeIn(folder.path) })
      await before.registry.close()
      const shop = await openShop({}, 10, { store: await storeIn(folder.path) })
      expect(await refusalIn(shop)).toContain('the process was started after it began')
      await shop.registry.close()
    } finally {
      await folder.remove()
    }
  })
})
