import { describe, expect, it } from 'vitest'
import { transitions } from '../../../src/billing/status.ts'
import { memoryStore } from '../../../src/store/memory-store.ts'
import { StoreUnavailable } from '../../../src/store/store.ts'
import { Instant } from '../../../src/time/instant.ts'
import {
  askAs as ask,
  covered,
  movesOf,
  subscribeAs as subscribe,
} from '../../support/consumers.ts'
import { openShop } from '../../support/control.ts'
import { machineAt } from '../../support/machine-time.ts'
import { setUp } from '../../support/provider-states.ts'
import { instead } from '../../support/store.ts'

describe('the transitions between statuses that are covered', () => {
  it('counts the transitions of an advance, each as often as it was made, for who asked for it', async () => {
    const shop = await openShop()
    await subscribe(shop, { consumer: 'web' })
    await shop.post('/sandbox/payment-outcomes', { outcomes: ['card_declined', 'succeed'] })
    const headers = { 'Sandbox-Consumer': 'clock' }
    await shop.call('POST', '/sandbox/clock/advance', { json: { by: 'P70D' }, headers })
    const { consumers, unseen } = await covered(shop)
    expect(consumers.map((each) => [each.consumer, each.calls, movesOf(each)])).toEqual([
      ['web', 1, []],
      [
        'clock',
        0,
        [
          'active payment_failed past_due 1',
          'active period_end active 2',
          'past_due invoices_settled active 1',
        ],
      ],
    ])
    expect(unseen.transitions).toHaveLength(transitions.length - 3)
  })

  it.each([null, Instant.parse('2028-02-01T00:00:00.000Z')])(
    'counts none of the history of a fixture that begins at %s',
    async (now) => {
      const shop = await openShop({ fixture: 'dunning', now })
      const { consumers, unseen } = await covered(shop)
      expect([consumers, unseen.transitions?.length]).toEqual([[], transitions.length])
    },
  )

  it('counts no move that was only looked at or set up', async () => {
    const shop = await openShop()
    await subscribe(shop)
    await shop.post('/sandbox/clock/advance', { by: 'P1Y', dry_run: true })
    await shop.get('/sandbox/subscriptions/sub_000001/forecast?until=2027-06-01T00:00:00Z')
    await shop.get('/sandbox/agenda')
    await setUp(shop, 'a past due subscription exists')
    expect(movesOf(await covered(shop))).toEqual([])
  })

  it('counts no move that the disk did not take', async () => {
    let isFull = false
    const store = memoryStore()
    const create: typeof store.create = async (sandboxId) => {
      const stored = await store.create(sandboxId)
      const full = () => Promise.reject(new StoreUnavailable('The disk is full'))
      return instead(stored, { append: (entry) => (isFull ? full() : stored.append(entry)) })
    }
    const shop = await openShop({}, 10, { store: instead(store, { create }) })
    await subscribe(shop)
    isFull = true
    expect((await ask(shop, 'subscriptions/sub_000001/pause')).status).toBe(503)
    const { seen, measures } = await covered(shop)
    expect(seen.transitions).toEqual([])
    expect(seen.answers).toContainEqual({
      ...{ operation_id: 'pauseSubscription', status: 503, media: 'none', calls: 1 },
    })
    expect(measures.statuses.seen).toBe(1)
  })

  it('counts what a running clock does, which nobody asked for', async () => {
    const { time, pass } = machineAt('2026-01-01T00:00:00Z')
    const shop = await openShop({}, 10, { time })
    await subscribe(shop)
    await shop.call('PUT', '/sandbox/clock', { json: { mode: 'running' } })
    await pass(40 * 86_400_000)
    await shop.get('/sandbox/clock')
    const { consumers } = await covered(shop)
    expect(consumers.map((each) => [each.kind, movesOf(each)])).toEqual([
      ['unnamed', ['active period_end active 1']],
    ])
  })
})
