/**
 * The texts of a recording without secrets. Keys and tokens become variables with those of the new sandbox; any other
 * secret becomes a mask, the same one everywhere. Texts are bytes here, one character each, so that any body can be
 * recorded, until they become what JSON can hold.
 */
import { isUtf8 } from 'node:buffer'
import { jsonIn } from '../../contracts/common/json.ts'
import { type JsonValue, valuesIn } from '../../masking/json-values.ts'
import {
  isSecretName,
  ownSecretsIn,
  SECRET_FOLLOWS,
  SECRET_LOOKS,
  SECRET_NAMES,
} from '../../masking/looks.ts'
import {
  maskBody,
  maskText,
  mayNameSecret,
  secretFields,
  stateField,
  TOKEN_IN_STATE,
} from '../../masking/mask.ts'
import type { Body, Part, Parts } from '../../wire/sandbox/recording.ts'
import { tokenShape } from '../../world/commands/tokens.ts'

/** The name of a secret, before it. */
const NAMED = `(?:${SECRET_NAMES})${SECRET_FOLLOWS}`
/** What looks like a key or a token of ours, of which an underscore may be escaped, or has the name of a secret before it. */
const secretLook = new RegExp(
  [
    String.raw`(?:(?<![a-z0-9])|(?<=%[0-9a-f]{2}))sk(?:_|%5f)[\w%-]{4,}`,
    String.raw`[ar]t(?:_|%5f)[a-z0-9-]+(?:_|%5f)[\w%-]{20,}`,
    SECRET_LOOKS,
    String.raw`(?<=${NAMED}\s*(?:\\*["']){0,2}(?<quote>\\*["']))(?:(?!(?<!\\)\k<quote>)[^])+|[{[](?<=${NAMED}\s*.)[^]*`,
    String.raw`(?<=${NAMED})[^\s"'&;,}\\]+`,
  ].join('|'),
  'gi',
)

/** A text with the name of its member. */
type NamedText = Pick<JsonValue, 'name' | 'isSecret'> & { readonly value: string }

export class Secrets {
  readonly #sandboxId: string
  /** The variables that recorded texts contain. */
  readonly used = new Set<string>()
  readonly #issued = new Map<string, string>()
  readonly #masks = new Map<string, Parts>()
  /** How many masks recorded texts contain. */
  masked = 0

  constructor(sandboxId: string) {
    this.#sandboxId = sandboxId
  }

