/** Texts of a story on their way into a script: from bytes, one character each, to what an editor shows. */
import { isUtf8 } from 'node:buffer'
import type { Part, Parts } from './secrets.ts'

/** Where a sandbox listens unless told otherwise. */
export const SANDBOX_ADDRESS = 'http://127.0.0.1:4010'

/** The parts with neighbours of one kind joined, and without empty ones; one empty text for nothing. */
export function joined(parts: Parts): Parts {
  const whole: Part[] = []
  for (const part of parts) {
    const last = whole.at(-1)
    if (typeof part === 'string' && typeof last === 'string') whole[whole.length - 1] = last + part
    else if (part !== '') whole.push(part)
  }
  return whole.length === 0 ? [''] : whole
}

/** The text that bytes stand for; null where they are no UTF-8. */
export function textOf(bytes: string): string | null {
  const buffer = Buffer.from(bytes, 'latin1')
  return isUtf8(buffer) ? buffer.toString() : null
}

/** The parts as text; null where one is no UTF-8. */
export function textsOf(parts: Parts): Parts | null {
  const texts = joined(parts).map((part) => (typeof part === 'string' ? textOf(part) : part))
  return texts.includes(null) ? null : (texts as Parts)
}

/** An expression that puts parts together, in a language whose strings are written as in JSON and added by `+`. */
export function expressionOf(parts: Parts): string {
  return joined(parts)
    .map((part) => (typeof part === 'string' ? JSON.stringify(part) : part.variable))
    .join(' + ')
}
