/**
 * The state document on the wire: the keys in snake case, mechanically, at every depth. Says what stands at the top;
 * what is below is checked by the schemas that guard the disk.
 */
import { z } from 'zod'
import { StateDocument } from '../../sandbox/state-document.ts'
import { fieldsRefused } from '../field-errors.ts'
import { printName } from '../form.ts'
import { camelKey, snakeKey, snakeKeys } from './case.ts'

const records = { type: 'array', items: { type: 'object' }, description: 'The records.' }
const parts: Readonly<Record<string, Record<string, unknown>>> = {
  format: { type: 'integer', description: 'The version of the shape.' },
  sandboxId: { type: 'string', description: 'Whose state it is; the target keeps its own.' },
  origin: { type: 'object', description: 'What a reset returns to.' },
  clock: { type: 'object', description: 'Where the clock stands.' },
  settings: { type: 'object', description: 'All settings.' },
  sequences: { type: 'object', description: 'The newest number of each kind of counted id.' },
}

const fields = Object.fromEntries(
  Object.keys(StateDocument.shape).map((key) => [key, z.unknown().meta(parts[key] ?? records)]),
)

/** A whole sandbox as one document. */
export const WireState = z
  .strictObject(snakeKeys(fields))
  .meta({ id: 'State', description: 'A whole sandbox as one document.', source: 'sandbox' })
export type WireState = z.input<typeof WireState>

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