  /** The variable for a token in an answer; null if the token is not new. */
  issue(field: string, token: string): string | null {
    if (!tokenShape.test(token) || this.#issued.has(token)) return null
    const variable = `${field}_${this.#issued.size + 1}`
    this.#issued.set(token, variable)
    return variable
  }

  /** A path with its query. */
  inTarget(target: string): Parts {
    const at = target.indexOf('?')
    if (at === -1) return this.inText(target)
    return [...this.inText(target.slice(0, at + 1)), ...this.#inForm(target.slice(at + 1))]
  }

  inHeader(name: string, value: string): Parts {
    if (!isSecretName(name)) return this.inText(value)
    const [, scheme = '', credential = value] = /^(Bearer +)([\x21-\x7e]+)$/i.exec(value) ?? []
    return credential === '' ? [] : [scheme, ...this.#secret(credential)]
  }

  inBody(text: string, mediaType: string): Parts {
    const mayHide = mayNameSecret(text) || /[\w+/-]{24}/.test(text)
    if (!mayHide && text.search(lookIn(text, '')) === -1) return [text]
    if (/^application\/x-www-form-urlencoded/i.test(mediaType)) return this.#inForm(text)
    if (jsonIn(text) !== undefined) return this.#inJson(text)
    // Whatever it is, it is refused, and so is a mask.
    return maskBody(text, mediaType) === text ? [text] : this.#secret(text)
  }

  /** Secrets are found by their look, anywhere in the text. */
  inText(text: string, name = ''): Parts {
    const look = lookIn(text, name)
    if (text.search(look) === -1) return [text]
    const parts: Part[] = []
    let from = 0
    for (const { 0: found, index } of text.matchAll(look)) {
      parts.push(text.slice(from, index), ...this.#secret(found))
      from = index + found.length
    }
    return [...parts, text.slice(from)]
  }

  #inForm(text: string): Parts {
    const isSecretField = secretFields(text)
    return text.split('&').flatMap((pair, index) => {
      const at = pair.indexOf('=') + 1
      const [field, sent] = [pair.slice(0, Math.max(at - 1, 0)), pair.slice(at)]
      const value = { name: decode(field), value: decode(sent), isSecret: isSecretField(field) }
      const shown = this.#inValue(value, encodeURIComponent)
      return [index === 0 ? '' : '&', ...this.inText(pair.slice(0, at)), ...(shown ?? [sent])]
    })
  }

  /** Value by value, so that a name that comes twice hides no secret, and all else stays as it was sent. */
  #inJson(text: string): Parts {
    const parts: Part[] = []
    let from = 0
    for (const { at, token, value, name, isName, isSecret } of valuesIn(text)) {
      parts.push(text.slice(from, at))
      from = at + token.length
      if (typeof value === 'string') {
        const shown = this.#inValue({ value, name, isSecret: isSecret && !isName }, escapeJson)
        parts.push(...(shown === null ? [token] : ['"', ...shown, '"']))
      } else {
        // A number in its place is read, or refused, in the same way.
        parts.push(isSecret ? '0' : token)
        if (isSecret) this.masked += 1
      }
    }
    return [...parts, text.slice(from)]
  }

  /** A value without its secrets; null if it has none. */
  #inValue({ name, value, isSecret }: NamedText, encode: (text: string) => string): Parts | null {
    if (isSecret && value !== '') return this.#secret(value)
    const parts = this.inText(value, name)
    // What is left has no secret in JSON or in escapes.
    const isOpen = parts.every((part) => typeof part !== 'string' || maskText(part) === part)
    if (!isOpen) return this.#secret(value)
    if (parts.length === 1) return null
    return parts.map((part) => (typeof part === 'string' ? encode(part) : part))
  }

  #secret(secret: string): Parts {
    const variable = this.#issued.get(secret)
    if (variable !== undefined) {
      this.used.add(variable)
      return [{ variable }]
    }
    const suffix = keySuffixOf(secret, this.#sandboxId)
    if (suffix !== null) return [{ variable: 'key' }, suffix]
    this.masked += 1
    const mask = this.#masks.get(secret) ?? this.#maskOf(secret, this.#masks.size + 1)
    this.#masks.set(secret, mask)
    return mask
  }

  /** A mask looks like its secret, so that it is refused in the same way. */
  #maskOf(secret: string, number: number): Parts {
    const [, kind, sandboxId = ''] = tokenShape.exec(secret) ?? []
    if (kind === undefined) return [`masked-${/live/i.test(secret) ? 'live-' : ''}${number}`]
    const owner = sandboxId === this.#sandboxId ? { variable: 'id' } : sandboxId
    return [`${kind}_`, owner, `_${`masked-${number}`.padEnd(43, 'x')}`]
  }
}

/** What follows the API key of a sandbox in a further key of it; empty for the first one, null for another text. */
export function keySuffixOf(text: string, sandboxId: string): string | null {
  const key = `sk_sandbox_${sandboxId}`
  const suffix = text.slice(key.length)
  return text.startsWith(key) && /^(?:_[a-z0-9]+)?$/.test(suffix) ? suffix : null
}

/** Matches what looks like a secret, the secrets of this process, and the token in a provider state. */
function lookIn(text: string, name: string): RegExp {
  const more = ownSecretsIn(text).map((secret) => secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  if (stateField.test(name)) more.push(TOKEN_IN_STATE.source)
  return more.length === 0 ? secretLook : new RegExp([...more, secretLook.source].join('|'), 'gi')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function escapeJson(text: string): string {
  const code = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u0100-\uffff]/g, code)
}

/** A body, read as UTF-8. */
export function encodeBody(parts: Parts): Body {
  return joinParts(parts).map((part) => {
    if (typeof part !== 'string') return part
    return textOf(part) ?? { base64: Buffer.from(part, 'latin1').toString('base64') }
  })
}

/** The text of bytes; null if they are not UTF-8. */
export function textOf(bytes: string): string | null {
  const buffer = Buffer.from(bytes, 'latin1')
  return isUtf8(buffer) ? buffer.toString() : null
}

/** The parts with adjacent texts joined and without empty ones; at least one text. */
export function joinParts(parts: Parts): Parts {
  const whole: Part[] = []
  for (const part of parts) {
    const last = whole.at(-1)
    if (typeof part === 'string' && typeof last === 'string') whole[whole.length - 1] = last + part
    else if (part !== '') whole.push(part)
  }
  return whole.length === 0 ? [''] : whole
}
