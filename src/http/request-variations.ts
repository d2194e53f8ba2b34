/**
 * The assumptions that a sandbox decides otherwise, where its setting `vary` names them, while it reads a request. The
 * others are decided on the way out, in v1/variation.
 */
import type { Context } from 'hono'
import { VARIED_TRIAL_DAYS_MAX } from '../assumptions/bounds.ts'
import type { AssumptionSlug, Settings, VariedSlug } from '../assumptions/register.ts'
import { type BodyDeclaration, mediaTypes } from '../surface/operation.ts'
import { RefusalError } from '../surface/refusals.ts'
import { noteAssumptions } from './assumptions.ts'

type Varying = Pick<Settings, 'vary'>

/** What is decided otherwise, by assumption. */
export const requestVariations = {
  'access-tokens-on-subscription-calls': refusesAccessTokens,
  'immediate-cancel-parameter': cancelsAtPeriodEnd,
  'json-bodies': refuseJson,
  'trial-period-bounds': refuseLongTrial,
} satisfies { readonly [Slug in VariedSlug]?: unknown }

/** Whether subscription calls take API keys alone. */
function refusesAccessTokens(settings: Varying): boolean {
  return varies(settings, 'access-tokens-on-subscription-calls')
}

/** Whether a cancellation waits for the end of the period. */
function cancelsAtPeriodEnd(c: Context, asked: boolean | undefined): boolean {
  const isVaried = varies(c.get('sandbox').settings, 'immediate-cancel-parameter')
  if (asked !== undefined || !isVaried) return asked === true
  noteAssumptions(c, ['immediate-cancel-parameter'])
  return true
}

/** Refuses JSON where taking it is an assumption. */
function refuseJson({ jsonSource }: BodyDeclaration, settings: Varying): void {
  if (jsonSource === undefined || !varies(settings, jsonSource)) return
  const message = `Content-Type must be ${mediaTypes.form}: the sandbox varies ${jsonSource}.`
  throw new RefusalError('unsupported_media_type', message)
}

/** Refuses a trial that is too long for a sandbox with other bounds. */
function refuseLongTrial(c: Context, days: number | undefined): void {
  if (days === undefined || days <= VARIED_TRIAL_DAYS_MAX) return
  if (!varies(c.get('sandbox').settings, 'trial-period-bounds')) return
  throw new RefusalError(
    'invalid_request',
    `trial_period_days must be an integer from 0 to ${VARIED_TRIAL_DAYS_MAX}; got ${days}.`,
    { assumptions: ['trial-period-bounds'] },
  )
}

function varies({ vary }: Varying, slug: AssumptionSlug): boolean {
  return vary.includes(slug)
}
