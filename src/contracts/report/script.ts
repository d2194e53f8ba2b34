/** The commands that reproduce an interaction: its states, then its request as it was sent. */
import { isSecretName } from '../../masking/looks.ts'
import type { GivenState, PactInteraction } from '../pacts/pact-file.ts'
import { curlOf, type PactRequest, quoteForShell } from '../pacts/pact-request.ts'
import { type Exchange, headerIn, type Key } from '../replay/exchange-recorder.ts'
import type { Verified } from '../replay/verify.ts'

/** Where and how a failure is reproduced. */
export interface Reproduction {
  readonly url: string
  /** Where states are set up; null for nowhere. */
  readonly states: string | null
  /** Commands before the states. */
  readonly before: readonly string[]
  readonly stateHeaders: Readonly<Record<string, string>>
  /** Headers of every request that are not in the pact. */
  readonly headers: Readonly<Record<string, string>>
  /** Headers whose values are secret: the script reads them from shell variables. */
  readonly secretHeaders: readonly string[]
  /** The keys to replace, and the keys to send in their place. */
  readonly keys: readonly Key[]
}

/** The commands, one a line. */
export function scriptFor(
  interaction: PactInteraction,
  live: Pick<Verified, 'exchanges' | 'values'>,
  reproduction: Reproduction,
): string {
  const { before, states, url } = reproduction
  const request = sentRequest(interaction.request, live.exchanges[0], reproduction)
  const plain = curlOf(request, url.replace(/\/$/, ''), headerWriter(reproduction))
  const own = JSON.stringify(interaction.request)
  const made = Object.keys(live.values).filter((name) => {
    const value = String(live.values[name])
    const isSent = value !== '' && plain.includes(value) && !own.includes(value)
    return isSent && isSecretName(name)
  })
  // Quotes end around a variable, so that the shell puts its value in.
  const curl = made.reduce(
    (text, name) => text.replaceAll(String(live.values[name]), `'"$${variableOf(name)}"'`),
    plain,
  )
  const setups = states === null ? [] : setupLines(interaction.states, reproduction, made)
  return [...before, ...setups, curl].join('\n')
}

function setupLines(
  given: readonly GivenState[],
  reproduction: Reproduction,
  made: readonly string[],
): string[] {
  const asked = given.length === 0 ? [{ name: '', params: {} }] : given
  const headers = { 'Content-Type': 'application/json', ...reproduction.stateHeaders }
  const words = Object.entries(headers).map(headerWriter(reproduction))
  const sent = words.map((word) => `-H ${word}`).join(' ')
  return asked.flatMap(({ name, params }, at) => {
    const body = JSON.stringify({ action: 'setup', state: name, params })
    const url = quoteForShell(reproduction.states ?? '')
    const curl = `curl -s -X POST ${url} ${sent} --data-raw ${quoteForShell(body)}`
    if (made.length === 0 || at < asked.length - 1) return [curl]
    const values = made.map((token) => {
      const find = String.raw`s/.*"${token.replaceAll(/\W/g, '.')}": *"\([^"]*\)".*/\1/p`
      return `${variableOf(token)}=$(printf '%s' "$VALUES" | sed -n ${quoteForShell(find)})`
    })
    return [`VALUES=$(${curl})`, ...values]
  })
}

/** The request of the pact with the values that were sent: values of states, and the key of the run. */
function sentRequest(
  request: PactRequest,
  sent: Exchange | undefined,
  { headers, keys }: Reproduction,
): PactRequest {
  const target = sent?.target.split(/\?(.*)/s) ?? [request.path, request.query]
  const [path = '', query = ''] = target
  const set = Object.keys(headers).map((name) => name.toLowerCase())
  const names = new Set(request.headers.map(([name]) => name))
  const own = [...names]
    .filter((name) => !set.includes(name.toLowerCase()))
    .map((name): [string, string] => {
      // All values of it are one text.
      const real = (sent && headerIn(sent.headers, name)) ?? headerIn(request.headers, name) ?? ''
      return [name, keys.reduce((text, key) => text.replace(key.written, key.sent), real)]
    })
  const body = sent === undefined || request.body === null ? request.body : sent.body
  return { ...request, path, query, headers: [...own, ...Object.entries(headers)], body }
}

/** Writes headers in quotes for the shell; secret values are those of its variables. */
function headerWriter({ secretHeaders }: Reproduction) {
  return ([name, value]: readonly [string, string]) =>
    secretHeaders.includes(name) ? asVariable(name) : quoteForShell(`${name}: ${value}`)
}

/** A header, in quotes for the shell, with its value from a shell variable. */
export function asVariable(name: string): string {
  return `"${name}: $${variableOf(name)}"`
}

function variableOf(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
}
