/**
 * Masking: what was sent and answered, without its secrets. By the name of a field, and by the look of a value; where a
 * text cannot be read, and names a secret, nothing of it is shown.
 */
import { masked } from '../surface/refusals.ts'

const MASK = '[masked]'

/** Names of what is secret. What says only how a token is used or for how long is none. */
const secretName = /authorization|cookie|credential|password|secret|token|api[-_]?key/i
const openName = /^token_type$|_lifetime$/i

/** Headers by their names in lower case; several of one name are joined. */
export function maskedHeaders(pairs: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [name = '', value = ''] = [pairs[at]?.toLowerCase(), pairs[at + 1]]
    const shown = isSecret(name) ? maskedCredential(value) : masked(value)
    const before = headers.get(name)
    headers.set(name, before === undefined ? shown : `${before}, ${shown}`)
  }
  return Object.fromEntries(headers)
}

/** A path with its query. */
export function maskedTarget(target: string): string {
  const [path = '', ...rest] = target.split('?')
  const query = rest.join('?')
  return `${masked(path)}${query === '' ? '' : `?${maskedForm(query)}`}`
}

/** A body: JSON, a form, or whatever was sent under these names. */
export function maskedBody(text: string, mediaType: string | null): string {
  if (mediaType?.startsWith('application/x-www-form-urlencoded')) return maskedForm(text)
  try {
    const value: unknown = JSON.parse(text)
    const shown = maskedValue('', value)
    // As it was written, wherever nothing is hidden.
    return JSON.stringify(shown) === JSON.stringify(value) ? text : JSON.stringify(shown)
  } catch {
    return maskedUnread(text)
  }
}

function maskedForm(text: string): string {
  const pairs = [...new URLSearchParams(text)]
  const shown = pairs.map(([name, value]) => [name, isSecret(name) ? MASK : masked(value)] as const)
  const isOpen = shown.every(([, value], index) => value === pairs[index]?.[1])
  // A name may look like a secret, too.
  if (isOpen && masked(text) === text) return text
  return shown.map(([name, value]) => `${masked(name)}=${value}`).join('&')
}

function maskedValue(name: string, value: unknown): unknown {
  if (typeof value === 'string') return isSecret(name) ? MASK : masked(value)
  if (Array.isArray(value)) return value.map((each) => maskedValue(name, each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [masked(key), maskedValue(key, each)]),
  )
}

/** A name may be written in escapes here, so that none is looked for behind them. */
function maskedUnread(text: string): string {
  const isOpen = !secretName.test(text) && !/\\u|%[0-9a-f]{2}/i.test(text)
  return isOpen ? masked(text) : MASK
}

export function isSecret(name: string): boolean {
  return secretName.test(name) && !openName.test(name)
}

/** How it was presented may be what was wrong. */
function maskedCredential(value: string): string {
  return /^Bearer +\S/i.test(value) ? `Bearer ${MASK}` : MASK
}
