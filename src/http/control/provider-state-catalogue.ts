/** The catalogue of provider states as it is served and published. */
import { providerStates } from '../../pacts/states/catalogue.ts'
import type { ProviderState } from '../../pacts/states/state.ts'
import { openSchemaBook } from '../../surface/schema-book.ts'
import type { WireProviderState } from '../../wire/provider-state.ts'

/** One entry, its params as a JSON Schema of its own. */
export function presentProviderState(state: ProviderState): WireProviderState {
  const { name, description, operations, wordings, params, example } = state
  return {
    name,
    description,
    operations: [...operations],
    wordings: wordings.map(({ text }) => text),
    params: { ...openSchemaBook().draw(params, 'input') },
    example: { state: name, params: { ...example } },
  }
}

/** The whole catalogue as contracts/provider-states.json holds it. */
export function providerStatesFile(): string {
  const states = [...providerStates.values()].map(presentProviderState)
  return `${JSON.stringify({ provider_states: states }, null, 2)}\n`
}
