/**
 * Form-encoded text: how it is split into fields. Strict where browsers are forgiving, because a client that passes
 * here must not rely on a guess. Also reads query strings, which are written alike. (Assumption form-scalars)
 */
import type * as z from 'zod'
import { FORM_FIELDS_MAX } from '../../surface/operation.ts'
import { printName, RefusalError } from '../../surface/refusals.ts'
import { fieldsOf, isList, metaOf, scalarKindOf } from '../../surface/schema-walk.ts'
import { setMember } from '../../wire/common/case.ts'

/** Where form-encoded text is: "body" or "query" in messages, and whether a field may have no value. */
interface Place {
  readonly where: 'body' | 'query'
  readonly empty?: 'refused' | 'allowed' | undefined
}

/**
 * Reads form-encoded text into fields, each by what its schema expects. A list comes several times, or has its values
 * joined by commas. Throws 400 on a bad escape, on invalid UTF-8, on another field that comes twice and, unless `empty`
 * allows it, on one that is empty. Text that does not read as its kind stays text, for the schema to refuse.
 */
export function readForm(text: string, schema: z.ZodType, place: Place): Record<string, unknown> {
  const known = fieldsOf(schema)
  const fields: Record<string, unknown> = {}
  for (const [name, value] of formPairs(text, place, known)) {
    const field = known.get(name)
    const isListed = field !== undefined && isList(field)
    if (isListed && metaOf(field).joined !== true) {
      fields[name] = [...((fields[name] ?? []) as string[]), value]
      continue
    }
    if (Object.hasOwn(fields, name)) throw fieldError(name, 'must be given once; got it twice')
    setMember(fields, name, isListed ? value.split(',') : readScalar(value, field))
  }
  return fields
}

const integerText = /^(?:0|[1-9][0-9]{0,14})$/

function readScalar(text: string, field: z.ZodType | undefined): string | number | boolean {
  const kind = scalarKindOf(field)
  if (kind === 'integer' && integerText.test(text)) return Number(text)
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** The fields of form-encoded text as they come. */
function* formPairs(
  text: string,
  { where, empty = 'refused' }: Place,
  known: ReadonlyMap<string, z.ZodType>,
): Generator<readonly [name: string, value: string]> {
  if (text === '') return
  const parts = text.split('&', FORM_FIELDS_MAX + 1)
  if (parts.length > FORM_FIELDS_MAX) {
    throw malformed(`The ${where} has more than ${FORM_FIELDS_MAX} fields`)
  }
  let position = 0
  for (const part of parts) {
    position += 1
    const place = () => `field ${position} of the ${where}`
    const equals = part.indexOf('=')
    const name = decode(equals === -1 ? part : part.slice(0, equals), place)
    if (name === '') throw malformed(`The name of ${place()} is empty`)
    const value = equals === -1 ? '' : decode(part.slice(equals + 1), place)
    if (value === '' && empty === 'refused') {
      const isRequired = known.get(name)?.isOptional() === false
      throw fieldError(name, `is empty; ${isRequired ? '' : 'leave it out, or '}give it a value`)
    }
    yield [name, value]
  }
}

function decode(text: string, place: () => string): string {
  try {
    return /[+%]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text
  } catch {
    throw malformed(
      `${place()} must have percent escapes of UTF-8, such as %20 for a space and %25 for a percent sign`,
    )
  }
}

function malformed(message: string): RefusalError {
  return new RefusalError(
    'invalid_request',
    `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
    { assumptions: ['form-scalars'] },
  )
}

function fieldError(name: string, fault: string): RefusalError {
  const message = `${printName(name)} ${fault}.`
  const fields = [{ field: name, message }]
  return new RefusalError('invalid_request', message, { fields, assumptions: ['form-scalars'] })
}
