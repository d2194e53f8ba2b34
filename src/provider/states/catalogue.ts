/** The catalogue of provider states, and how the text of a contract finds its entry. */
import { distance } from 'fastest-levenshtein'
import { refuse } from '../../billing/refusal.ts'
import { TOKEN_IN_STATE } from '../../masking/mask.ts'
import type { Refusal } from '../../world/refusal.ts'
import { couponStates } from './coupon-states.ts'
import { recordStates } from './records.ts'
import { startStates } from './start-states.ts'
import type { ProviderState } from './state.ts'
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
  /** Params whose text is among the words, to be read by the schema. */
  readonly texts: ReadonlyMap<string, string>
}

/** How many names a refusal suggests. */
const SUGGESTED = 3

/** The entry that a text names, by its name or in other words. Refuses other texts and suggests the nearest names. */
export function findState(text: string): StateFound | Refusal {
  for (const state of providerStates.values()) {
    for (const [wording, params] of Object.entries({ [state.name]: {}, ...state.wordings })) {
      const names = [...wording.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      const pattern = new RegExp(`^${wording.replace(/\{\w+\}/g, '(\\S+)')}$`)
      const [whole, ...values] = pattern.exec(text) ?? []
      if (whole === undefined) continue
      return { state, params, texts: new Map(names.map((name, at) => [name, values[at] ?? ''])) }
    }
  }
  // A token in it is not repeated, unlike a word of the catalogue's own kind.
  const shown = text
    .replace(TOKEN_IN_STATE, (word) => (/^[a-z]+$/.test(word) ? word : '...'))
    .slice(0, 200)
  const known = [...providerStates.values()].flatMap(({ name, wordings }) => [
    name,
    ...Object.keys(wordings),
  ])
  const nearest = known
    .map((name) => ({ name: JSON.stringify(name), away: distance(name, shown) }))
    .sort((one, other) => one.away - other.away)
    .slice(0, SUGGESTED)
  return refuse(
    'not_found',
    `state ${JSON.stringify(shown)} is not in the catalogue; the nearest are ${nearest.map(({ name }) => name).join(', ')}. GET /sandbox/provider-states lists them all.`,
  )
}
