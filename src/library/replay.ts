/**
 * Replaying calls of a recording, all or some, in sandboxes of one server. Owns which identifiers a replay has in place of
 * the recorded ones: where calls are left out, the sandbox counts on from fewer.
 */
import { tryParseJson } from '../wire/common/text.ts'
import type { Body, Parts, RecordedCall } from '../wire/sandbox/recording.ts'
import type { CreateOrder, Sandbox, Schemas } from './sandbox.ts'

/** The answer to a replayed call. `body` is JSON; undefined for an answer that is not. */
export interface ReplayedAnswer {
  readonly status: number
  readonly body: unknown
}

/** A sandbox after some calls of a recording. */
export interface Replay {
  readonly sandbox: Sandbox
  /** The answer to the last call; null before the first. */
  readonly last: ReplayedAnswer | null
  readonly ids: ReadonlyMap<string, string>
  readonly variables: Readonly<Record<string, string>>
}

/** A recording, and what is known of its identifiers. */
export interface Replayable {
  readonly origin: CreateOrder
  readonly calls: readonly RecordedCall[]
  /** The identifiers that calls of the recording counted. */
  readonly counted: ReadonlySet<string>
  /** The invoices that calls name, by their place among those of their subscription. */
  readonly invoices: ReadonlyMap<string, InvoicePlace>
}

interface InvoicePlace {
  readonly subscriptionId: string
  readonly index: number
}

/** An identifier that the sandbox counts. */
const countedId = /\b[a-z]+_\d{6,}\b/g

/** Reads a recording by replaying it once; `replayed` is its sandbox after all calls. */
export async function openRecording(
  server: Sandbox,
  recording: Pick<Replayable, 'origin' | 'calls'>,
): Promise<{ readonly recording: Replayable; readonly replayed: Replay }> {
  const calls = recording.calls.filter(({ note }) => !note?.endsWith('It is only counted.'))
  const counted = new Set(calls.flatMap(newIdsOf))
  const plain = { ...recording, calls, counted, invoices: new Map() }
  const replayed = await replayAll(server, plain)
  return closingUnless(replayed.sandbox, async () => {
    const invoices = await invoicesNamed(calls, replayed.sandbox)
    return { recording: { ...plain, invoices }, replayed }
  })
}

/** A new sandbox after all calls of a recording. */
export async function replayAll(server: Sandbox, recording: Replayable): Promise<Replay> {
  const start = await newReplay(server, recording)
  return closingUnless(start.sandbox, () => sendAll(recording, start, recording.calls))
}

