/**
 * Form-encoded text: how it is split into fields. Strict where browsers are forgiving, because a client that passes
 * here must not rely on a guess. Also reads query strings, which are written alike. (Assumption form-scalars)
 */
import { FORM_FIELDS_MAX } from '../../surface/operation.ts'
import { RefusalError, shortened } from '../../surface/refusals.ts'

/**
 * Splits form-encoded text into its fields, in their order. Throws 400 on a bad escape, on invalid UTF-8, on a field
 * that comes twice and, unless `empty` allows it, one that is empty. `where` names the text in messages: "body" or "query".
 */
export function parseForm(
  text: string,
  where: 'body' | 'query',
  empty: 'refused' | 'allowed' = 'refused',
): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of formPairs(text, where, empty)) {
    if (fields.has(name)) throw fieldFault(name, 'must be given once; got it twice')
    fields.set(name, value)
  }
  return fields
}

/** The fields of form-encoded text as they come, those that come again too. Throws as `parseForm` does. */
export function* formPairs(
  text: string,
  where: 'body' | 'query',
  empty: 'refused' | 'allowed' = 'refused',
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
      throw fieldFault(name, 'is empty; leave it out, or give it a value')
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

function fieldFault(name: string, fault: string): RefusalError {
  const message = `${printName(name)} ${fault}.`
  const fields = [{ field: name, message }]
  return new RefusalError('invalid_request', message, { fields, assumptions: ['form-scalars'] })
}

/** A field's name as messages print it: bare where it is plain, quoted and cut where it is not. */
export function printName(name: string): string {
  const shown = shortened(name)
  return /^[\w.[\]]+$/.test(shown) && shown.length === name.length ? name : JSON.stringify(shown)
}
