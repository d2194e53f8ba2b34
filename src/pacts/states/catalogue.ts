/** The catalogue of provider states, and how the text of a contract finds its entry. */
import { distance } from 'fastest-levenshtein'
import { refuse } from '../../billing/refusal.ts'
import type { Refusal } from '../../world/refusal.ts'
import { couponStates } from './coupon-states.ts'
import { recordStates } from './record-states.ts'
import { startStates } from './start-states.ts'
import type { ProviderState, Wording } from './state.ts'
import { subscriptionStates } from './subscription-states.ts'
import { tokenStates } from './token-states.ts'

/** Every provider state, by name, in the order in which it is listed. */
export const providerStates: ReadonlyMap<string, ProviderState> = new Map(
  [...startStates, ...recordStates, ...couponStates, ...subscriptionStates, ...tokenStates].map(
    (state) => [state.name, state],
  ),
)

/** An entry that a text found. */
export interface StateFound {
  readonly state: ProviderState
  /** Params that the words say by themselves. */
  readonly params: Readonly<Record<string, unknown>>
  /** Params whose text stands among the words, to be read by the schema. */
  readonly texts: ReadonlyMap<string, string>
}

/** How many names a refusal suggests. */
const SUGGESTED = 3

/** The entry that a text names, by its name or in other words. Refuses other texts and suggests the nearest names. */
export function findState(text: string): StateFound | Refusal {
  const named = providerStates.get(text)
  if (named !== undefined) return { state: named, params: {}, texts: new Map() }
  for (const state of providerStates.values()) {
    for (const wording of state.wordings) {
      const texts = readWording(wording, text)
      if (texts !== null) return { state, params: wording.params ?? {}, texts }
    }
  }
  return refuseUnknown(text)
}

/** The values in a text at the braces of a wording; null where the words differ. */
function readWording(wording: Wording, text: string): Map<string, string> | null {
  const names = [...wording.text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const pattern = wording.text.replace(/\{\w+\}/g, '(\\S+)')
  const [whole, ...values] = new RegExp(`^${pattern}$`).exec(text) ?? []
  if (whole === undefined) return null
  return new Map(names.map((name, index) => [name, values[index] ?? '']))
}

function refuseUnknown(text: string): Refusal {
  const shown = text.slice(0, 200)
  const known = [...providerStates.values()].flatMap(({ name, wordings }) => [
    name,
    ...wordings.map((wording) => wording.text),
  ])
  const ranked = known
    .map((name) => ({ name, away: distance(name, shown) }))
    .sort((one, other) => one.away - other.away)
  const nearest = ranked.slice(0, SUGGESTED).map(({ name }) => JSON.stringify(name))
  return refuse(
    'not_found',
    `state ${JSON.stringify(shown)} is not in the catalogue; the nearest are ${nearest.join(', ')}. GET /sandbox/provider-states lists them all.`,
  )
}
