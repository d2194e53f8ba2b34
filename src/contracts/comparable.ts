/**
 * A pact as the comparator understands it: without what is not HTTP, which it counts in some versions and not in
 * others, and with the bodies decoded that version 4 encodes, which it would take for text.
 */
import type { PactFile } from './pact-file.ts'
import { unwrapped, Wrapped } from './pact-request.ts'

type Parts = Readonly<Record<string, unknown>>

/** Makes the document to compare; its interactions are those of the pact, in the same order. */
export function comparable({ document, interactions }: PactFile): object {
  const all = (document['interactions'] ?? []) as readonly Parts[]
  return { ...document, interactions: interactions.map(({ index }) => readable(all[index] ?? {})) }
}

function readable(interaction: Parts): Parts {
  return { ...interaction, ...decoded(interaction, 'request'), ...decoded(interaction, 'response') }
}

function decoded(interaction: Parts, side: 'request' | 'response'): Parts {
  const { body, ...rest } = (interaction[side] ?? {}) as Parts
  const wrapped = Wrapped.safeParse(body)
  if (!wrapped.success || wrapped.data.encoded === false) return {}
  const { contentType = '' } = wrapped.data
  const text = unwrapped(wrapped.data)
  const content = contentType.includes('json') ? parsed(String(text)) : text
  return { [side]: { ...rest, body: { content, contentType, encoded: false } } }
}

/** What is not JSON, although its type says so, stays text: the comparison then says that it does not fit. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
