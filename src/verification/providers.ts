/** The providers that pacts are verified against: a new sandbox in memory or on a server, or the real service. */
import * as z from 'zod'
import type { Settings } from '../assumptions/register.ts'
import { CannotVerify, reasonOf } from '../contracts/common/failure.ts'
import { reasonIn } from '../contracts/common/json.ts'
import type { ProviderReport } from '../contracts/common/report-shape.ts'
import type { Key, RequestEdits } from '../contracts/replay/exchange-recorder.ts'
import type { VariedProvider } from '../contracts/replay/other-answers.ts'
import { asVariable, type Reproduction } from '../contracts/report/script.ts'
import { CONTROL_TOKEN_HEADER, tokenHeader } from '../headers.ts'
import { conventionalFixture } from '../server/fixture-choice.ts'
import { start } from '../server/start.ts'

/** Where `serve` listens by default. Curl commands name it, because the sandbox of the run is gone by then. */
export const SERVED_AT = 'http://127.0.0.1:4010'
const STATES_PATH = '/sandbox/provider-states'
/** The key that pacts are written with. */
const WRITTEN_KEY = 'sk_sandbox_default'
/** The sandbox that scripts create, so that pasting one touches no other. */
const SCRIPT_SANDBOX = 'reproduce'
const TIMEOUT_MS = 10_000

const Sandbox = z.object({ sandbox_id: z.string(), api_key: z.string() })

export interface Provider {
  readonly url: string
  /** Where states are set up; null for nowhere. */
  readonly states: string | null
  readonly stateHeaders: Readonly<Record<string, string>>
  readonly edits: RequestEdits
  /** Sends a request without a socket, where the provider is in this process. */
  readonly send?: VariedProvider['send']
  /** How a failure is reproduced by hand. */
  readonly reproduction: Reproduction
  readonly close: () => Promise<void>
}

/** Opens a provider for each file. */
export interface ProviderSource {
  /** A sandbox in memory uses the alternatives of `vary`. */
  readonly open: (vary?: Settings['vary']) => Promise<Provider>
  /** Its part of the report. */
  readonly shown: ProviderReport
  readonly notes: readonly string[]
}

/** A provider that listens already, as the command line names it. */
interface RemoteOptions {
  readonly url: string
  /** An address, `none`, or null if absent. */
  readonly states: string | null
  readonly header?: readonly (readonly [name: string, value: string])[] | undefined
  /** A sandbox of that server to use as it is; null for a new one. */
  readonly sandbox?: string | null
  /** The control token of the server; null for none. */
  readonly controlToken?: string | null
}

/** A fresh sandbox in memory each time, with the fixture of the working folder, as `serve` has it, else `starter`. */
export async function ownSandbox(option: RemoteOptions['states']): Promise<ProviderSource> {
  const fixture = await conventionalFixture()
  const named = await namedStates(option)
  const statesOn = (url: string) => (option === null ? `${url}${STATES_PATH}` : named)
  const reproduction = again({ url: SERVED_AT, states: statesOn(SERVED_AT) })
  const open = async (vary: Settings['vary'] = []) => {
    const { url, close, answer: send } = await start({ fixture, settings: { vary } })
    const edits = { headers: {}, key: null }
    return { url, states: statesOn(url), stateHeaders: {}, edits, send, reproduction, close }
  }
  return { open, shown: { url: null, states: statesOn('') }, notes: [] }
}

/**
 * A provider that listens. On a server of sandboxes, each file gets a new sandbox, which is deleted after it.
 * Rejects with `CannotVerify` when it cannot be reached.
 */
export async function remoteProvider(options: RemoteOptions): Promise<ProviderSource> {
  const { sandbox = null, controlToken = null } = options
  const base = options.url.replace(/\/+$/, '')
  const headers = Object.fromEntries(options.header ?? [])
  const control = { base, headers: tokenHeader(controlToken) }
  const { states, notes, hasSandboxes } = await statesOf(control, options.states)
  const shown = { url: base, states }
  const toStates = headersFor(states, control)
  if (hasSandboxes) {
    const open = async () => {
      const { id, key, close } = await sandboxOn(control, sandbox)
      const own = { 'Sandbox-Id': id }
      const keys = [{ written: key, sent: WRITTEN_KEY }]
      return {
        ...shown,
        stateHeaders: { ...own, ...toStates },
        edits: { headers: { ...headers, ...own }, key: { written: WRITTEN_KEY, sent: key } },
        reproduction: again(shown, { keys, headers, control: control.headers }),
        close,
      }
    }
    return { open, shown, notes }
  }
  if (sandbox !== null)
    throw new CannotVerify(`${base} has no sandboxes for the option sandbox to name.`)
  const secretHeaders = Object.keys({ ...headers, ...control.headers })
  const none = { ...shown, stateHeaders: toStates }
  const open = async () => ({
    ...none,
    edits: { headers, key: null },
    reproduction: { ...none, before: [], headers, secretHeaders, keys: [] },
    close: async () => undefined,
  })
  return { open, shown, notes }
}

