/** Replaying a recording: each time in a new sandbox in memory, without a server, whose clock goes where each exchange was. */
import type { Settings } from '../assumptions/register.ts'
import { isRefusal } from '../billing/refusal.ts'
import { jsonIn } from '../contracts/common/json.ts'
import type { Fixture } from '../sandbox/fixture-format.ts'
import { worldFromFixture } from '../sandbox/fixtures.ts'
import { Registry } from '../sandbox/registry.ts'
import { realTime } from '../sandbox/running-clock.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { createApp } from '../server/app.ts'
import { memoryStore } from '../store/memory-store.ts'
import type { Refusal } from '../world/refusal.ts'
import {
  type AnswerDifference,
  differencesIn,
  type Identities,
  identities,
  ownId,
} from './compare.ts'
import {
  isUnauthorized,
  type RecordedExchange,
  RecordingError,
  recordIn,
  type Traffic,
} from './recording.ts'

/** What came of one exchange in the sandbox. */
export interface Replayed {
  readonly answer: RecordedExchange['answer']
  readonly assumptions: readonly string[]
  readonly differences: readonly AnswerDifference[]
}

export type Replaying = Awaited<ReturnType<typeof openReplay>>

/** One replay: where it is played to, and what stands for what in it. */
interface Run {
  readonly sandbox: Sandbox
  readonly fetch: (request: Request) => Response | Promise<Response>
  readonly context: Context
  readonly identities: Identities
}

/** Opens the replay of a recording in a sandbox that begins again each time. */
export async function openReplay(
  { source, exchanges }: Pick<Traffic, 'source' | 'exchanges'>,
  fixture: Fixture,
) {
  const startAt = exchanges[0]?.at ?? null
  const report = (defect: unknown) => {
    throw defect instanceof Error ? defect : new Error(String(defect))
  }
  const fixtures = new Map([[NAME, fixture]])
  const order = { startsRunning: false, from: null, now: startAt, settings: {}, fixture: NAME }
  const parts = { store: memoryStore(), fixtures, sandboxesMax: 1, time: realTime, report }
  const registry = await Registry.open(parts, order)
  assertMade(registry, source)
  const { default: sandbox } = registry
  const app = createApp(registry, report)
  const played = { sandbox, fetch: app.fetch, context: contextOf(exchanges) }
  const requestId = () => sandbox.nextRequestId('write')
  return {
    /** Replays from the beginning, as far as `goesOn` says. */
    replay: async (
      settings: Partial<Settings>,
      goesOn = (_replayed: Replayed, _index: number) => true,
    ): Promise<readonly Replayed[]> => {
      const made = { startsRunning: false, sandboxId: sandbox.id, name: NAME, startAt, settings }
      const world = () => worldFromFixture(fixture, made)
      const reset = { as: 'reset', requestId, answer: () => null } as const
      assertMade(await sandbox.replace(world, reset), source)
      const run = { ...played, identities: identities() }
      for (const key of run.context.apiKeys) run.identities.pair(key, sandbox.apiKey)
      const answers: Replayed[] = []
      for (const [index, exchange] of exchanges.entries()) {
        const replayed = await replayOne(exchange, run)
        answers.push(replayed)
        if (!goesOn(replayed, index)) break
      }
      return answers
    },
    close: () => registry.close(),
  }
}

const BASE = 'http://localhost'

/** The fixture of a replay. */
const NAME = 'recorded'

/** Throws where the sandbox refused what a replay needs. */
function assertMade<Value>(
  made: Value | Refusal,
  what: string,
): asserts made is Exclude<Value, Refusal> {
  if (!isRefusal(made)) return
  throw new RecordingError(`${what} cannot be replayed: ${(made as Refusal).message}`)
}

/** What is known of a recording before it is replayed. */
interface Context {
  /** The words for credentials that opened a subscription call, and no token. */
  readonly apiKeys: ReadonlySet<string>
  /** Logins before the recording, by the first exchange that has a token of them. */
  readonly logins: ReadonlyMap<number, Login>
  /** The segments of all paths, which a created subscription is then called by. */
  readonly segments: ReadonlySet<string>
}

interface Login {
  readonly token: string
  /** Whether the service took the token for expired or revoked. */
  readonly isEnded: boolean
  /** A token that had been exchanged for it before. */
  older?: string
}

function contextOf(exchanges: readonly RecordedExchange[]): Context {
  const tokens = new Set<unknown>()
  const apiKeys = new Set<string>()
  const denied = exchanges.filter(({ answer }) => isUnauthorized(answer))
  const refused = new Set(denied.map(({ headers }) => credentialIn(headers)))
  for (const { path, headers, answer } of exchanges) {
    const { access_token: access, refresh_token: refresh } = Object(jsonIn(answer.body))
    tokens.add(access).add(refresh)
    const credential = credentialIn(headers)
    // Other refusals may come before anyone looks at the credential.
    const isOpened = answer.status < 300 || !refused.has(credential)
    if (isOpened && !isRefresh(path) && !tokens.has(credential)) apiKeys.add(credential)
  }
  const segments = exchanges.flatMap(({ path }) => path.split(/[/?]/).slice(3))
  return { apiKeys, logins: findLogins(exchanges), segments: new Set(segments) }
}

