/** Provider states that say where an interaction starts: with nothing, with a fixture, at a time. */
import * as z from 'zod'
import { refuse } from '../../billing/refusal.ts'
import { InstantIn } from '../../wire/fields.ts'
import { FixtureName } from '../../wire/sandbox.ts'
import { CLOCK_MAX, refusePastEnd } from '../advance.ts'
import type { Refusal } from '../refusal.ts'
import { cleanStart, type Interaction } from './interaction.ts'
import { documentedOperations, providerState, type Staged } from './state.ts'

const empty = providerState({
  name: 'the sandbox is empty',
  description:
    'Nothing is there: no customer, plan, coupon, subscription or token. What states before it set up is gone, but for the virtual time.',
  params: z.strictObject({}),
  example: {},
  operations: documentedOperations,
  stage: ({ interaction }) => only({ ...cleanStart, fixture: 'empty', now: interaction.now }),
})

const fixture = providerState({
  name: 'the fixture NAME is loaded',
  description:
    'The interaction starts from this fixture in place of `starter`, and at its time unless a state says another.',
  params: z.strictObject({
    fixture: FixtureName.default('starter').meta({ description: 'The name of the fixture.' }),
  }),
  example: { fixture: 'dunning' },
  operations: documentedOperations,
  wordings: [{ text: 'the fixture {fixture} is loaded' }],
  stage: ({ interaction }, params) => only({ ...interaction, fixture: params.fixture }),
})

const time = providerState({
  name: 'the virtual time is T',
  description:
    'The virtual now. Said first, everything that follows happens then; said later, the clock moves on to it and settles what falls due.',
  params: z.strictObject({
    at: InstantIn.default(InstantIn.parse('2027-02-01T00:00:00Z')).meta({
      description: 'The virtual now; 2027-02-01T00:00:00Z unless told.',
    }),
  }),
  example: { at: '2027-02-01T00:00:00Z' },
  operations: documentedOperations,
  wordings: [{ text: 'the virtual time is {at}' }],
  stage: ({ interaction, now }, { at }) => {
    const isBegun = interaction.acts.some((act) => act.at !== null)
    if (isBegun && at < now) return refuseBackwards(at, now)
    return at > CLOCK_MAX ? refusePastEnd('at') : only({ ...interaction, now: at })
  },
})

export const beginnings = [empty, fixture, time]

function only(interaction: Interaction): Staged {
  return { interaction, named: {} }
}

function refuseBackwards(at: string, now: string): Refusal {
  return refuse(
    'clock_backwards',
    `at ${at} lies before ${now}, the virtual time that the states before it are about; an instant from then on would be accepted, or this state said first.`,
  )
}
