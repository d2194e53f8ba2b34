/**
 * Setting provider states up and tearing them down, one sandbox at a time. Owns which states belong to one interaction:
 * those that follow each other without any other request between them. The next one starts clean.
 */
import { type FixtureLibrary, worldForReset } from '../../sandbox/fixtures.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { orThrow, RefusalError } from '../../surface/refusals.ts'
import { copyWorld, type World } from '../../world/world.ts'
import { beginWorld, type Draft, type ProviderState, type StateValues } from './state.ts'

/** A state of a request, with its params as its schema read them. */
export interface RequestedState {
  readonly state: ProviderState
  readonly params: Readonly<Record<string, unknown>>
}

/** The fixture that every interaction starts from unless a state says otherwise. */
const BASE_FIXTURE = 'starter'

/** Interactions that more states may follow, and how many requests their sandbox had seen when the last was set up. */
const pending = new WeakMap<Sandbox, { readonly draft: Draft; readonly writes: number }>()

/** Which states to set up, and for which request. */
export interface SetupOrder {
  readonly states: readonly RequestedState[]
  readonly fixtures: FixtureLibrary
  readonly requestId: () => string
}

/** Sets states up, in order: all of them or, where one is refused, none. Returns what they named. */
export async function setUp(sandbox: Sandbox, order: SetupOrder): Promise<StateValues> {
  const { states, fixtures, requestId } = order
  const named: StateValues = {}
  let made: Draft | undefined
  const make = async (before: World) => {
    const draft = await draftOf(sandbox, before, fixtures)
    for (const each of states) Object.assign(named, await apply(draft, each))
    made = draft
    return draft.world
  }
  // Called when the world is made and still in the turn, so that no other setup can come between.
  const counted = () => {
    const id = requestId()
    if (made) pending.set(sandbox, { draft: made, writes: sandbox.writes })
    return id
  }
  const detail = { providerStates: states.map(({ state }) => state.name).join(', ') }
  try {
    const answer = () => named
    return orThrow(await sandbox.replace(make, { as: 'reset', requestId: counted, detail, answer }))
  } catch (error) {
    pending.delete(sandbox)
    throw error
  }
}

/** Returns a sandbox to what it was made from, its clock and settings included. */
export async function tearDown(
  sandbox: Sandbox,
  { fixtures, requestId }: Omit<SetupOrder, 'states'>,
): Promise<void> {
  pending.delete(sandbox)
  const make = (before: World) => worldForReset(before, { fixtures, settings: {} })
  orThrow(await sandbox.replace(make, { as: 'reset', requestId, answer: () => null }))
}

/** What another state adds to: a copy of the world where no other request came since the last one, else a new one. */
async function draftOf(sandbox: Sandbox, before: World, fixtures: FixtureLibrary): Promise<Draft> {
  const last = pending.get(sandbox)
  if (last?.writes === sandbox.writes) {
    const { states, happened } = last.draft
    const world = copyWorld(before, before.sandboxId)
    return { ...last.draft, world, states: [...states], happened: [...happened] }
  }
  const { origin } = before
  const startAt = origin.fixture === BASE_FIXTURE ? origin.startAt : null
  const fixture = BASE_FIXTURE
  const world = await beginWorld(fixtures, before, { fixture, startAt })
  return { fixtures, fixture, world, named: {}, states: [], statedTime: null, happened: [] }
}

/** Applies one state. What refuses it may lie in the states before it, so that the refusal names both. */
async function apply(draft: Draft, { state, params }: RequestedState): Promise<StateValues> {
  const sizeBefore = countActivity(draft.world)
  const named = await state.apply(draft, params).catch((error) => {
    if (!(error instanceof RefusalError) || draft.states.length === 0) throw error
    const earlier = [...new Set(draft.states)].map((name) => `"${name}"`).join(', ')
    const message = `State "${state.name}" is refused after ${earlier}: ${error.message}`
    throw new RefusalError(error.code, message, error)
  })
  draft.named = { ...draft.named, ...named }
  draft.states.push(state.name)
  if (countActivity(draft.world) > sizeBefore) {
    draft.happened.push({ state: state.name, subscriptionId: named.subscription_id })
  }
  return named
}

function countActivity({ subscriptions, charges, tokenFamilies }: World): number {
  return subscriptions.size + charges.size + tokenFamilies.size
}
