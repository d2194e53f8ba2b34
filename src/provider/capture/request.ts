/** The request of a captured call, as a pact has it: with values of the provider in place of those of the tests. */
import { accessTokenState, findToken } from '../../world/commands/tokens.ts'
import type { World } from '../../world/world.ts'
import { type CallInput, ID_AT } from './captured-call.ts'
import { all, examples } from './expectation.ts'

/** The request of a pact; `world` is that before the call, null where its credential was not accepted. */
export function requestOf(asked: CallInput, world: World | null): object {
  const { method, query, accept, contentType, authorization, text } = asked
  const path = fillExpression(pathIn(asked, world))
  const credential =
    authorization && fillExpression(`${authorization[0]} ${credentialIn(asked, world)}`.trim())
  const names = Object.keys(asked.shown ?? {})
  const fields = names.map((name) => [name, fieldOf(asked, name, world)] as const)
  // For other names the core has no path.
  const named = fields.filter(([name]) => /^[a-z_]\w*$/i.test(name))
  const body = (key: keyof RequestValue) => named.map(([name, each]) => [`$.${name}`, each[key]])
  const sent = new URLSearchParams(query)
  // What is undefined is not in the file.
  return {
    ...{ method, path: path.shown },
    query: query
      ? Object.fromEntries([...sent.keys()].map((name) => [name, sent.getAll(name)]))
      : undefined,
    headers: {
      Accept: accept === null || accept === '*/*' ? undefined : [accept],
      Authorization: credential ? [credential.shown] : undefined,
      'Content-Type': contentType === null || text === '' ? undefined : [contentType],
    },
    body: bodyOf(asked, Object.fromEntries(fields.map(([name, { shown }]) => [name, shown]))),
    generators: {
      path: path.generator,
      header: credential?.generator && { Authorization: credential.generator },
      body: Object.fromEntries(body('generator')),
    },
    matchingRules: {
      path: path.rule,
      header: credential?.rule && { Authorization: credential.rule },
      body: Object.fromEntries(body('rule')),
    },
  }
}

/** A value in a request: as the pact shows it, and where a provider takes its own from. */
interface RequestValue {
  readonly shown: unknown
  readonly generator?: object
  readonly rule?: object
}

/** The value that a state answers under a name. */
const fromState = (name: string) => `\${${name}}`

/** A text with the names of values that states answer, such as `${api_key}`. */
function fillExpression(expression: string): RequestValue {
  const name = /\$\{(\w+)\}/
  const shown = expression.replace(name, (_, value: string) => String(examples[value]))
  if (shown === expression) return { shown }
  const rule = all({ match: 'regex', regex: `^${expression.replace(name, String.raw`[^/\s]+`)}$` })
  return { shown, generator: { type: 'ProviderState', expression }, rule }
}

function pathIn(asked: CallInput, world: World | null): string {
  if (asked.subscriptionId === '') return asked.path
  const segments = asked.path.split('/')
  const isThere = world?.subscriptions.has(asked.subscriptionId) === true
  return segments.with(ID_AT, isThere ? fromState('subscription_id') : 'sub_unknown').join('/')
}

function credentialIn({ operation, authorization }: CallInput, world: World | null): string {
  const [, credential = ''] = authorization ?? []
  if (operation === 'refreshToken') return tokenIn(credential, world)
  if (world === null) return 'an-unknown-key'
  return accessTokenState(world, credential) === 'live'
    ? fromState('access_token')
    : fromState('api_key')
}

function tokenIn(text: string, world: World | null): string {
  const isThere = world !== null && findToken(world, text)?.kind === 'refresh'
  return isThere ? fromState('refresh_token') : 'an-unknown-token'
}

function fieldOf(asked: CallInput, name: string, world: World | null): RequestValue {
  const [value, shown] = [asked.fields?.[name], asked.shown?.[name]]
  // A value that cannot be a token is no secret, and is what the call is about.
  const isNoToken = value === '' || value === null || /^(number|boolean)$/.test(typeof value)
  if (name === 'refresh_token' && isNoToken) return { shown: value }
  if (typeof value === 'string') {
    if (name === 'refresh_token') return fillExpression(tokenIn(value, world))
    const isThere = world?.customers.has(value)
    if (name === 'customer_id')
      return fillExpression(isThere ? fromState('customer_id') : 'cus_unknown')
  }
  // A flag decides what the call does.
  const isTyped = /^(?!true$|false$)/.test(String(shown)) && typeof shown !== 'object'
  return { shown, ...(isTyped && { rule: all({ match: 'type' }) }) }
}

function bodyOf({ text, fields, isForm, contentType }: CallInput, shown: object) {
  if (text === '') return undefined
  const content = isForm ? new URLSearchParams(Object.entries(shown)).toString() : shown
  if (fields !== null) return { content, contentType, encoded: false }
  return { content: Buffer.from(text).toString('base64'), contentType, encoded: 'base64' }
}
