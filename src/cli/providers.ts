/** Who verifications are made against: a sandbox of their own in memory, or one that listens already. */
import type { Settings } from '../assumptions/register.ts'
import { CannotVerify, reasonOf } from '../contracts/failure.ts'
import type { ProviderReport } from '../contracts/report/report.ts'
import { startInMemory } from './in-memory.ts'

/** Where `serve` listens by default: requests are shown for it, as one's own sandbox is gone by then. */
const SERVED_AT = 'http://127.0.0.1:4010'
const STATES_PATH = '/sandbox/provider-states'
/** How long a provider may take to say whether it is there. */
const TIMEOUT_MS = 10_000

/** A provider that listens. */
export interface Provider {
  readonly url: string
  /** Where states are set up; null where nobody does. */
  readonly states: string | null
  readonly close: () => Promise<void>
}

/** A provider that can be asked for, once for each file. */
export interface Providing {
  /** One that varies what is named, where it is a sandbox of its own. */
  readonly open: (vary?: Settings['vary']) => Promise<Provider>
  /** What the report says of it. */
  readonly shown: ProviderReport
  /** Where requests are sent that are shown as curl. */
  readonly base: string
  readonly notes: readonly string[]
}

/** What `--states` says; null where it was not given. */
export type StatesOption = string | 'none' | null

/** A fresh sandbox in memory each time, with the fixture `starter`. */
export async function ownSandbox(option: StatesOption): Promise<Providing> {
  const first = await startInMemory()
  try {
    const { states, notes } = await statesOf(first.url, option)
    const path = states?.startsWith(first.url) ? STATES_PATH : null
    const open = async (vary?: Settings['vary']) => {
      const { url, close } = await startInMemory(vary)
      return { url, close, states: path === null ? states : `${url}${path}` }
    }
    return { open, shown: { url: null, states: path ?? states }, base: SERVED_AT, notes }
  } finally {
    await first.close()
  }
}

/** A provider that listens. Rejects with `CannotVerify` when it cannot be reached. */
export async function remote(url: string, option: StatesOption): Promise<Providing> {
  const base = url.replace(/\/+$/, '')
  const { states, notes } = await statesOf(base, option)
  const open = async () => ({ url: base, states, close: async () => undefined })
  return { open, shown: { url: base, states }, base, notes }
}

async function statesOf(base: string, option: StatesOption) {
  const url = `${base}${STATES_PATH}`
  const isThere = await answers(url)
  if (option === 'none') return { states: null, notes: [] }
  if (option !== null) {
    await answers(option)
    return { states: option, notes: [] }
  }
  if (isThere) return { states: url, notes: [] }
  const note = `${base} sets up no provider states, so every interaction meets it as it is; --states URL names who does.`
  return { states: null, notes: [note] }
}

/** Whether an address answers what it is asked for, as a sandbox does. */
async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    await answer.body?.cancel()
    return answer.ok && (answer.headers.get('content-type') ?? '').includes('json')
  } catch (error) {
    throw new CannotVerify(`${new URL(url).origin} cannot be reached: ${reasonOf(error)}.`)
  }
}