/** Does what may fail, and then leaves no sandbox behind on a server that others use. */
async function closingUnless<Value>(sandbox: Sandbox, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

/** A new sandbox as the recording begins. */
export async function newReplay(server: Sandbox, { origin }: Pick<Replayable, 'origin'>) {
  const sandbox = await server.create(origin)
  const variables = { id: sandbox.id, key: sandbox.apiKey }
  return { sandbox, variables, last: null, ids: new Map() } satisfies Replay
}

/** A replay that goes on from where another one is, which stays as it is. Tokens do not work in it. */
export async function forkOf({ sandbox, ...replay }: Replay): Promise<Replay> {
  const fork = await sandbox.fork()
  const variables = { ...replay.variables, id: fork.id, key: fork.apiKey }
  return { ...replay, sandbox: fork, variables }
}

/** Sends calls, one after another. */
export async function sendAll(
  recording: Replayable,
  start: Replay,
  calls: readonly RecordedCall[],
): Promise<Replay> {
  let replay = start
  for (const call of calls) replay = await replayCall(recording, replay, call)
  return replay
}

async function replayCall(
  recording: Replayable,
  before: Replay,
  call: RecordedCall,
): Promise<Replay> {
  const { sandbox } = before
  const replay = { ...before, ids: await withInvoices(call, before, recording) }
  const ours = (text: string) => translateIds(text, replay.ids, recording)
  const { variables } = replay
  const answer = await sandbox.fetch(`${sandbox.url}${ours(textOf(call.target, variables))}`, {
    method: call.method,
    headers: call.headers.flatMap(([name, value]): [string, string][] =>
      // Which number a request has says nothing of what it does.
      /^sandbox-request-id$/i.test(name) ? [] : [[name, textOf(value, variables)]],
    ),
    ...(call.body && { body: bytesOf(call.body, variables, ours) }),
    redirect: 'manual',
  })
  const { status } = answer
  // Where a fault cuts an answer, there is no end of it to read.
  const text = await answer.text().catch(() => '')
  const body = tryParseJson(text)
  const kept = Object.entries(call.keeps ?? {}).map(([variable, field]) => [
    variable,
    String(Object(body)[field]),
  ])
  return {
    sandbox,
    last: { status, body },
    ids: new Map([...replay.ids, ...idPairs(call, body)]),
    variables: { ...variables, ...Object.fromEntries(kept) },
  }
}

/** The identifiers that a call counted: those in its answer that it does not name itself. */
function newIdsOf(call: RecordedCall): string[] {
  const named = new Set(idsIn(JSON.stringify([call.target, call.body])))
  const own = textsIn(call.answer).map(([, text]) => text)
  return own.filter((text) => idsIn(text)[0] === text && !named.has(text))
}

/** The texts of an answer with their fields, its own first: an envelope may be around the others. */
function textsIn(answer: unknown): [field: string, text: string][] {
  const own = Object.entries(Object(answer) as object)
  const inner = own.flatMap(([, value]) =>
    typeof value === 'object' ? Object.entries(value ?? {}) : [],
  )
  return [...own, ...inner].filter(([, value]) => typeof value === 'string')
}

/** What the recorded answer of a call counted, with what this answer counted in its place. */
function idPairs(call: RecordedCall, body: unknown): [string, string][] {
  const [recorded, replayed] = [textsIn(call.answer), textsIn(body)]
  return newIdsOf(call).flatMap((id): [string, string][] => {
    const [field] = recorded.find(([, text]) => text === id) ?? []
    const [, own] = replayed.find(([name]) => name === field) ?? []
    return own === undefined ? [] : [[id, own]]
  })
}

/** A text with our identifiers; one whose call was left out becomes one that does not exist. */
function translateIds(text: string, ids: Replay['ids'], { counted }: Replayable): string {
  return text.replace(countedId, (id) => ids.get(id) ?? (counted.has(id) ? `${id}_left_out` : id))
}

function idsIn(text: string): readonly string[] {
  return text.match(countedId) ?? []
}

/** The invoices that calls name, where they are after all of them. */
async function invoicesNamed(
  calls: readonly RecordedCall[],
  { invoices }: Sandbox,
): Promise<Replayable['invoices']> {
  const named = new Set(calls.flatMap(invoiceIdsIn))
  if (named.size === 0) return new Map()
  const made = new Map<string, number>()
  const places = (await invoices.list()).map(({ invoice_id: id, subscription_id }) => {
    const index = made.get(subscription_id) ?? 0
    made.set(subscription_id, index + 1)
    return [id, { subscriptionId: subscription_id, index }] as const
  })
  return new Map(places.filter(([id]) => named.has(id)))
}

function invoiceIdsIn({ target, body }: RecordedCall): readonly string[] {
  return idsIn(JSON.stringify([target, body])).filter((id) => id.startsWith('inv_'))
}

/** The identifiers of a replay, with those of the invoices that a call names. */
async function withInvoices(
  call: RecordedCall,
  { sandbox, ids }: Replay,
  { invoices }: Replayable,
): Promise<Map<string, string>> {
  const found = new Map(ids)
  for (const id of invoiceIdsIn(call)) {
    const place = invoices.get(id)
    if (place === undefined) continue
    const subscription_id = ids.get(place.subscriptionId) ?? place.subscriptionId
    const own: Schemas['Invoice'][] = await sandbox.invoices.list({ subscription_id })
    found.set(id, own[place.index]?.invoice_id ?? `${id}_left_out`)
  }
  return found
}

function textOf(parts: Parts, variables: Replay['variables']): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : (variables[part.variable] ?? '')))
    .join('')
}

function bytesOf(
  body: Body,
  variables: Replay['variables'],
  ours: (text: string) => string,
): Uint8Array<ArrayBuffer> {
  const pieces = body.map((part) => {
    if (typeof part === 'object' && 'base64' in part) return Buffer.from(part.base64, 'base64')
    return Buffer.from(ours(textOf([part], variables)))
  })
  return new Uint8Array(Buffer.concat(pieces))
}
