/** Provider states that say where an interaction starts: with nothing, with a fixture, at a time. */
import * as z from 'zod'
import { orThrow, RefusalError } from '../../surface/refusals.ts'
import { FixtureName, InstantIn, NoFields } from '../../wire/common/fields.ts'
import { CLOCK_MAX, pastEndRefusal } from '../../world/advance.ts'
import { beginWorld, documentedOperations, moveClockTo, providerState, setStart } from './state.ts'

/** The state that says the virtual time. */
export const TIME = 'the virtual time is T'

const empty = providerState({
  name: 'the sandbox is empty',
  description:
    'Nothing is there: no customer, plan, coupon, subscription or token. What states before it set up is gone, but for the virtual time.',
  params: NoFields,
  example: {},
  operations: documentedOperations,
  wordings: {},
  apply: async (draft) => {
    const fixture = 'empty'
    const startAt = draft.world.clock.now()
    const world = await beginWorld(draft.fixtures, draft.world, { fixture, startAt })
    Object.assign(draft, { world, fixture, named: {}, states: [], happened: [] })
    return {}
  },
})

const fixture = providerState({
  name: 'the fixture NAME is loaded',
  description:
    'The interaction starts from this fixture in place of `starter`. It comes first, or after the virtual time.',
  params: z.strictObject({
    fixture: FixtureName.default('starter').describe('The name of the fixture.'),
  }),
  example: { fixture: 'dunning' },
  operations: documentedOperations,
  wordings: { 'the fixture {fixture} is loaded': {} },
  apply: async (draft, params) => {
    if (draft.fixture === params.fixture) return {}
    if (draft.states.some((state) => state !== TIME)) {
      throw new RefusalError('exists', 'it replaces what is there; put it first.')
    }
    const start = { ...params, startAt: draft.statedTime }
    Object.assign(draft, { world: await beginWorld(draft.fixtures, draft.world, start), ...params })
    return {}
  },
})

const time = providerState({
  name: TIME,
  description:
    'The virtual now. Said before any subscription or token, everything that follows happens then; said later, the clock moves on to it and settles what falls due.',
  params: z.strictObject({
    at: InstantIn.default(InstantIn.parse('2027-02-01T00:00:00Z')).describe(
      'The virtual now; 2027-02-01T00:00:00Z unless given.',
    ),
  }),
  example: { at: '2027-02-01T00:00:00Z' },
  operations: documentedOperations,
  wordings: { 'the virtual time is {at}': {} },
  apply: async (draft, { at }) => {
    if (at > CLOCK_MAX) orThrow(pastEndRefusal('at', at))
    const now = draft.world.clock.now()
    if (draft.happened.length === 0) setStart(draft, at)
    else if (at >= now) await moveClockTo(draft, at, 'at')
    else {
      const message = `at ${at} lies before the virtual now ${now}; put it first.`
      throw new RefusalError('clock_backwards', message)
    }
    draft.statedTime = at
    return {}
  },
})

export const startStates = [empty, fixture, time]
