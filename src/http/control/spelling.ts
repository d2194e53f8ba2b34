/** How a state document is spelled: in snake case on the wire, in camel case in code, mechanically, at every depth. */

import { camelKey, snakeKey } from '../../wire/case.ts'
import { fieldsRefused } from '../field-errors.ts'
import { printName } from '../form.ts'

/** Spells every key of a document as the wire does, at every depth. */
export function snakeDeep(document: unknown): unknown {
  return respell(document, remembered(snakeKey))
}

/** Spells every key of a document as code does, at every depth. Throws 400 for a key that the wire does not write. */
export function camelDeep(document: unknown): unknown {
  return respell(document, remembered(camelKeyOf))
}

function camelKeyOf(key: string): string {
  if (!/[A-Z]/.test(key)) return camelKey(key)
  const message = `${printName(key)} is not taken here; names in snake case would be accepted.`
  throw fieldsRefused([{ field: key, message }])
}

function respell(value: unknown, spell: (key: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => respell(each, spell))
  const entries = Object.entries(value).map(([key, inner]) => [spell(key), respell(inner, spell)])
  return Object.fromEntries(entries)
}

/** A document has few keys, each of them many thousand times. */
function remembered(spell: (key: string) => string): (key: string) => string {
  const spelt = new Map<string, string>()
  return (key) => {
    const known = spelt.get(key)
    if (known !== undefined) return known
    const made = spell(key)
    spelt.set(key, made)
    return made
  }
}
