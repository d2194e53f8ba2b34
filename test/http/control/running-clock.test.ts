import { readFile } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import type { WireEventList } from '../../../src/wire/events/event-schema.ts'
import { openShop, type Shop } from '../../support/control.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { type MachineTime, machineAt } from '../../support/machine-time.ts'
import { storeIn } from '../../support/store.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
const opening = '2027-01-01T00:00:00.000Z'

/** A shop whose clock runs from New Year 2027 on, on a machine where it is 20 November 2026. */
async function running() {
  const machine = machineAt('2026-11-20T12:00:00.000Z')
  const shop = await openShop({ startsRunning: true }, 10, { time: machine.time })
  return { shop, machine }
}

/** Ada in a trial, and then on a plan by the month. */
async function subscribe(shop: Shop, trialDays: number): Promise<void> {
  const order = { customer_id: 'cus_ada', plan: 'basic', trial_period_days: trialDays }
  expect((await shop.post('/sandbox/subscriptions', order)).status).toBe(201)
}

async function clockOf(shop: Shop) {
  return (await shop.get<{ now: string; mode: string }>('/sandbox/clock')).body
}

/** What happened, without who asked for it. */
async function history(shop: Shop) {
  const { body } = await shop.get<WireEventList>('/sandbox/events')
  return body.data.map(({ cause: _, ...event }) => event)
}

/** How often something was kept while nobody asked anything. */
function changesSeen(shop: Shop): () => number {
  let seen = 0
  shop.registry.default.notifications.on('change', () => (seen += 1))
  return () => seen
}

describe('a running clock', () => {
  it('follows real time from where it begins, whatever the machine thinks it is', async () => {
    const { shop, machine } = await running()
    expect(await clockOf(shop)).toMatchObject({ now: opening, mode: 'running' })
    await machine.pass(90 * 60 * SECOND + 1)
    expect(await clockOf(shop)).toMatchObject({ now: '2027-01-01T01:30:00.001Z' })
    const stamped = await shop.get('/sandbox/plans')
    expect(stamped.headers.get('Sandbox-Time')).toBe('2027-01-01T01:30:00.001Z')
  })

  it('settles by itself, at the very instant', async () => {
    const { shop, machine } = await running()
    await subscribe(shop, 1)
    const changes = changesSeen(shop)
    await machine.pass(DAY - 1)
    expect(changes()).toBe(0)
    await machine.pass(1)
    await vi.waitFor(() => expect(changes()).toBe(1))
    const ended = (await history(shop)).find(({ type }) => type === 'subscription.trial_ended')
    expect(ended?.at).toBe('2027-01-02T00:00:00.000Z')
  })

  it('settles late what fell due while the machine slept, in order and at its own instants', async () => {
    const { shop, machine } = await running()
    const frozen = await openShop()
    for (const each of [shop, frozen]) {
      await subscribe(each, 3)
      await subscribe(each, 5)
    }
    const changes = changesSeen(shop)
    machine.sleep(100 * DAY)
    await vi.waitFor(() => expect(changes()).toBeGreaterThan(0))
    await frozen.post('/sandbox/clock/advance', { by: 'P100D' })
    expect(await history(shop)).toEqual(await history(frozen))
    expect((await shop.get('/sandbox/audit')).body).toMatchObject({ ok: true })
  })

  it('settles before it answers, where a call comes before the timer', async () => {
    const { shop, machine } = await running()
    await subscribe(shop, 3)
    machine.setTo('2026-11-24T12:00:00.000Z')
    const { body } = await shop.get('/sandbox/subscriptions/sub_000001')
    expect(body).toMatchObject({
      status: 'active',
      current_period_start: '2027-01-04T00:00:00.000Z',
    })
  })

  it('can be advanced, and goes on from there', async () => {
    const { shop, machine } = await running()
    await subscribe(shop, 14)
    await machine.pass(HOUR)
    const advanced = await shop.post('/sandbox/clock/advance', { by: 'P20D' })
    expect(advanced.body).toMatchObject({
      from: '2027-01-01T01:00:00.000Z',
      to: '2027-01-21T01:00:00.000Z',
    })
    await machine.pass(HOUR)
    expect(await clockOf(shop)).toMatchObject({ now: '2027-01-21T02:00:00.000Z', mode: 'running' })
    const changes = changesSeen(shop)
    await machine.pass(25 * DAY - 2 * HOUR)
    await vi.waitFor(() => expect(changes()).toBe(1))
  })

  it('is not moved by a dry run', async () => {
    const { shop, machine } = await running()
    await shop.post('/sandbox/clock/advance', { by: 'P20D', dry_run: true })
    await machine.pass(HOUR)
    expect(await clockOf(shop)).toMatchObject({ now: '2027-01-01T01:00:00.000Z' })
  })

  it('does not run backwards with the clock of the machine, and goes on from where it stands', async () => {
    const { shop, machine } = await running()
    await machine.pass(2 * HOUR)
    expect(await clockOf(shop)).toMatchObject({ now: '2027-01-01T02:00:00.000Z' })
    machine.setTo('2026-11-01T00:00:00.000Z')
    expect(await clockOf(shop)).toMatchObject({ now: '2027-01-01T02:00:00.000Z' })
    await machine.pass(HOUR)
    expect(await clockOf(shop)).toMatchObject({ now: '2027-01-01T03:00:00.000Z' })
  })

  it('lets access tokens expire', async () => {
    const { shop, machine } = await running()
    const { body } = await shop.post<{ access_token: string }>('/sandbox/tokens', {})
    const headers = { Authorization: `Bearer ${body.access_token}` }
    const json = { customer_id: 'cus_ada', plan: 'basic' }
    expect(await shop.call('POST', '/v1/subscriptions', { json, headers })).toMatchObject({
      status: 200,
    })
    await machine.pass(HOUR)
    expect(await shop.call('POST', '/v1/subscriptions', { json, headers })).toMatchObject({
      status: 401,
    })
  })

  it('waits for nothing when nothing will fall due, or when it is stopped', async () => {
    const { shop, machine } = await running()
    await clockOf(shop)
    expect(machine.waiting()).toBe(0)
    await subscribe(shop, 1)
    expect(machine.waiting()).toBe(1)
    await shop.registry.close()
    expect(machine.waiting()).toBe(0)
  })
})