type Headers = Readonly<Record<string, string>>

/** On a sandbox that the script creates, or that an earlier script has created. */
function again(
  { url, states }: Pick<Reproduction, 'url' | 'states'>,
  edits: { keys?: Key[]; headers?: Headers; control?: Headers } = {},
): Reproduction {
  const { keys = [], headers = {}, control = {} } = edits
  const sent = Object.keys(control).map((name) => ` -H ${asVariable(name)}`)
  const own = { 'Sandbox-Id': SCRIPT_SANDBOX }
  return {
    url,
    states,
    before: [`curl -s -o /dev/null -X PUT '${url}/sandboxes/${SCRIPT_SANDBOX}'${sent.join('')}`],
    stateHeaders: { ...own, ...headersFor(states, { base: url, headers: control }) },
    headers: { ...headers, ...own },
    secretHeaders: [...Object.keys(headers), ...Object.keys(control)],
    keys: [...keys, { written: WRITTEN_KEY, sent: `sk_sandbox_${SCRIPT_SANDBOX}` }],
  }
}

/** The control plane of a server, and the headers that it asks for. */
interface ControlPlane {
  readonly base: string
  readonly headers: Headers
}

/** A sandbox on a server: the one that is named, or a new one, which `close` deletes. */
async function sandboxOn(control: ControlPlane, named: string | null) {
  const body = await (named === null
    ? callControl('POST', '/sandboxes', control)
    : callControl('GET', `/sandboxes/${encodeURIComponent(named)}`, control))
  const { sandbox_id: id, api_key: key } = Sandbox.parse(body)
  const close = async () => {
    if (named === null) await callControl('DELETE', `/sandboxes/${id}`, control)
  }
  return { id, key, close }
}

/** Calls the control plane of a server. Rejects with `CannotVerify` and the server's own words where it refuses. */
async function callControl(
  method: string,
  path: string,
  { base, headers }: ControlPlane,
): Promise<unknown> {
  const url = `${base}${path}`
  const answer = await fetchFrom(url, headers, method)
  const text = await answer.text()
  if (answer.ok) return text === '' ? null : JSON.parse(text)
  throw new CannotVerify(`${method} ${url} was answered ${answer.status}: ${reasonIn(text)}`)
}

async function statesOf(control: ControlPlane, option: RemoteOptions['states']) {
  const { base, headers } = control
  const url = `${base}${STATES_PATH}`
  const isThere = await isAnswered(url, headers)
  const hasSandboxes = isThere && (await servesSandboxes(control))
  if (option !== null)
    return { states: await namedStates(option, control), notes: [], hasSandboxes }
  if (isThere) return { states: url, notes: [], hasSandboxes }
  const own = `${base}/provider-states`
  const isOfSandbox = /\/sandboxes\/[^/]+$/.test(base) && (await isAnswered(own, headers))
  if (isOfSandbox) return { states: own, notes: [], hasSandboxes }
  const note = `${base} sets up no provider states, so every interaction meets it as it is; --states URL, or against.states in a test, names who does.`
  return { states: null, notes: [note], hasSandboxes }
}

/** The headers for an address of states: the control token goes to its own server alone. */
function headersFor(states: string | null, { base, headers }: ControlPlane): Headers {
  return states?.startsWith(`${base}/`) ? headers : {}
}

/** The address of states that `--states` names; null if it names none. Rejects if it cannot be reached. */
async function namedStates(option: RemoteOptions['states'], control?: ControlPlane) {
  if (option === null || option === 'none') return null
  await isAnswered(option, control ? headersFor(option, control) : {})
  return option
}

/** Others may answer JSON to whatever they are asked. */
async function servesSandboxes({ base, headers }: ControlPlane): Promise<boolean> {
  const answer = await fetchFrom(`${base}/sandboxes/default`, headers)
  const body: unknown = await answer.json().catch(() => null)
  return answer.ok && Sandbox.safeParse(body).success
}

/** Whether an address answers a request, as a sandbox does. Rejects where it needs a control token. */
async function isAnswered(url: string, headers: Headers): Promise<boolean> {
  const answer = await fetchFrom(url, headers)
  if (answer.status === 401 && (await answer.text()).includes(CONTROL_TOKEN_HEADER)) {
    throw new CannotVerify(
      `${url} asks for its control token: --control-token or SANDBOX_CONTROL_TOKEN, or against.controlToken in a test.`,
    )
  }
  if (!answer.bodyUsed) await answer.body?.cancel()
  return answer.ok && (answer.headers.get('content-type') ?? '').includes('json')
}

async function fetchFrom(url: string, headers: Headers, method = 'GET'): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  // No redirect is followed: it would take the control token elsewhere.
  return fetch(url, { method, headers, signal, redirect: 'manual' }).catch((error: unknown) => {
    throw new CannotVerify(`${new URL(url).origin} cannot be reached: ${reasonOf(error)}.`)
  })
}