function findLogins(exchanges: readonly RecordedExchange[]): Context['logins'] {
  /** The login of each token that was sent or given so far. */
  const known = new Map<string | null, Login | undefined>()
  const logins = new Map<number, Login>()
  for (const exchange of exchanges) {
    const { number, answer } = exchange
    const [sent, isEnded] = [refreshTokenIn(exchange), hasEnded(exchange)]
    if (sent !== null && !known.has(sent) && (answer.status < 300 || isEnded)) {
      // A login whose token is refused next ended by the use of an older one: this.
      const next = exchanges.slice(number).find((each) => known.has(refreshTokenIn(each)))
      const own = isEnded && next && hasEnded(next) ? known.get(refreshTokenIn(next)) : undefined
      const login: Login = { token: sent, isEnded }
      if (own === undefined || own.isEnded || own.older !== undefined) logins.set(number, login)
      else own.older = sent
      known.set(sent, login)
    }
    const { refresh_token: given } = Object(jsonIn(answer.body))
    if (typeof given === 'string') known.set(given, known.get(sent))
  }
  return logins
}

/** Null where it is no refresh. */
function refreshTokenIn({ path, body, headers }: RecordedExchange): string | null {
  const { refresh_token: sent = credentialIn(headers) } = Object(jsonIn(body))
  return isRefresh(path) ? String(sent) : null
}

/** Whether the service took the token of an exchange for expired or revoked. */
function hasEnded({ answer: { status, body } }: RecordedExchange): boolean {
  return status >= 300 && /invalid.?grant/i.test(body)
}

/** What a replay takes for granted of tokens that no answer gave, in words. */
export function inferredLogins(exchanges: readonly RecordedExchange[]): string[] {
  return [...findLogins(exchanges)].map(([number, { token, isEnded, older }]) => {
    const what = isEnded ? 'had ended' : 'was new'
    const before = older === undefined ? '' : `; ${older} had been exchanged for it`
    return `the login of refresh token ${token} ${what} at exchange ${number}, the first that has it${before}`
  })
}

function isRefresh(path: string): boolean {
  return path.startsWith('/v1/auth/refresh')
}

function credentialIn(headers: RecordedExchange['headers']): string {
  return (headers['authorization'] ?? '').replace(/^\S+ +/, '')
}

async function replayOne(exchange: RecordedExchange, run: Run): Promise<Replayed> {
  const { sandbox, fetch, identities: known } = run
  await moveTo(exchange, sandbox)
  await logIn(exchange, run)
  const response = await fetch(requestOf(exchange, known))
  const headers = Object.fromEntries(response.headers)
  const answer = { status: response.status, headers, body: await response.text() }
  matchSubscriptions(exchange, answer, run)
  const now = { sandbox: sandbox.now(), service: exchange.at }
  return {
    answer,
    assumptions: headers['sandbox-assumptions']?.split(', ') ?? [],
    differences: differencesIn(answer, exchange.answer, { identities: known, now }),
  }
}

async function moveTo({ at, place }: RecordedExchange, sandbox: Sandbox): Promise<void> {
  if (at <= sandbox.now()) return
  const requestId = () => sandbox.nextRequestId('write')
  assertMade(await sandbox.clock.advance({ to: at, field: 'to' }, requestId), place)
}

/** What no answer of the recording gave was given before it: by a login, which may have ended. */
async function logIn({ number }: RecordedExchange, run: Run): Promise<void> {
  const login = run.context.logins.get(number)
  if (login === undefined) return
  const post = async (path: string, body: object, authorization = '') => {
    const headers = { 'Content-Type': 'application/json', ...(authorization && { authorization }) }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    return Object(await (await run.fetch(new Request(`${BASE}${path}`, request))).json())
  }
  const { refresh_token: first, family_id } = await post('/sandbox/tokens', {})
  const exchanged = () => post('/v1/auth/refresh', { refresh_token: first }, `Bearer ${first}`)
  const { refresh_token: token } = login.older ? await exchanged() : { refresh_token: first }
  if (login.older) run.identities.pair(login.older, first)
  run.identities.pair(login.token, token)
  if (login.isEnded) await post('/sandbox/tokens/revoke', { family_id })
}

function requestOf(exchange: RecordedExchange, { translated }: Identities): Request {
  const { method, path, body } = exchange
  const headers = Object.entries(exchange.headers)
    .filter(([name]) => /^(authorization|content-type|accept)$/.test(name))
    .map(([name, value]): [string, string] => [name, translated(value)])
  const hasBody = body !== '' && method !== 'GET' && method !== 'HEAD'
  return new Request(`${BASE}${translated(path)}`, {
    ...{ method, headers },
    // Where a token is; another body may have a number that is an identifier elsewhere.
    ...(hasBody && { body: isRefresh(path) ? translated(body) : body }),
  })
}

/** Has the subscriptions that both made stand for each other. */
function matchSubscriptions(
  { path, answer }: RecordedExchange,
  ours: RecordedExchange['answer'],
  { context, identities: known }: Run,
): void {
  if (!/^\/v1\/subscriptions\/?$/.test(path) || answer.status >= 300 || ours.status >= 300) return
  const id = textIn(ours.body, (value) => ownId.test(value))
  const theirs = textIn(answer.body, (value) => context.segments.has(value))
  if (theirs !== undefined && id !== undefined) known.pair(theirs, id)
}

/** The first text of a record that is so, beside those that a request names. */
function textIn(body: string, isSo: (value: string) => boolean): string | undefined {
  const { customer_id, plan, trial_period_days, ...others } = recordIn(body)
  return Object.values(others).map(String).find(isSo)
}
