/** The names, texts and numbers of valid JSON where they stand, and which of them are secret. */
import { isSecretName } from '../../surface/masking.ts'

export interface JsonValue {
  readonly at: number
  /** As it is written. */
  readonly token: string
  readonly value: string | number
  /** The name of its member; empty for a name. */
  readonly name: string
  /** Whether it, or what it is in, has the name of a secret before it or beside it. */
  readonly isSecret: boolean
}

/** An object or a list that is open. */
interface Scope {
  /** The name of the current member; in a list that of the list. */
  name: string
  /** Whether a member is the name of a secret. */
  namesSecret: boolean
  readonly isSecret: boolean
  /** The objects of which it is the value beside a name, or in such a value. */
  readonly besides: readonly Scope[]
}

const jsonToken = /("(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*)(\s*:)?|[[\]{}]/gi

/** A value, and the objects whose other members say whether it is secret. */
type Found = JsonValue & Pick<Scope, 'besides'>

export function valuesIn(text: string): JsonValue[] {
  const found: Found[] = []
  const scopes: Scope[] = [{ name: '', namesSecret: false, isSecret: false, besides: [] }]
  for (const { 0: all, 1: token, 2: colon, index: at } of text.matchAll(jsonToken)) {
    const scope = scopes.at(-1)
    if (scope === undefined) break
    if (token !== undefined) found.push(valueIn(scope, { at, token, isName: colon !== undefined }))
    else if (all === '}' || all === ']') scopes.pop()
    else scopes.push({ name: all === '[' ? scope.name : '', namesSecret: false, ...termsOf(scope) })
  }
  return found.map(({ besides, ...value }) => {
    return { ...value, isSecret: value.isSecret || besides.some((each) => each.namesSecret) }
  })
}

function valueIn(
  scope: Scope,
  { isName, ...place }: Pick<JsonValue, 'at' | 'token'> & { readonly isName: boolean },
): Found {
  const value: string | number = JSON.parse(place.token)
  if (isName) {
    scope.name = String(value)
    return { ...place, value, name: '', isSecret: false, besides: [] }
  }
  const { name } = scope
  if (/^(?:name|key|header|field)$/i.test(name)) scope.namesSecret ||= isSecretName(String(value))
  return { ...place, value, name, ...termsOf(scope) }
}

function termsOf(scope: Scope): Pick<Scope, 'isSecret' | 'besides'> {
  const { name, besides } = scope
  return {
    isSecret: scope.isSecret || isSecretName(name),
    besides: /^values?$/i.test(name) ? [...besides, scope] : besides,
  }
}
