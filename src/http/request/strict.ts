/**
 * Strictness: refuses what a request sends beyond the interface, for a sandbox whose setting `strict` is on. Each
 * refusal names the assumption that the request rests on. Also refuses JSON where the setting `vary` asks for that; other
 * variations are those of answers, in variation, of tokens, in authentication, or of operations, in operations/v1.
 */
import type { AssumptionSlug, Settings, VariedSlug } from '../../assumptions/register.ts'
import { type BodyDeclaration, mediaTypes } from '../../surface/operation.ts'
import { type FieldProblem, printName, printValue, RefusalError } from '../../surface/refusals.ts'
import { type FieldMeta, metaOf } from '../../surface/schema-walk.ts'

export function undocumentedError(
  message: string,
  slug: AssumptionSlug,
  fields: readonly FieldProblem[] = [],
): RefusalError {
  const why = `${message} (assumption ${slug}), and the sandbox is strict.`
  return new RefusalError('undocumented', why, { fields, assumptions: [slug] })
}

/** The assumptions whose alternatives are implemented where a request is read: here, and in authentication. */
export type VariedInRequests = Extract<
  VariedSlug,
  'access-tokens-on-subscription-calls' | 'json-bodies'
>

/** Refuses JSON where taking it is an assumption, which a sandbox varies, or does not make. */
export function assertJsonAllowed(
  { jsonSource }: BodyDeclaration,
  { vary, strict }: Pick<Settings, 'vary' | 'strict'>,
): void {
  if (jsonSource === undefined) return
  const rule = `Content-Type must be ${mediaTypes.form}`
  if (vary.includes(jsonSource)) {
    const message = `${rule}: the sandbox varies ${jsonSource}.`
    throw new RefusalError('unsupported_media_type', message)
  }
  if (strict) {
    throw undocumentedError(`${rule}: the interface shows no JSON for this operation`, jsonSource)
  }
}

/** Refuses the first field, or the first value, that the interface does not show. */
export function assertDocumented(
  known: ReadonlyMap<string, Parameters<typeof metaOf>[0]>,
  fields: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(fields)) {
    const schema = known.get(name)
    if (schema === undefined) {
      throw undocumentedField(name, 'the interface shows no such field', 'unknown-fields')
    }
    const slug = assumptionOf(metaOf(schema), value)
    if (slug === null) continue
    throw undocumentedField(name, `the interface does not show ${printValue(value)}`, slug)
  }
}

function undocumentedField(name: string, why: string, slug: AssumptionSlug): RefusalError {
  const message = `${printName(name)}: ${why}`
  return undocumentedError(message, slug, [{ field: name, message }])
}

/** What a value rests on; null where the interface shows it. */
function assumptionOf(
  { source, members, secret }: FieldMeta,
  value: unknown,
): AssumptionSlug | null {
  if (secret === true) return null
  const shown = typeof value === 'object' ? '' : String(value)
  if (members !== undefined && Object.hasOwn(members, shown)) return members[shown] ?? null
  return source === undefined || /^[1-9]/.test(source) ? null : (source as AssumptionSlug)
}
