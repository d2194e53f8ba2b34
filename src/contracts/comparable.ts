/**
 * A pact in the one shape that the comparator reads without loss: what is not HTTP left out, what the versions write
 * differently made alike, and the bodies decoded that version 4 encodes.
 */
import { jsonIn } from './json.ts'
import type { PactFile, PactInteraction } from './pact-file.ts'
import { jsonTextIn, unwrapped, Wrapped } from './pact-request.ts'

type Parts = Readonly<Record<string, unknown>>

/** Makes the document to compare; its interactions are those of the pact, in the same order. */
export function comparable({ interactions }: PactFile): object {
  return {
    metadata: { pactSpecification: { version: '3.0.0' } },
    interactions: interactions.map(comparedWith),
  }
}

function comparedWith({ description, request, status, written }: PactInteraction): Parts {
  const { method, path, query } = request
  return {
    description,
    request: { method, path, ...(query === '' ? {} : { query }), ...contentOf(written.request) },
    response: { status, ...contentOf(written.response) },
  }
}

/** Headers, one value each, and the body as it goes over the wire. */
export function contentOf(side: unknown): Parts {
  const { headers, body } = (side ?? {}) as { headers?: Parts | null; body?: unknown }
  const single = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)])
  const wrapped = Wrapped.safeParse(body)
  const content = wrapped.success ? decoded(wrapped.data) : body
  const sent = content === undefined ? {} : { body: content }
  return { headers: Object.fromEntries(single), ...sent }
}

/** What is not JSON, although its type says so, stays text: the comparison then says that it does not fit. */
function decoded(body: Parameters<typeof unwrapped>[0]): unknown {
  const text = jsonTextIn(body)
  if (text === null) return unwrapped(body)
  const json = jsonIn(text)
  return json === undefined ? text : json
}
