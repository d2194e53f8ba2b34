/** Provider states on the wire: the catalogue, and what verifiers of contracts send. */
import * as z from 'zod'
import { looseObject, strictObject, string } from 'zod'
import { InstantOut, sandbox, Texts } from './fields.ts'

const STATES_MAX = 20
const TEXT_MAX = 500

const params = z
  .record(string(), z.unknown())
  .meta({ accepts: 'an object', description: 'Its params, by name.' })

export const WireProviderState = strictObject({
  name: string().describe('What a contract calls it.'),
  description: string().describe('What it does.'),
  operations: Texts.describe('The documented operations that it is for, by their `operationId`.'),
  wordings: Texts.describe('Other words for it, with the text of a param in braces.'),
  params: z.record(string(), z.unknown()).meta({
    description: 'What params it takes, as JSON Schema.',
  }),
  example: strictObject({ state: string().describe('The name.'), params }).meta({
    description: 'What to send to set it up.',
  }),
}).meta({ id: 'ProviderState', description: 'A state that contracts can name.', ...sandbox })
export type WireProviderState = z.input<typeof WireProviderState>

const action = z.enum(['setup', 'teardown']).meta({
  accepts: 'setup or teardown',
  description: 'What to do; setup where absent.',
})

const text = string()
  .max(TEXT_MAX)
  .meta({ accepts: `a text of at most ${TEXT_MAX} characters` })

/** Open, because verifiers of every age send members of their own, such as `consumer`. */
export const ProviderStateChange = looseObject({
  state: text.nullish().meta({
    description: 'The state: a name of the catalogue, or one of its wordings.',
  }),
  states: z
    .array(text)
    .max(STATES_MAX)
    .nullish()
    .meta({
      accepts: `a list of at most ${STATES_MAX} texts`,
      description: 'Several, in order, as older verifiers send them in place of `state`.',
    }),
  params: params.nullish(),
  action: action.nullish(),
}).meta({ id: 'ProviderStateChange', ...sandbox })

/** The same in a query, without a body; every other parameter is a param of the state. */
export const ProviderStateQuery = looseObject({
  state: text.optional().meta({ description: 'The state, where no body says it.' }),
  action: action.optional(),
})

const value = (description: string) => z.string().optional().meta({ description })

/** All of them are absent after a teardown. */
export const WireStateValues = strictObject({
  sandbox_id: value('The sandbox.'),
  api_key: value('Its API key.'),
  now: InstantOut.optional().describe('The virtual now.'),
  subscription_id: value('The subscription that the state is about.'),
  customer_id: value('The customer.'),
  plan: value('The plan.'),
  coupon_id: value('The coupon.'),
  refresh_token: value('The refresh token.'),
  access_token: value('An access token of the same login, where it is live.'),
}).meta({
  id: 'ProviderStateValues',
  description: 'Values for the generators of a contract; those that the state names.',
  ...sandbox,
})
export type WireStateValues = z.input<typeof WireStateValues>
