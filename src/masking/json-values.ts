/** The names, texts and numbers of valid JSON where they are, and which of them are secret. */
import { isSecretName } from './looks.ts'

export interface JsonValue {
  readonly at: number
  /** As it is written. */
  readonly token: string
  readonly value: string | number
  /** The name of its member; empty for a name. */
  readonly name: string
  readonly isName: boolean
  /** Whether it, or what it is in, has the name of a secret before it or beside it. */
  readonly isSecret: boolean
}

/** An object or a list. */
interface Scope {
  readonly parent: Scope | null
  /** The name of the member that it is; in a list that of the list. */
  readonly within: string
  /** The name of the current member; the values of a list have that of the list. */
  name: string
  /** Whether a member is the name of a secret. */
  namesSecret: boolean
  /** Whether all in it is secret: known once everything is read. */
  isSecret: boolean
}

type Found = Omit<JsonValue, 'isSecret'> & { readonly scope: Scope }

const jsonToken = /("(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*)(\s*:)?|[[\]{}]/gi

export function valuesIn(text: string): JsonValue[] {
  const found: Found[] = []
  let scope = scopeIn(null)
  const scopes = [scope]
  for (const { 0: all, 1: token, 2: colon, index: at } of text.matchAll(jsonToken)) {
    if (token !== undefined) found.push(valueIn(scope, { at, token, isName: colon !== undefined }))
    else if (all === '}' || all === ']') scope = scope.parent ?? scope
    else {
      scope = scopeIn(scope)
      scopes.push(scope)
    }
  }
  // Each scope comes after the one that it is in.
  for (const each of scopes) {
    if (each.parent !== null) each.isSecret = isSecretIn(each.parent, each.within)
  }
  return found.map(({ at, token, value, name, isName, scope: own }) => {
    const isSecret = isName ? own.isSecret : isSecretIn(own, name)
    return { at, token, value, name, isName, isSecret }
  })
}

function scopeIn(parent: Scope | null): Scope {
  const within = parent?.name ?? ''
  return { parent, within, name: within, namesSecret: false, isSecret: false }
}

function valueIn(
  scope: Scope,
  { at, token, isName }: Pick<JsonValue, 'at' | 'token' | 'isName'>,
): Found {
  const value: string | number = JSON.parse(token)
  if (isName) scope.name = String(value)
  else if (/^(?:name|key|header|field)$/i.test(scope.name)) {
    scope.namesSecret ||= isSecretName(String(value))
  }
  return { at, token, value, name: isName ? '' : scope.name, isName, scope }
}

function isSecretIn({ isSecret, namesSecret }: Scope, name: string): boolean {
  return isSecret || isSecretName(name) || (namesSecret && /^values?$/i.test(name))
}
