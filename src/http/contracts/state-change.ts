/**
 * The protocol by which verifiers of contracts name provider states, in each of its forms: a body of today's verifiers
 * or of older ones, or a query without a body.
 */
import * as z from 'zod'
import { jsonIn } from '../../contracts/common/json.ts'
import { findState, type StateFound } from '../../provider/states/catalogue.ts'
import type { RequestedState } from '../../provider/states/setup.ts'
import { validate } from '../../surface/field-errors.ts'
import {
  invalidFields,
  orThrow,
  printName,
  printValue,
  RefusalError,
} from '../../surface/refusals.ts'
import { fieldsOf } from '../../surface/schema-walk.ts'
import type { ProviderStateChange, ProviderStateQuery } from '../../wire/pacts/provider-state.ts'

type Params = Readonly<Record<string, unknown>>

/** A request to change state: states in order, with the params that they share. */
export interface StateChange {
  readonly action: 'setup' | 'teardown'
  readonly texts: readonly string[]
  readonly params: Params
  /** Params of a query are bare text, to be read by the schema. */
  readonly where: 'body' | 'query'
}

/** Reads a change of state. Throws 400 where none is named, or in two places. */
export function readChange(
  body: z.output<typeof ProviderStateChange>,
  { state, action, ...others }: z.output<typeof ProviderStateQuery>,
): StateChange {
  const texts = textsOf(body)
  const [stray] = Object.keys(others)
  if (state === undefined && stray !== undefined) {
    const message = `${printName(stray)} is not a known parameter without a state; parameters: state, action and the params of that state.`
    throw invalidFields([{ field: stray, message }])
  }
  const requested = action ?? body.action ?? 'setup'
  if (texts === null) {
    if (state === undefined && requested === 'setup') throw missingState(body)
    return { action: requested, texts: [state ?? ''], params: others, where: 'query' }
  }
  if (state !== undefined) {
    const message = 'state must be in the query or in the body, not in both.'
    throw invalidFields([{ field: 'state', message }])
  }
  return { action: requested, texts, params: body.params ?? {}, where: 'body' }
}

/** The states of a request with their params. Throws where one is unknown or wrong. */
export function requestedStates({ texts, params, where }: StateChange): RequestedState[] {
  const found = texts.filter((text) => text !== '').map((text) => orThrow(findState(text)))
  const known = new Set(found.flatMap(({ state }) => [...fieldsOf(state.params).keys()]))
  const isShared = found.length !== 1
  const foreign = isShared ? Object.keys(params).filter((name) => !known.has(name)) : []
  if (foreign.length > 0) {
    const fields = known.size === 0 ? 'none' : [...known].join(', ')
    throw invalidFields(
      foreign.map((name) => {
        const message = `params.${printName(name)} is not a param of this state; its params: ${fields}.`
        return { field: `params.${name}`, message }
      }),
    )
  }
  return found.map((each) => {
    const fields = fieldsOf(each.state.params)
    const own = Object.entries(params).filter(([name]) => !isShared || fields.has(name))
    return checkParams(each, Object.fromEntries(own), where)
  })
}

function textsOf({ state, states }: z.output<typeof ProviderStateChange>): string[] | null {
  const listed = states ?? []
  const first = state ?? null
  if (first === null) return listed.length === 0 ? null : listed
  return listed.includes(first) ? listed : [first, ...listed]
}

function checkParams(found: StateFound, sent: Params, where: StateChange['where']): RequestedState {
  const { state } = found
  const read = where === 'query' ? readTexts(found, Object.entries(sent)) : sent
  const worded: Params = { ...found.params, ...readTexts(found, found.texts) }
  const twice = Object.keys(worded).filter((name) => name in read && read[name] !== worded[name])
  if (twice.length > 0) {
    throw invalidFields(
      twice.map((name) => {
        const message = `params.${name} must be ${printValue(worded[name])}, as the text of the state says, or absent; got ${printValue(read[name])}.`
        return { field: `params.${name}`, message }
      }),
    )
  }
  const params = { ...read, ...worded }
  if (where === 'query') return { state, params: validate(state.params, params) as Params }
  const body = validate(z.strictObject({ params: state.params }), { params })
  return { state, ...(body as { readonly params: Params }) }
}

/** Text that a field accepts stays text; other values are written as JSON. */
function readTexts({ state }: StateFound, texts: Iterable<readonly [string, unknown]>): Params {
  const fields = fieldsOf(state.params)
  const read = ([name, value]: readonly [string, unknown]) => {
    const text = String(value)
    const json = fields.get(name)?.safeParse(text).success ? text : jsonIn(text)
    return [name, json === undefined ? text : json]
  }
  return Object.fromEntries([...texts].map(read))
}

function missingState(body: object): RefusalError {
  if (Object.keys(body).length === 0) {
    return new RefusalError(
      'invalid_request',
      'The body is empty; it must be an object with some of state, params, action, or the query must have state.',
    )
  }
  const message = 'state is missing; it must be a name that GET /sandbox/provider-states lists.'
  return invalidFields([{ field: 'state', message }])
}
