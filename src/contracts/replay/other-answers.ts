/**
 * Which interactions of a verified pact another provider answers differently. For the others the core has the same result,
 * after a much longer time.
 */
import { isDeepStrictEqual } from 'node:util'
import { jsonIn } from '../common/json.ts'
import type { PactFile, PactInteraction } from '../pacts/pact-file.ts'
import type { Exchange, ProviderAnswer } from './exchange-recorder.ts'
import type { Verified } from './verify.ts'

export interface VariedProvider {
  readonly url: string
  /** Where states are set up; null for nowhere. */
  readonly states: string | null
  /** Sends a request, unless `fetch` does. */
  readonly send?: ((request: Request) => Response | Promise<Response>) | undefined
}

/** The positions of the interactions whose states or requests are answered differently from `base`. */
export async function otherAnswers(
  { interactions }: PactFile,
  base: readonly Verified[],
  provider: VariedProvider,
): Promise<readonly number[]> {
  const positions: number[] = []
  for (const [position, interaction] of interactions.entries()) {
    const [exchange, ...more] = base[position]?.exchanges ?? []
    // The core had no answer, or followed a redirect. States of several interactions add up until a request is sent.
    if (exchange === undefined || more.length > 0) return [...interactions.keys()]
    const values = await valuesOf(interaction, provider)
    const answer = await answerTo(exchange, provider)
    const isSame =
      isDeepStrictEqual(values, base[position]?.values) &&
      isDeepStrictEqual(answer, comparableAnswer(exchange.answer))
    if (!isSame) positions.push(position)
  }
  return positions
}

/** What setting up the states answers; requests may have values of it. Null if one fails. */
async function valuesOf(
  { states }: PactInteraction,
  { states: setups, send = fetch }: VariedProvider,
): Promise<object | null> {
  if (setups === null) return {}
  const values = {}
  for (const { name, params } of states.length === 0 ? [{ name: '', params: {} }] : states) {
    const setup = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ state: name, params, action: 'setup' }),
    }
    const answer = await send(new Request(setups, setup))
    const text = await answer.text()
    if (!answer.ok) return null
    Object.assign(values, jsonIn(text))
  }
  return values
}

/** The answer to a recorded request. */
async function answerTo(
  { method, target, headers, body }: Exchange,
  { url, send = fetch }: VariedProvider,
) {
  const own = headers.filter(([name]) => !/^(?:host|content-length|connection)$/i.test(name))
  const request = new Request(`${url}${target}`, {
    method,
    headers: own.map(([name, value]): [string, string] => [name, value]),
    ...(body !== '' && { body }),
    redirect: 'manual',
  })
  const answer = await send(request)
  return comparableAnswer({
    status: answer.status,
    headers: [...answer.headers],
    body: await answer.text(),
  })
}

/** An answer without the time and the names of headers as they were written. */
function comparableAnswer(answer: ProviderAnswer | null) {
  if (answer === null) return null
  const headers = answer.headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !/^(?:date|content-length|connection|keep-alive)$/.test(name))
  return { ...answer, headers: Object.fromEntries(headers) }
}
