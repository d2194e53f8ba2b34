/**
 * The assumptions that a sandbox decides otherwise, where its setting `vary` names them, while it reads a request. The
 * others are decided on the way out, in variation, or by the operation, in operations/v1.
 */
import type { AssumptionSlug, Settings, VariedSlug } from '../assumptions/register.ts'
import { type BodyDeclaration, mediaTypes } from '../surface/operation.ts'
import { RefusalError } from '../surface/refusals.ts'

type Varying = Pick<Settings, 'vary'>

/** What is decided otherwise, by assumption. */
export const requestVariations = {
  'access-tokens-on-subscription-calls': refusesAccessTokens,
  'json-bodies': refuseJson,
} satisfies { readonly [Slug in VariedSlug]?: unknown }

/** Whether subscription calls take API keys alone. */
function refusesAccessTokens(settings: Varying): boolean {
  return varies(settings, 'access-tokens-on-subscription-calls')
}

/** Refuses JSON where taking it is an assumption. */
function refuseJson({ jsonSource }: BodyDeclaration, settings: Varying): void {
  if (jsonSource === undefined || !varies(settings, jsonSource)) return
  const message = `Content-Type must be ${mediaTypes.form}: the sandbox varies ${jsonSource}.`
  throw new RefusalError('unsupported_media_type', message)
}

function varies({ vary }: Varying, slug: AssumptionSlug): boolean {
  return vary.includes(slug)
}
