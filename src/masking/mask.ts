/**
 * Masking: what was sent and answered, without its secrets. A value is hidden for its name, for its look, and for a name
 * beside it in one text, also where JSON, a form or an escape is within another. Each value is read as often as it was
 * escaped, and replaced where it is, so that all else stays as it was written.
 */
import querystring from 'node:querystring'
import { type JsonValue, valuesIn } from './json-values.ts'
import { isSecretName, maskOwnSecrets, maskSecrets, SECRET_NAMES, secretName } from './looks.ts'

/** What is shown in place of a secret. */
export const MASK = '[masked]'

/** A part of a path after which a secret comes. */
const secretSegment = new RegExp(`^(?:${SECRET_NAMES})$`, 'i')

/** What is shown in place of secrets. */
export interface Words {
  /** In place of a value that is secret for its name. */
  readonly forSecret: (secret: string | number) => string | number
  /** A text with its known secrets replaced. */
  readonly inText: (text: string) => string
}

const alike: Words = { forSecret: () => MASK, inText: (text) => text }

/** A field with provider states, in a body or a query. */
export const stateField = /^states?$/

/** The token in the text of a provider state. */
export const TOKEN_IN_STATE = /(?<=token\s+)(?!(?:is|was|has|that)\b)\S+/gi

type NamedValue = Pick<JsonValue, 'name' | 'value' | 'isSecret'>

/** How often a text may be escaped within another one. */
const ESCAPES_MAX = 3

/** Whether what is secret may have a name somewhere in a text, in escapes or without. */
export function mayNameSecret(text: string): boolean {
  return secretName.test(text) || isEscaped(text)
}

/** Headers by their names in lower case; several of one name are joined. */
export function maskHeaders(pairs: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (let at = 0; at < pairs.length; at += 2) {
    const [sent = '', value = ''] = [pairs[at]?.toLowerCase(), pairs[at + 1]]
    const name = maskText(sent)
    const shown = maskHeader(sent, value)
    const before = headers.get(name)
    headers.set(name, before === undefined ? shown : `${before}, ${shown}`)
  }
  return Object.fromEntries(headers)
}

/** The value of a header; how a credential was presented may be what was wrong. */
export function maskHeader(name: string, value: string): string {
  if (!isSecretName(name)) return maskText(value)
  return /^Bearer +\S/i.test(value) ? `Bearer ${MASK}` : MASK
}

export function maskTarget(target: string): string {
  const [, path = '', query] = /^([^?#]*)(?:\?([^#]*))?/.exec(maskOwnSecrets(target)) ?? []
  const shown = path
    .split('/')
    .map((part, at, all) => (secretSegment.test(all[at - 1] ?? '') ? MASK : maskText(part)))
    .join('/')
  return query === undefined ? shown : `${shown}?${maskForm(query, alike)}`
}

/** A body: JSON, a form, or whatever was sent under these names. */
export function maskBody(text: string, mediaType: string | null, words = alike): string {
  const json = maskJson(text, words)
  if (json !== null) return json
  if (mediaType?.toLowerCase().startsWith('application/x-www-form-urlencoded')) {
    return maskForm(text, words)
  }
  return secretName.test(decodeText(text)) ? MASK : maskText(text, words)
}

/** JSON with its secrets replaced where they are; null for any other text. */
function maskJson(text: string, words: Words): string | null {
  if (!/^\s*[[{"]/.test(text)) return null
  try {
    JSON.parse(text)
  } catch {
    return null
  }
  let masked = ''
  let from = 0
  for (const value of valuesIn(text)) {
    const shown = maskValue(value, words)
    if (shown === value.value) continue
    masked += text.slice(from, value.at) + JSON.stringify(shown)
    from = value.at + value.token.length
  }
  return masked + text.slice(from)
}

function maskValue({ name, value, isSecret }: NamedValue, words: Words): string | number {
  if (typeof value === 'number') {
    const isCount = /^(?:tokens|token_families)$/.test(name)
    return isSecret && !isCount ? words.forSecret(value) : value
  }
  if (isSecret) return words.forSecret(value)
  // A provider state can name the token that it is about.
  return maskText(stateField.test(name) ? value.replace(TOKEN_IN_STATE, MASK) : value, words)
}

/** Any text: JSON value by value, and else hidden where it looks like a secret, or has one beside its name. */
export function maskText(text: string, words = alike): string {
  const json = maskJson(text, words)
  if (json !== null) return json
  const known = words.inText(text)
  const read = decodeText(known)
  if (read.includes('\0') || isEscaped(read) || isBase64OfSecret(read)) return MASK
  if (read === known) return maskSecrets(known)
  return maskText(read) === read ? known : MASK
}

/** In the order and the spelling in which it was sent, wherever nothing is hidden. */
function maskForm(text: string, words: Words): string {
  const isSecret = secretFields(text)
  const pairs = text.split('&').map((pair) => {
    const [name = '', ...rest] = pair.split('=')
    const field = { name: decodeText(name), isSecret: isSecret(name) }
    const shown = maskFormValue(rest.join('='), field, words)
    return `${maskName(name)}${rest.length === 0 ? '' : `=${shown}`}`
  })
  return pairs.join('&')
}

/** Which fields of a form, as they are written, are secret for their names, or for a name in the field beside them. */
export function secretFields(form: string): (field: string) => boolean {
  const label = /(?:name|key|header|field)(\]?)$/i
  const beside = new Set<string>()
  for (const pair of form.split('&')) {
    const [name = '', value = ''] = pair.split('=').map(decodeText)
    if (label.test(name) && isSecretName(value)) beside.add(name.replace(label, 'value$1'))
  }
  return (field) => isSecretName(decodeText(field)) || beside.has(decodeText(field))
}

function maskFormValue(value: string, field: Omit<NamedValue, 'value'>, words: Words): string {
  const sent = querystring.unescape(value.replaceAll('+', ' '))
  const shown = String(maskValue({ ...field, value: sent }, words))
  if (shown === sent) return value
  return shown === MASK ? shown : encodeURIComponent(shown)
}

/** A name is short and plain, or it is no name: JSON that is sent as a form is one. */
function maskName(name: string): string {
  const read = decodeText(name)
  if (secretName.test(read) && !/^[\w.[\]-]{1,100}$/.test(read)) return MASK
  return maskText(name)
}

/** Whether a text is base64 of one with a secret, such as a published pact. */
function isBase64OfSecret(text: string): boolean {
  if (!/^[\w+/-]{24,}={0,2}$/.test(text)) return false
  const inside = Buffer.from(text, 'base64').toString()
  return !inside.includes('\uFFFD') && maskText(inside) !== inside
}

/** Whether a text has an escape of a character by its number, or a quote as HTML writes it. */
function isEscaped(text: string): boolean {
  return /%[0-9a-f]{2}|\\u[0-9a-f]{4}|&(?:quot|#34|#x22);/i.test(text)
}

/** A text as it reads once its escapes are gone, also those within escapes. */
function decodeText(text: string): string {
  let read = text
  for (let times = 0; times < ESCAPES_MAX && isEscaped(read); times += 1) {
    read = read
      .replace(/&(?:quot|#34|#x22);/gi, '"')
      .replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
        Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
      )
      .replace(/(?<!\\)\\+u([0-9a-f]{4})/gi, (_, code) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
  }
  return read.replaceAll('+', ' ')
}