describe('setting the clock', () => {
  it('freezes it where it stands, so that nothing falls due by itself any more', async () => {
    const { shop, machine } = await running()
    await subscribe(shop, 1)
    await machine.pass(HOUR)
    const frozen = await shop.call('PUT', '/sandbox/clock', { json: { mode: 'frozen' } })
    const still = { now: '2027-01-01T01:00:00.000Z', mode: 'frozen' }
    expect(frozen).toMatchObject({ status: 200, body: still })
    await machine.pass(3 * DAY)
    expect(await clockOf(shop)).toMatchObject(still)
    await shop.call('PUT', '/sandbox/clock', { json: { mode: 'running' } })
    await machine.pass(HOUR)
    expect(await clockOf(shop)).toMatchObject({ now: '2027-01-01T02:00:00.000Z', mode: 'running' })
  })

  it('moves it on first, to the millisecond, and settles what falls due on the way', async () => {
    const { shop, machine } = await running()
    await subscribe(shop, 1)
    await machine.pass(HOUR)
    const json = { now: '2027-01-03T00:00:00Z', mode: 'frozen' }
    const { body } = await shop.call('PUT', '/sandbox/clock', { json })
    expect(body).toMatchObject({ now: '2027-01-03T00:00:00.000Z', mode: 'frozen' })
    expect((await shop.get('/sandbox/subscriptions/sub_000001')).body).toMatchObject({
      status: 'active',
    })
  })

  it.each([
    ['2026-12-31T23:59:59Z', /^now must be 2027-\S+, the virtual now, or later; got 2026-/],
    ['9500-01-01T00:00:00Z', /^now must not go past 9000-/],
  ])('names the field of an instant that it cannot move to: %s', async (now, detail) => {
    const { shop } = await running()
    const { body } = await shop.call('PUT', '/sandbox/clock', { json: { now } })
    expect(body).toMatchObject({ detail: expect.stringMatching(detail) })
  })

  it.each([
    [{ now: '2026-12-31T23:59:59Z', mode: 'running' }, 409, 'clock_backwards'],
    [{ now: '9500-01-01T00:00:00Z', mode: 'running' }, 409, 'clock_limit'],
    [{}, 400, 'invalid_request'],
    [{ mode: 'fast' }, 400, 'invalid_request'],
    [{ mode: null }, 400, 'invalid_request'],
    [{ now: 'tomorrow' }, 400, 'invalid_request'],
    [{ mode: 'running', next_due: null }, 400, 'invalid_request'],
  ])('refuses %o and changes nothing', async (json, status, code) => {
    const shop = await openShop()
    const before = await shop.state()
    const refused = await shop.call('PUT', '/sandbox/clock', { json })
    expect(refused).toMatchObject({ status, body: { code } })
    expect(await shop.state()).toBe(before)
  })

  it('belongs to one sandbox: a fork runs as its source did, and neither moves the other', async () => {
    const { shop, machine } = await running()
    await shop.call('PUT', '/sandboxes/fork', { json: { from: { sandbox: 'default' } } })
    await shop.call('PUT', '/sandboxes/still', { json: {} })
    await shop.post('/sandbox/clock/advance', { by: 'P1D' })
    await machine.pass(HOUR)
    const { body } = await shop.get<{ data: object[] }>('/sandboxes')
    expect(body.data).toMatchObject([
      { sandbox_id: 'default', now: '2027-01-02T01:00:00.000Z' },
      { sandbox_id: 'fork', now: '2027-01-01T01:00:00.000Z' },
      { sandbox_id: 'still', now: opening },
    ])
  })
})

