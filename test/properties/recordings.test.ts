/** Recordings: what a script of random calls leaves behind is what the calls left, byte by byte; a test counts requests anew. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Listener, listen } from '../../src/server/listen.ts'
import { chanceOf, seeded } from '../support/chance.ts'
import { openShop, type Shop } from '../support/control.ts'
import { callAtRandom } from '../support/random-calls.ts'
import {
  isMissing,
  type RecordingFormat,
  recordingFormats,
  runRecording,
} from '../support/recording-scripts.ts'

/** `RECORDED_CALLS=1000` for a long run. */
const CALLS = Number(process.env['RECORDED_CALLS'] ?? 200)

/** What `exec` sets: a script makes a sandbox of its own all the same. */
const ofExec = { SANDBOX_ID: 'default', SANDBOX_API_KEY: 'sk_sandbox_default' }

interface Served {
  readonly shop: Shop
  readonly server: Listener
}

async function serve(): Promise<Served> {
  const shop = await openShop()
  return { shop, server: await listen(shop.app, { host: '127.0.0.1', port: 0 }) }
}

async function get({ server }: Served, path: string, sandboxId: string): Promise<string> {
  const response = await fetch(server.url + path, { headers: { 'Sandbox-Id': sandboxId } })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`)
  return text
}

/** A state but for its sandbox, for what is random, which is the digests of tokens, and for request ids unless they count. */
function comparable(state: string, areIdsCompared: boolean): string {
  const { sandbox_id: id } = JSON.parse(state)
  const text = state.replaceAll(`"${id}"`, '"it"').replace(/[0-9a-f]{64}/g, 'digest')
  return areIdsCompared ? text : text.replace(/"req_\d+"/g, '"req"')
}

/** Runs the recording of a sandbox at a new server: both states, as they compare. */
async function replayed(was: Served, sandboxId: string, each: RecordingFormat) {
  const isShell = each.format === 'curl'
  const is = await serve()
  try {
    const before = await get(was, '/sandbox/state', sandboxId)
    const recording = await get(was, `/sandbox/recording?format=${each.format}`, sandboxId)
    const environment = { ...ofExec, SANDBOX_URL: is.server.url, RECORDING_SANDBOX_ID: 'replayed' }
    const ofTest = await runRecording(each, recording, environment)
    const after = ofTest ?? (await get(is, '/sandbox/state', 'replayed'))
    return { before: comparable(before, isShell), after: comparable(after, isShell) }
  } finally {
    await is.server.close()
  }
}

describe.each([
  { title: 'a sandbox of its own', sandboxId: 'recording', begin: [] },
  { title: 'the default sandbox', sandboxId: 'default', begin: [] },
  {
    title: 'a sandbox after a reset',
    sandboxId: 'again',
    begin: [
      { path: '/sandbox/clock/advance', body: { by: 'P3D' } },
      { path: '/sandbox/reset', body: { fixture: 'dunning' } },
    ],
  },
  {
    title: 'a sandbox with provider states',
    sandboxId: 'stated',
    begin: [
      { path: '/sandbox/clock/advance', body: { by: 'P3D' } },
      { path: '/sandbox/provider-states', body: { state: 'a subscription exists' } },
      { path: '/sandbox/provider-states', body: { state: 'a refresh token is fresh' } },
    ],
  },
])(`a recording of ${CALLS} random calls to $title`, ({ sandboxId, begin }) => {
  let was: Served
  let seed = 0
  beforeAll(async () => {
    was = await serve()
    const body = { now: '2027-01-31T10:00:00.000Z', settings: { invalid_grant_status: 403 } }
    if (sandboxId !== 'default')
      await was.shop.call('PUT', `/sandboxes/${sandboxId}`, { json: body })
    for (const { path, body } of begin) {
      await was.shop.call('POST', path, { json: body, headers: { 'Sandbox-Id': sandboxId } })
    }
    await seeded(async (chosen) => {
      seed = chosen
      const chance = chanceOf(seed)
      const statuses = await callAtRandom({ url: was.server.url, sandboxId, chance }, CALLS)
      const good = statuses.filter((status) => status < 300)
      expect(good.length, 'calls that did something').toBeGreaterThan(CALLS / 4)
    })
  }, 60_000)
  afterAll(() => was.server.close())

  it.for(recordingFormats)('replays as $format', async (each, { skip }) => {
    skip(isMissing(each), `not run: the machine has no ${each.format}`)
    const { before, after } = await replayed(was, sandboxId, each).catch((error) => {
      throw new Error(`with SEED=${seed}: ${error.message}`)
    })
    expect(after, `SEED=${seed}`).toBe(before)
  })
})

describe('a recording with answers that faults damaged', () => {
  const sandboxId = 'damaged'
  const faults = [
    { effect: { cut: true } },
    { effect: { malformed: true } },
    { effect: { status: 200, body: 'no JSON', headers: { 'Content-Type': 'text/plain' } } },
  ]
  let was: Served
  beforeAll(async () => {
    was = await serve()
    await was.shop.call('PUT', `/sandboxes/${sandboxId}`, { json: {} })
    const headers = { 'Sandbox-Id': sandboxId }
    for (const fault of faults) {
      const made = await was.shop.call('POST', '/sandbox/faults', { json: fault, headers })
      expect(made.status).toBe(201)
      const key = { Authorization: `Bearer sk_sandbox_${sandboxId}` }
      const body = new URLSearchParams({ customer_id: 'cus_ada', plan: 'basic' })
      const order = { method: 'POST', headers: key, body }
      const answer = await fetch(`${was.server.url}/v1/subscriptions`, order)
      await answer.text().catch(() => undefined)
      await was.shop.call('POST', '/sandbox/customers', { json: { name: 'Zoe' }, headers })
    }
  })
  afterAll(() => was.server.close())

  it.for(recordingFormats)('replays as $format to its end', async (each, { skip }) => {
    skip(isMissing(each), `not run: the machine has no ${each.format}`)
    const { before, after } = await replayed(was, sandboxId, each)
    expect(after).toBe(before)
  })
})

it.each(['default', 'refusing'])(
  'a script of sandbox %s gives request ids as they were, whichever sandbox answered a refused key or token',
  async (sandboxId) => {
    const was = await serve()
    if (sandboxId !== 'default') await was.shop.call('PUT', `/sandboxes/${sandboxId}`, { json: {} })
    const headers = { 'Sandbox-Id': sandboxId }
    const { body } = await was.shop.call<{ access_token: string }>('POST', '/sandbox/tokens', {
      ...{ json: {}, headers },
    })
    await was.shop.call('POST', '/sandbox/clock/advance', { json: { by: 'P1D' }, headers })
    const own = [`sk_sandbox_${sandboxId}_gone`, `at_${sandboxId}_${'x'.repeat(43)}`]
    const order = { customer_id: 'cus_ada', plan: 'basic' }
    const calls = ['/v1/subscriptions', '/v1/subscriptions/sub_1/none', '/sandbox/customers']
    for (const credential of [body.access_token, ...own, 'sk_sandbox_nobody']) {
      for (const path of calls) {
        const sent = { json: {}, headers: { Authorization: `Bearer ${credential}` } }
        expect((await was.shop.call('POST', path, sent)).status).toBeGreaterThan(399)
        // Its events name its request.
        await was.shop.call('POST', '/sandbox/subscriptions', { json: order, headers })
      }
    }
    const { before, after } = await replayed(was, sandboxId, recordingFormats[0] as RecordingFormat)
    expect(after).toBe(before)
    await was.server.close()
  },
)
