/** Provider states on the wire: the catalogue, and what verifiers of contracts send. */
import * as z from 'zod'
import { looseObject, record, strictObject, string, unknown } from 'zod'
import { InstantOut, inSandbox, listUpTo, Texts, textUpTo } from '../common/fields.ts'

const STATES_MAX = 20
const TEXT_MAX = 500

const params = record(string(), unknown()).describe('The parameters of the state, by name.')

export const WireProviderState = strictObject({
  name: string().describe('The name of the state, as contracts write it.'),
  description: string().describe('The records that the state sets up.'),
  operations: Texts.describe(
    'The documented operations that the state is for, by their `operationId`.',
  ),
  wordings: Texts.describe('Other names of the state, with the name of a parameter in braces.'),
  params: record(string(), unknown()).describe('The parameters of the state, as JSON Schema.'),
  example: strictObject({ state: string().describe('The name of the state.'), params }).describe(
    'An example of a body that sets the state up.',
  ),
}).meta(inSandbox('ProviderState', 'A provider state that contracts can name.'))
export type WireProviderState = z.input<typeof WireProviderState>

const action = z.enum(['setup', 'teardown']).meta({
  accepts: 'setup or teardown',
  description: 'The action: `setup` or `teardown`; where absent, `setup`.',
})

const text = textUpTo(TEXT_MAX)

/** Open, because verifiers of every age send more members, such as `consumer`. */
export const ProviderStateChange = looseObject({
  state: text
    .nullish()
    .describe('The state to set up: a name of the catalogue, or one of its wordings.'),
  states: listUpTo(text, STATES_MAX, 'texts')
    .nullish()
    .describe('The states to set up, in order, as older verifiers send them in place of `state`.'),
  params: params.nullish(),
  action: action.nullish(),
}).meta(inSandbox('ProviderStateChange', 'The provider state to set up or to tear down.'))

/** The same in a query, without a body; every other parameter is a param of the state. */
export const ProviderStateQuery = looseObject({
  state: text.optional().meta({
    description: 'The state to set up or to tear down, where no body names one.',
    examples: ['a subscription exists'],
  }),
  action: action.optional(),
})

const value = (description: string) => string().optional().meta({ description })

/** All of them are absent after a teardown. */
export const WireStateValues = strictObject({
  sandbox_id: value('The identifier of the sandbox.'),
  api_key: value('The API key of the sandbox.'),
  now: InstantOut.optional().describe('The virtual now of the sandbox.'),
  subscription_id: value('The identifier of the subscription of the state.'),
  customer_id: value('The identifier of the customer of the state.'),
  plan: value('The identifier of the plan of the state.'),
  coupon_id: value('The identifier of the coupon of the state.'),
  refresh_token: value('The refresh token of the state.'),
  access_token: value('An access token of the same login, where it is live.'),
}).meta(
  inSandbox(
    'ProviderStateValues',
    'Values of a provider state for the generators of a contract; a state has only some of them.',
  ),
)
export type WireStateValues = z.input<typeof WireStateValues>