describe('a running clock that is kept', () => {
  /** A folder, a machine, and a way to start on them again and again. */
  async function shopInFolder() {
    const folder = await temporaryFolder()
    const machine: MachineTime = machineAt('2026-11-20T12:00:00.000Z')
    const open = async () => {
      const store = await storeIn(folder.path)
      return openShop({ startsRunning: true }, 10, { store, time: machine.time })
    }
    return { folder, machine, open }
  }

  it('counts the time in which nothing ran', async () => {
    const { folder, machine, open } = await shopInFolder()
    const first = await open()
    await subscribe(first, 3)
    await machine.pass(HOUR)
    await first.post('/sandbox/clock/advance', { by: 'P1D' })
    await first.registry.close()
    await machine.pass(10 * DAY)
    const second = await open()
    expect(await clockOf(second)).toMatchObject({
      now: '2027-01-12T01:00:00.000Z',
      mode: 'running',
    })
    const ended = (await history(second)).find(({ type }) => type === 'subscription.trial_ended')
    expect(ended?.at).toBe('2027-01-04T00:00:00.000Z')
    await second.registry.close()
    await folder.remove()
  })

  it('writes nothing for time alone', async () => {
    const { folder, machine, open } = await shopInFolder()
    const shop = await open()
    await subscribe(shop, 14)
    const journal = () => readFile(`${folder.path}/sandboxes/default/journal-000001.ndjson`, 'utf8')
    const before = await journal()
    for (const path of ['/sandbox/clock', '/sandbox/state', '/sandbox/plans']) {
      await machine.pass(HOUR)
      await shop.get(path)
    }
    await shop.post('/sandbox/plans', { plan_id: 'basic' })
    expect(await journal()).toBe(before)
    await shop.registry.close()
    await folder.remove()
  })

  it('rewinds to a checkpoint exactly, and runs on from there', async () => {
    const { folder, machine, open } = await shopInFolder()
    const shop = await open()
    await subscribe(shop, 14)
    await machine.pass(HOUR)
    await shop.post('/sandbox/checkpoints', { name: 'early' })
    await machine.pass(30 * DAY)
    await shop.post('/sandbox/checkpoints/early/restore')
    expect(await clockOf(shop)).toMatchObject({ now: '2027-01-01T01:00:00.000Z', mode: 'running' })
    await machine.pass(HOUR)
    expect(await clockOf(shop)).toMatchObject({ now: '2027-01-01T02:00:00.000Z' })
    await shop.post('/sandbox/reset')
    expect(await clockOf(shop)).toMatchObject({ now: opening, mode: 'running' })
    await shop.registry.close()
    await folder.remove()
  })

  it('takes its mode along in a state document, but not where real time stood', async () => {
    const { shop, machine } = await running()
    await machine.pass(HOUR)
    const document = JSON.parse(await shop.state())
    const still = await openShop({}, 10, { time: machine.time })
    await machine.pass(10 * DAY)
    await still.call('PUT', '/sandbox/state', { json: document })
    expect(await clockOf(still)).toMatchObject({ now: '2027-01-01T01:00:00.000Z', mode: 'running' })
  })
})
