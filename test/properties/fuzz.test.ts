/**
 * Whatever is sent to whatever operation: it is answered, never with 5xx, as its document says, and a refusal changes no
 * byte of the state. `FUZZ_REQUESTS` says how many requests are sent, and `FUZZ_SEED` repeats a run.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sampleData } from '../../src/server/sample-data.ts'
import { type Answer, checked, openShop, type Shop } from '../support/control.ts'
import {
  Answers,
  anyRequest,
  type DrawnRequest,
  type FilledRequest,
  filled,
  fuzzed,
} from '../support/fuzz-requests.ts'
import { machineAt } from '../support/machine-time.ts'
import { ids } from '../support/requests.ts'

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 1500)
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)

/** How many requests one sandbox gets, each of which may build on those before. */
const IN_A_ROW = 50
const ANSWERED_MS_MAX = 30_000
/** What an advance by many years may leave; to read it after each request would take most of the time. */
const STATE_MAX_BYTES = 1_000_000

/** How often each operation was answered with success, and with a refusal. */
type Tally = Map<string, { succeeded: number; refused: number }>

it(
  `every request is answered as documented, and a refused one changes nothing (seed ${SEED})`,
  async () => {
    const tally: Tally = new Map(
      fuzzed.map(({ operationId }) => [operationId, { succeeded: 0, refused: 0 }]),
    )
    const requests = fc.array(anyRequest(), {
      minLength: IN_A_ROW,
      maxLength: IN_A_ROW,
      size: 'max',
    })
    const fixture = fc.constantFrom('starter', 'dunning', 'calendar-hazards')
    const property = fc.asyncProperty(fixture, requests, async (name, drawn) => {
      await sendAll(drawn, { fixture: name, tally })
    })
    await fc.assert(property, { numRuns: Math.ceil(REQUESTS / IN_A_ROW), seed: SEED })
    const rows = [...tally.values()]
    const sum = (kind: 'succeeded' | 'refused') => rows.reduce((all, row) => all + row[kind], 0)
    process.stdout.write(
      `fuzz, seed ${SEED}: ${sum('succeeded')} succeeded, ${sum('refused')} refused\n`,
    )
    const never = (kind: 'succeeded' | 'refused') =>
      [...tally].filter(([, row]) => row[kind] === 0).map(([operationId]) => operationId)
    if (process.env['FUZZ_REQUESTS']) {
      process.stdout.write(`never succeeded: ${never('succeeded').join(', ')}\n`)
    }
    // Random requests that are all refused, or all taken, would show nothing.
    expect(sum('succeeded')).toBeGreaterThan(REQUESTS / 5)
    expect(sum('refused')).toBeGreaterThan(REQUESTS / 5)
    expect(never('succeeded').length).toBeLessThan(fuzzed.length / 3)
  },
  120_000 + REQUESTS * 100,
)

async function sendAll(
  drawn: readonly DrawnRequest[],
  { fixture, tally }: { readonly fixture: string; readonly tally: Tally },
): Promise<void> {
  // Real time stands still: a running clock would change the state by itself.
  const shop = await openShop({ fixture }, 10, { time: machineAt('2027-01-15T00:00:00Z').time })
  const answers = new Answers({ ...ids, subscription_id: 'sub_000001' })
  const sent: string[] = []
  try {
    await publishPacts(shop)
    let before = await stateOf(shop)
    for (const each of drawn) {
      const request = filled(each, answers)
      sent.push(lineOf(request))
      const answer = await send(shop, request)
      const after = await stateOf(shop)
      const how = answer.status < 400 ? 'succeeded' : 'refused'
      if (how === 'succeeded') answers.note(answer.body)
      answers.noteLocation(answer.headers.get('Location'))
      const row = tally.get(each.declared.operationId)
      if (row) row[how] += 1
      checkState(answer, request, { before, after })
      before = after
      if (after.length > STATE_MAX_BYTES) break
    }
    expect(shop.log).toEqual([])
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const last = sent.slice(-8).join('\n')
    throw new Error(`${why}\nThe last requests:\n${last}\n${shop.log.join('\n')}`, { cause: error })
  } finally {
    await shop.registry.close()
  }
}

/** Pacts come from files, which chance does not write. */
async function publishPacts(shop: Shop): Promise<void> {
  for (const step of sampleData) {
    if ('makes' in step || !step.path.startsWith('/sandbox/broker')) continue
    await shop.call(step.method, step.path, step.body === undefined ? {} : { json: step.body })
  }
}

/** Unchecked, as it is asked for after every request; now and then one of them asks for it, too. */
async function stateOf({ app }: Shop): Promise<string> {
  return (await app.request('/sandbox/state')).text()
}

/** A refusal changes nothing, and a read neither. */
function checkState(
  { status, body }: Answer<unknown>,
  { method }: FilledRequest,
  { before, after }: { readonly before: string; readonly after: string },
): void {
  if (status < 400 && method !== 'GET') return
  // A token that is used again revokes its family, by rule.
  const isReuse = (body as { error?: string } | null)?.error === 'invalid_grant'
  if (isReuse) expect(withoutTokens(after)).toEqual(withoutTokens(before))
  else expect(after, `the state after ${status} to ${method}`).toBe(before)
}

/** Sends a request and reads its answer, of a stream no more than that it begins. */
async function send(shop: Shop, { method, path, init }: FilledRequest): Promise<Answer<unknown>> {
  const response = await inTime(Promise.resolve(shop.app.request(path, init)))
  expect(response.status).toBeLessThan(500)
  if (!response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
    return inTime(checked(method, path, response))
  }
  await response.body?.cancel()
  return { status: response.status, headers: response.headers, text: '', body: null }
}

async function inTime<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It is not answered.')), ANSWERED_MS_MAX)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function withoutTokens(state: string): object {
  const { token_families, events, sequences, ...others } = JSON.parse(state)
  return others
}

function lineOf({ method, path, init }: FilledRequest): string {
  const { headers, body } = init
  const shown = typeof body === 'string' ? body : body && Buffer.from(body as Uint8Array).toString()
  return `${method} ${path} ${JSON.stringify(headers)} ${shown?.slice(0, 600) ?? ''}`
}
