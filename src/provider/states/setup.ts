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

/**
 * An interaction that more states may follow: its draft or, once a state was refused, the states since; and how many
 * requests its sandbox had seen when the last was set up.
 */
interface Interaction {
  readonly draft?: Draft
  readonly states?: readonly RequestedState[]
  readonly writes: number
}

const pending = new WeakMap<Sandbox, Interaction>()

/** Which states to set up, and for which request. */
export interface SetupOrder {
  readonly states: readonly RequestedState[]
  readonly fixtures: FixtureLibrary
  readonly requestId: () => string
}

/** Sets states up, in order: all of them or, where one is refused, none. Returns what they named. */
export async function setUp(sandbox: Sandbox, order: SetupOrder): Promise<StateValues> {
  const { states, requestId } = order
  const providerStates = states.map(({ state }) => state.name).join(', ')
  const detail = { fixture: BASE_FIXTURE, providerStates }
  let made: Awaited<ReturnType<typeof addStates>>
  const make = async (before: World) => {
    const last = pending.get(sandbox)
    made = await addStates(before, order, last?.writes === sandbox.writes ? last : {})
    detail.fixture = made.fixture
    return made.world
  }
  // Called when the world is made and still in the turn, so that no other setup can come between.
  const counted = () => {
    const id = requestId()
    pending.set(sandbox, { ...made.interaction, writes: sandbox.writes })
    return id
  }
  const answer = () => made.named
  return orThrow(await sandbox.replace(make, { as: 'reset', requestId: counted, detail, answer }))
}

/** Remembers that a state was refused, by a request that is counted. */
export function noteRefusal(sandbox: Sandbox): void {
  pending.set(sandbox, { states: [], writes: sandbox.writes })
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

/** How states of the interaction before are in the way. What billing refuses, it may refuse without them too. */
const inTheWay: ReadonlySet<string> = new Set(['exists', 'in_use', 'clock_backwards'])

/**
 * Adds states to an interaction. After a refused one a verifier goes on, and neither sends the request nor ends the
 * interaction: states since then that are in the way belong to that one, from the oldest on.
 */
async function addStates(
  before: World,
  { states, fixtures }: Pick<SetupOrder, 'states' | 'fixtures'>,
  { draft: last, states: earlier }: Omit<Interaction, 'writes'>,
) {
  const draft = await draftOf(last, before, fixtures)
  try {
    await applyAll(draft, earlier ?? [])
    const named = await applyAll(draft, states)
    const interaction = earlier ? { states: [...earlier, ...states] } : { draft }
    return { ...draft, named, interaction }
  } catch (error) {
    const isInTheWay = error instanceof RefusalError && inTheWay.has(error.code)
    if (!earlier?.length || !isInTheWay) throw error
    return addStates(before, { states, fixtures }, { states: earlier.slice(1) })
  }
}

/** A copy of the world of an interaction, or a new one. */
async function draftOf(last: Draft | undefined, before: World, fixtures: FixtureLibrary) {
  if (last !== undefined) {
    const world = copyWorld(before, before.sandboxId)
    return { ...last, world, states: [...last.states], happened: [...last.happened] }
  }
  const startAt = before.origin.fixture === BASE_FIXTURE ? before.origin.startAt : null
  const fixture = BASE_FIXTURE
  const world = await beginWorld(fixtures, before, { fixture, startAt })
  return { fixtures, fixture, world, named: {}, states: [], statedTime: null, happened: [] }
}

async function applyAll(draft: Draft, states: readonly RequestedState[]): Promise<StateValues> {
  const named: StateValues = {}
  for (const each of states) Object.assign(named, await apply(draft, each))
  return named
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
