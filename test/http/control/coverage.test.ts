import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { settingAssumptions } from '../../../src/assumptions/register.ts'
import { type Status, statusTable, transitions } from '../../../src/billing/status.ts'
import { v1Document } from '../../../src/openapi/v1.ts'
import { v1Operations } from '../../../src/operations/v1.ts'
import { CONSUMERS_MAX } from '../../../src/sandbox/coverage.ts'
import { makeExamples } from '../../../src/server/examples.ts'
import type { WireIssuedTokens } from '../../../src/wire/sandbox/token.ts'
import {
  askAs as ask,
  covered,
  movesOf,
  subscribeAs as subscribe,
} from '../../support/consumers.ts'
import { inSandbox, openShop } from '../../support/control.ts'

const form = 'application/x-www-form-urlencoded'

describe('the coverage of the documented surface', () => {
  it('has every operation, status, way to write, move and setting that is declared, and begins with none of them', async () => {
    const { unseen, measures, seen, consumers, calls } = await covered(await openShop())
    expect(unseen.operations).toEqual(v1Operations.map(({ operationId }) => operationId))
    const drawn = Object.values(v1Document('1').paths ?? {}).flatMap(({ post }) => post ?? [])
    const statuses = drawn.flatMap(({ operationId, responses }) =>
      Object.keys(responses ?? {})
        .filter((status) => !['default', '500', '503'].includes(status))
        .map((status) => `${operationId} ${status}`),
    )
    const listed = unseen.statuses.map((each) => `${each.operation_id} ${each.status}`)
    expect(listed.sort()).toEqual(statuses.sort())
    expect(unseen.media.map((each) => `${each.operation_id} ${each.media}`).sort()).toEqual(
      [
        ...['createSubscription form', 'createSubscription json', 'updateSubscription form'],
        ...['updateSubscription json', 'applyCoupon form', 'applyCoupon json', 'refreshToken json'],
        ...['cancelSubscription form', 'cancelSubscription json', 'cancelSubscription none'],
        'pauseSubscription none',
      ].sort(),
    )
    const table = Object.entries(statusTable).flatMap(([from, row]) =>
      Object.entries(row).flatMap(([trigger, to]) =>
        [to as Status | Status[]].flat().map((each) => ({ from, trigger, to: each })),
      ),
    )
    expect(unseen.transitions).toEqual(table)
    expect(transitions).toHaveLength(table.length)
    expect(unseen.settings).toHaveLength(settingAssumptions.length + 1)
    expect(unseen.error_codes).toContain('method_not_allowed')
    expect(unseen.error_codes).not.toContain('internal')
    for (const [name, { of, seen: found, percent }] of Object.entries(measures)) {
      expect([found, percent], name).toEqual([0, 0])
      expect(of, name).toBe(unseen[name as keyof typeof unseen].length)
    }
    expect(seen).toEqual({
      ...{ answers: [], error_codes: [], transitions: [], settings: [], assumptions: [] },
    })
    expect({ consumers, calls }).toEqual({ consumers: [], calls: 0 })
  })

  it('counts answers by operation, status and media type, and what they rest on', async () => {
    const shop = await openShop()
    await subscribe(shop)
    await subscribe(shop)
    await subscribe(shop, { type: form, body: 'customer_id=cus_ada&plan=pro' })
    await subscribe(shop, { type: 'application/JSON; charset=utf-8', body: '{"plan":"pro"}' })
    await subscribe(shop, { type: 'text/plain' })
    await ask(shop, 'subscriptions/sub_000001/pause')
    await ask(shop, 'subscriptions/sub_000001/pause')
    await subscribe(shop, { key: 'sk_sandbox_unknown' })
    await ask(shop, 'subscription')
    const { seen, unseen, measures, calls, unmatched } = await covered(shop)
    expect(seen.answers).toEqual([
      { operation_id: 'createSubscription', status: 200, media: 'form', calls: 1 },
      { operation_id: 'createSubscription', status: 200, media: 'json', calls: 2 },
      { operation_id: 'createSubscription', status: 400, media: 'json', calls: 1 },
      { operation_id: 'createSubscription', status: 401, media: 'json', calls: 1 },
      { operation_id: 'createSubscription', status: 415, media: 'other', calls: 1 },
      { operation_id: 'pauseSubscription', status: 200, media: 'none', calls: 1 },
      { operation_id: 'pauseSubscription', status: 409, media: 'none', calls: 1 },
    ])
    expect({ calls, unmatched }).toEqual({ calls: 8, unmatched: 1 })
    expect(seen.error_codes).toEqual([
      { code: 'invalid_request', calls: 1 },
      { code: 'invalid_transition', calls: 1 },
      { code: 'not_found', calls: 1 },
      { code: 'unauthorized', calls: 1 },
      { code: 'unsupported_media_type', calls: 1 },
    ])
    expect(seen.assumptions).toContainEqual({ slug: 'success-status', calls: 4 })
    expect(unseen.assumptions).not.toContain('success-status')
    expect(unseen.operations).not.toContain('pauseSubscription')
    expect(measures.operations).toEqual({ seen: 2, of: 6, percent: 33.3 })
    expect(measures.media.seen).toBe(3)
    expect(measures.statuses.seen).toBe(6)
  })

  it('counts a call however its path is written', async () => {
    const shop = await openShop()
    const headers = { Authorization: 'Bearer sk_sandbox_default' }
    await shop.app.request('/v%31/subscriptions', { method: 'POST', headers })
    expect((await covered(shop)).calls).toBe(1)
  })

  it('counts an answer under the status of the documents, whatever the settings make of it', async () => {
    const shop = await openShop()
    const settings = { success_status: ['202'], vary: ['error-codes'] }
    await shop.call('PATCH', '/sandbox/settings', { json: settings })
    await subscribe(shop)
    await subscribe(shop, { body: '{"plan":"pro"}' })
    const { seen } = await covered(shop)
    expect(seen.answers.map(({ status }) => status)).toEqual([200, 400])
  })

  it('tells consumers apart, and says of whom it is asked', async () => {
    const shop = await openShop()
    await subscribe(shop, { consumer: 'web' })
    await subscribe(shop, { consumer: 'web' })
    await subscribe(shop, { consumer: 'phone', body: '{}' })
    await subscribe(shop)
    const { consumers } = await covered(shop)
    expect(consumers.map(({ kind, consumer, calls }) => [kind, consumer, calls])).toEqual([
      ['unnamed', null, 1],
      ['named', 'web', 2],
      ['named', 'phone', 1],
    ])
    expect(consumers[2]?.measures.statuses.seen).toBe(1)
    const web = await covered(shop, '?consumer=web')
    expect(web.consumers.map(({ consumer }) => consumer)).toEqual(['web'])
    expect(web.calls).toBe(2)
    expect(web.unseen.statuses).toContainEqual({ operation_id: 'createSubscription', status: 400 })
  })

  it('keeps a bounded number of consumers, and no keys among their names', async () => {
    const shop = await openShop()
    for (let number = 0; number < CONSUMERS_MAX + 5; number += 1) {
      await subscribe(shop, { consumer: `app-${number}`, body: '{}' })
    }
    await subscribe(shop, { consumer: 'app-3', body: '{}' })
    const { consumers } = await covered(shop)
    expect(consumers).toHaveLength(CONSUMERS_MAX + 1)
    expect(consumers.at(-1)).toMatchObject({ kind: 'others', consumer: null, calls: 5 })
    expect(consumers.find(({ consumer }) => consumer === 'app-3')?.calls).toBe(2)

    const other = await openShop()
    await subscribe(other, { consumer: 'n'.repeat(5000) })
    await subscribe(other, { consumer: 'sk_live_of_somebody' })
    const names = (await covered(other)).consumers.map(({ consumer }) => consumer)
    expect(names).toEqual(['n'.repeat(100), 'sk_...'])
  })

  it('names each setting that had another value in a call, with the value', async () => {
    const shop = await openShop()
    await subscribe(shop)
    const change = (settings: object) => shop.call('PATCH', '/sandbox/settings', { json: settings })
    await change({ retry_schedule: ['P2D'], vary: ['method-not-allowed'] })
    await subscribe(shop)
    await subscribe(shop)
    await change({ retry_schedule: ['P4D'], vary: [] })
    await subscribe(shop)
    const { seen, unseen, measures } = await covered(shop)
    expect(seen.settings).toEqual([
      { setting: 'retry_schedule', value: ['P2D'], calls: 2 },
      { setting: 'retry_schedule', value: ['P4D'], calls: 1 },
      { setting: 'vary', value: 'method-not-allowed', calls: 2 },
    ])
    expect(unseen.settings).not.toContain('vary')
    expect(measures.settings.seen).toBe(2)
  })

  it('goes on through a reset and a restored checkpoint, and begins anew when it is deleted', async () => {
    const shop = await openShop()
    await subscribe(shop)
    await ask(shop, 'subscriptions/sub_000001/pause')
    await shop.post('/sandbox/checkpoints', { name: 'here' })
    await shop.post('/sandbox/checkpoints/here/restore')
    await shop.post('/sandbox/reset', {})
    await subscribe(shop)
    const summed = await covered(shop)
    expect(summed.calls).toBe(3)
    expect(movesOf(summed)).toEqual(['active pause paused 1'])
    expect((await shop.call('DELETE', '/sandbox/coverage')).status).toBe(204)
    expect(await covered(shop)).toMatchObject({ calls: 0, consumers: [] })
  })

  it('sums up all sandboxes, also those that are deleted, but not those of the examples', async () => {
    const shop = await openShop()
    await subscribe(shop, { consumer: 'web' })
    for (const sandboxId of ['one', 'two']) {
      await shop.call('PUT', `/sandboxes/${sandboxId}`, { json: {} })
      const key = `sk_sandbox_${sandboxId}`
      await subscribe(shop, { consumer: 'web', key })
      await ask(shop, 'subscriptions/sub_000001/pause', { consumer: sandboxId, key })
    }
    await shop.call('DELETE', '/sandboxes/two')
    expect((await covered(shop)).calls).toBe(1)
    expect((await covered(inSandbox(shop, 'one'))).calls).toBe(2)
    const all = await covered(shop, '?sandboxes=all')
    expect(all.consumers.map(({ consumer, calls }) => [consumer, calls]).sort()).toEqual([
      ['one', 1],
      ['two', 1],
      ['web', 3],
    ])
    expect(movesOf(all)).toEqual(['active pause paused 2'])
    await makeExamples(shop.app, shop.registry)
    await makeExamples(shop.app, shop.registry)
    expect((await covered(shop, '?sandboxes=all')).calls).toBe(all.calls)
    await shop.call('DELETE', '/sandbox/coverage?sandboxes=all')
    expect((await covered(shop, '?sandboxes=all')).calls).toBe(0)
    expect((await covered(inSandbox(shop, 'one'))).calls).toBe(0)
  })

  it('says which thresholds are met', async () => {
    const shop = await openShop()
    await subscribe(shop)
    await ask(shop, 'subscriptions/sub_000001/pause')
    const asked = '?min_operations=33&min_statuses=5&min_media=0'
    const { ok, thresholds } = await covered(shop, asked)
    expect({ ok, thresholds }).toEqual({
      ok: false,
      thresholds: [
        { measure: 'operations', min: 33, percent: 33.3, ok: true },
        { measure: 'statuses', min: 5, percent: 4.8, ok: false },
        { measure: 'media', min: 0, percent: 18.1, ok: true },
      ],
    })
    expect((await covered(shop, '?min_operations=34')).ok).toBe(false)
    expect((await covered(shop, '?min_operations=33')).ok).toBe(true)
    expect((await covered(shop)).ok).toBe(true)
    const bad = await shop.get('/sandbox/coverage?min_operations=101')
    expect(bad.text).toContain('min_operations must be an integer from 0 to 100; got')
  })

  it('leaves no trace in the state, and none in events and answers', async () => {
    const script = async (consumer?: string) => {
      const shop = await openShop()
      const answers = [
        await subscribe(shop, consumer === undefined ? {} : { consumer }),
        await ask(shop, 'subscriptions/sub_000001/pause', consumer ? { consumer } : {}),
      ]
      if (consumer !== undefined) await covered(shop)
      const { text: events } = await shop.get('/sandbox/events')
      return [
        await shop.state(),
        events,
        ...(await Promise.all(answers.map((each) => each.text()))),
      ]
    }
    expect(await script('somebody')).toEqual(await script())
  })

  it('counts no token as anybody else', async () => {
    const shop = await openShop()
    const { body } = await shop.post<z.output<typeof WireIssuedTokens>>('/sandbox/tokens', {})
    await subscribe(shop, { key: body.access_token })
    const { seen } = await covered(shop)
    expect(seen.assumptions.map(({ slug }) => slug)).toContain('key-and-token-scopes')
    expect(JSON.stringify(seen)).not.toContain(body.access_token)
  })
})
