/**
 * Masking: what was sent and answered, without its secrets. A value is hidden for its name, for its look, and for a name
 * beside it in one text. Everything is written again from what was read, and what cannot be read is hidden where it may
 * name a secret: so nothing is left over that nobody looked at.
 */
import querystring from 'node:querystring'
import { isNamedBeside, maskOwnSecrets, maskSecrets, SECRET_NAMES } from './refusals.ts'

const MASK = '[masked]'

const secretName = new RegExp(`${SECRET_NAMES}|cookie|session|^(?:x-)?auth$`, 'i')

/** A part of a path after which a secret comes. */
const secretSegment = new RegExp(`^(?:${SECRET_NAMES})$`, 'i')

/** What says only how a token is used, or for how long. */
const openName = /^token_type$|_lifetime$/i

/** What is shown in place of secrets. */
export interface Words {
  /** In place of a value that is secret for its name. */
  readonly forSecret: (secret: string) => string
  /** A text with its known secrets replaced. */
  readonly inText: (text: string) => string
}

const alike: Words = { forSecret: () => MASK, inText: (text) => text }

/** The token in the text of a provider state. */
export const TOKEN_IN_STATE = /(?<=token\s+)(?!(?:is|was|has|that)\b)\S+/gi

/** How often a text may be escaped within another one. */
const ESCAPES_MAX = 3

/** Whether a field, a parameter or a header of this name carries a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name) && !openName.test(name)
}

/** Whether what is secret may have a name somewhere in a text, in escapes or without. */
export function mayNameSecret(text: string): boolean {
  return secretName.test(text) || /\\u|%[0-9a-f]{2}/i.test(text)
}

/** Headers by their names in lower case; several of one name are joined. */
export function maskHeaders(pairs: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [sent = '', value = ''] = [pairs[at]?.toLowerCase(), pairs[at + 1]]
    const name = maskText(sent)
    const shown = isSecretName(sent) ? maskCredential(value) : maskText(value)
    const before = headers.get(name)
    headers.set(name, before === undefined ? shown : `${before}, ${shown}`)
  }
  return Object.fromEntries(headers)
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
  if (mediaType?.toLowerCase().startsWith('application/x-www-form-urlencoded')) {
    return maskForm(text, words)
  }
  try {
    return JSON.stringify(maskValue('', JSON.parse(text), words))
  } catch {
    return secretName.test(text) ? MASK : maskText(words.inText(text))
  }
}

/** In the order and the spelling in which it was sent, wherever nothing is hidden. */
function maskForm(text: string, words: Words): string {
  const isSecret = secretFields(text)
  const pairs = text.split('&').map((pair) => {
    const [name = '', ...rest] = pair.split('=')
    const shown = maskFormValue(rest.join('='), isSecret(name), words)
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

function maskFormValue(value: string, isSecret: boolean, words: Words): string {
  const sent = querystring.unescape(value.replaceAll('+', ' '))
  if (isSecret) return words.forSecret(sent)
  const shown = words.inText(sent)
  return shown === sent ? maskText(value) : encodeURIComponent(maskText(shown))
}

/** A name is short and plain, or it is no name: JSON that is sent as a form is one. */
function maskName(name: string): string {
  const read = decodeText(name)
  if (secretName.test(read) && !/^[\w.[\]-]{1,100}$/.test(read)) return MASK
  return maskText(name)
}

function maskValue(name: string, value: unknown, words: Words): unknown {
  if (value === null) return null
  const isText = typeof value === 'string'
  if (isSecretName(name) && !isCount(name, value)) {
    return words.forSecret(isText ? value : JSON.stringify(value))
  }
  if (isText) {
    // A provider state can name the token that it is about.
    return maskText(words.inText(name === 'state' ? value.replace(TOKEN_IN_STATE, MASK) : value))
  }
  if (Array.isArray(value)) return value.map((each) => maskValue(name, each, words))
  if (typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      maskName(key),
      maskValue(isNamedBeside(key, value) ? 'secret' : key, each, words),
    ]),
  )
}

function isCount(name: string, value: unknown): boolean {
  return /^(?:tokens|token_families)$/.test(name) && typeof value === 'number'
}

/** Any text: hidden where it looks like a secret, or has one beside its name. */
function maskText(text: string): string {
  const read = decodeText(text)
  if (read.includes('\0') || /\\u00/i.test(read)) return MASK
  if ([...new Set([text, read])].some(hasSecretInside)) return MASK
  if (maskSecrets(read) === read) return text
  return read === text ? maskSecrets(text) : MASK
}

/** Whether a text has a secret inside: it is JSON, or base64 of a text, such as a published pact. */
export function hasSecretInside(text: string): boolean {
  if (/^\s*[[{]/.test(text)) {
    try {
      const json: unknown = JSON.parse(text)
      return JSON.stringify(maskValue('', json, alike)) !== JSON.stringify(json)
    } catch {
      // No JSON, or too deep.
    }
  }
  if (!/^[\w+/-]{24,}={0,2}$/.test(text)) return false
  const inside = Buffer.from(text, 'base64').toString()
  return !inside.includes('\uFFFD') && maskSecrets(inside) !== inside
}

/** A text as it reads once its percent escapes are gone, also those within escapes. */
function decodeText(text: string): string {
  let read = text
  for (let times = 0; times < ESCAPES_MAX && read.includes('%'); times += 1) {
    read = read.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
      Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
    )
  }
  return read.replaceAll('+', ' ')
}

/** How it was presented may be what was wrong. */
function maskCredential(value: string): string {
  return /^Bearer +\S/i.test(value) ? `Bearer ${MASK}` : MASK
}
