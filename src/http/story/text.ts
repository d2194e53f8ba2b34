/** The texts of a recording: from bytes, one character each, to what JSON can hold. */
import { isUtf8 } from 'node:buffer'
import type { Part, Parts } from './secrets.ts'

/** Where a sandbox listens by default. */
export const SANDBOX_ADDRESS = 'http://127.0.0.1:4010'

/** The pieces of a body: text, variables, and bytes that are not UTF-8. */
export type Body = readonly (Part | { readonly base64: string })[]

/** A body, read as UTF-8. */
export function encodedBody(parts: Parts): Body {
  return joined(parts).map((part) => {
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
export function joined(parts: Parts): Parts {
  const whole: Part[] = []
  for (const part of parts) {
    const last = whole.at(-1)
    if (typeof part === 'string' && typeof last === 'string') whole[whole.length - 1] = last + part
    else if (part !== '') whole.push(part)
  }
  return whole.length === 0 ? [''] : whole
}
