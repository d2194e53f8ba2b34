import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { instantAt, millisOf } from '../../src/time/instant.ts'
import { PATIENCE_MS } from '../../vitest.config.ts'
import { instant } from '../support/catalog.ts'
import { call } from '../support/crash-call.ts'
import { temporaryFolder } from '../support/folders.ts'
import { hasDisksOfItsOwn, runBeside, type Served, serve, serveOnDisk } from '../support/process.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let sandbox: Served

beforeEach(async () => {
  folder = await temporaryFolder()
})

afterEach(async () => {
  await sandbox.stop()
  await folder.remove()
})

interface Subscription {
  readonly status: string
  readonly trial_end: string
  readonly current_period_start: string
}

const get = <Body = unknown>(path: string) => call<Body>(sandbox, `GET ${path}`)
const post = <Body = unknown>(path: string, body: object) =>
  call<Body>(sandbox, `POST ${path}`, { body })

/** A trial that ends so many milliseconds from now; answers when, in virtual time. */
async function trialEndingIn(millis: number): Promise<string> {
  const order = { customer_id: 'cus_ada', plan: 'basic', trial_period_days: 1 }
  const { trial_end } = await post<Subscription>('/sandbox/subscriptions', order)
  const to = instantAt(millisOf(instant(trial_end)) - millis)
  await post('/sandbox/clock/advance', { to })
  return trial_end
}

/** Follows the events, asking nothing else; answers when in virtual time the trial ended. */
async function toldOfTrialEnd(): Promise<string> {
  const hangUp = new AbortController()
  const response = await fetch(`${sandbox.url}/sandbox/events/stream`, {
    headers: { 'Last-Event-ID': '0' },
    signal: AbortSignal.any([hangUp.signal, AbortSignal.timeout(PATIENCE_MS)]),
  })
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const event = /\{[^\n]*"subscription\.trial_ended"[^\n]*\}(?=\n)/.exec(text)?.[0]
    if (event === undefined) continue
    hangUp.abort()
    return (JSON.parse(event) as { at: string }).at
  }
  throw new Error(`The stream ended: ${text}`)
}

it('settles by itself when its time comes', async () => {
  sandbox = await serve('--data', folder.path, '--running')
  const endsAt = await trialEndingIn(300)
  expect(await toldOfTrialEnd()).toBe(endsAt)
})

it('settles what fell due while the process slept, at its own instant', async () => {
  sandbox = await serve('--data', folder.path, '--running')
  const endsAt = await trialEndingIn(500)
  sandbox.child.kill('SIGSTOP')
  await pause(1500)
  sandbox.child.kill('SIGCONT')
  expect(await toldOfTrialEnd()).toBe(endsAt)
})

it('settles after a kill what fell due while nothing ran, at its own instant', async () => {
  sandbox = await serve('--data', folder.path, '--running')
  const endsAt = await trialEndingIn(200)
  sandbox.child.kill('SIGKILL')
  await sandbox.ended
  await pause(300)
  sandbox = await serve('--data', folder.path)
  expect(await toldOfTrialEnd()).toBe(endsAt)
  const clock = await get<{ mode: string }>('/sandbox/clock')
  expect(clock.mode).toBe('running')
})

it('begins at the real now where that is asked for', async () => {
  const before = Date.now()
  sandbox = await serve('--data', 'memory', '--running', '--clock-start', 'now')
  const { now } = await get<{ now: string }>('/sandbox/clock')
  expect(Date.parse(now)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(now)).toBeLessThanOrEqual(Date.now())
})

it('has the clock of a folder run that was left frozen', async () => {
  sandbox = await serve('--data', folder.path)
  expect(await get('/sandbox/clock')).toMatchObject({ mode: 'frozen' })
  await sandbox.stop()
  sandbox = await serve('--data', folder.path, '--running')
  expect(await get('/sandbox/clock')).toMatchObject({ mode: 'running' })
})

/** Longer than a machine with other work takes to fill a disk. */
const FULL_AFTER_MS = 8000

describe.runIf(hasDisksOfItsOwn())('on a full disk', () => {
  /** Uses up what is left of the last block of the journal. */
  async function untilRefused(): Promise<void> {
    const name = 'filler'.padEnd(200, '.')
    for (;;) {
      const made = await post('/sandbox/customers', { name }).catch((error: Error) => error.message)
      if (typeof made !== 'string') continue
      expect(made).toContain('storage_unavailable')
      return
    }
  }

  it('waits for space, answers from what is kept, and then settles at the due instant', async () => {
    sandbox = await serveOnDisk(folder.path, 2048, '--running')
    const endsAt = await trialEndingIn(FULL_AFTER_MS)
    const isDue = pause(FULL_AFTER_MS)
    await runBeside(sandbox, `dd if=/dev/zero of="${folder.path}/filler" bs=4k 2>/dev/null; true`)
    await untilRefused()
    await isDue
    const path = '/sandbox/subscriptions/sub_000001'
    expect(await get<Subscription>(path)).toMatchObject({ status: 'trialing' })
    await runBeside(sandbox, `rm "${folder.path}/filler"`)
    expect(await toldOfTrialEnd()).toBe(endsAt)
    const then = await get<Subscription>(path)
    expect(then).toMatchObject({ status: 'active', current_period_start: endsAt })
  })
})
