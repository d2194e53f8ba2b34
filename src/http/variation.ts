/**
 * Variations: what /v1 does for a sandbox whose setting `vary` names assumptions, as a service could that keeps to the
 * interface. An answer is changed only by what its own header says it rests on. Also changes answers as the settings of
 * successful statuses and of field names say. Other assumptions that are settings need nothing here: `settingsInForce`
 * gives the rules another value. Those that the reading of a request decides are in request/strict and authentication,
 * and those of one operation with it, in operations/v1.
 */
import type { Context } from 'hono'
import type { AssumptionSlug, VariedSlug } from '../assumptions/register.ts'
import { sidesOf } from '../assumptions/subscriptions.ts'
import { successStatusOf } from '../assumptions/surface.ts'
import type { VariedInOperations } from '../operations/v1.ts'
import { WireSubscription } from '../wire/billing/subscription.ts'
import { turnOf } from './request/context.ts'
import { type AnswerFields, type VariedAnswer, withBody } from './request/deviation.ts'
import type { VariedInRequests } from './request/strict.ts'

type Variation = (answer: VariedAnswer) => VariedAnswer

const REFUSED_STATUS = 422
const instantField = /_(at|end|start)$/

const documentedStatuses: Readonly<Record<string, string>> = {
  trialing: 'Trialing',
  active: 'Active',
  past_due: 'Past Due',
  canceled: 'Canceled',
  expired: 'Expired',
}

/** What the interface names of a subscription: its source is a section of the document, not an assumption. */
const documentedFields = Object.entries(WireSubscription.shape)
  .filter(([, field]) => /^[1-9]$/.test(String(field.meta()?.['source'])))
  .map(([name]) => name)

/** By assumption, in the order in which they are applied: the envelope is put around what the others decided. */
const variations: Readonly<
  Record<Exclude<VariedSlug, VariedInRequests | VariedInOperations>, Variation>
> = {
  'status-names': onSuccess(withBody(renameStatus)),
  'error-codes': onRefusal(withCode((code) => code.toUpperCase())),
  'coupon-refusals': onRefusal(withCode(() => 'coupon_refused')),
  'method-not-allowed': onRefusal(({ body }) => ({
    status: 404,
    body: { ...(body as AnswerFields), error: 'not_found' },
  })),
  'refresh-error-statuses': onRefusal(({ status, body }) => ({
    status: status === 400 ? 403 : 400,
    body,
  })),
  'error-envelope': onRefusal(
    withBody(({ error, message }) => ({ errors: [{ reason: error, text: message }] })),
  ),
}
const variationsInOrder = Object.entries(variations) as [VariedSlug, Variation][]

/** An answer on /v1, changed by each assumption that it rests on and that its sandbox varies. */
export function varyAnswer(c: Context, answer: VariedAnswer): VariedAnswer {
  const { vary, successStatus: statuses, subscriptionFields: fields } = turnOf(c).settings
  const { deviation } = c.get('server')
  const isSet = statuses.length > 0 || fields.length > 0
  if (vary.length === 0 && !isSet && deviation === undefined) return answer
  const restsOn = c.get('assumptions') ?? new Set()
  const status = successStatusOf(statuses, c.get('operation')?.operationId ?? '')
  const set: readonly [AssumptionSlug, Variation][] = [
    ['success-status', onSuccess(({ body }) => ({ status, body }))],
    ['subscription-fields', onSuccess(withBody((body) => withOtherFields(body, fields)))],
  ]
  const named = variationsInOrder.filter(([slug]) => vary.includes(slug))
  const varied = [...named, ...set]
    .filter(([slug]) => restsOn.has(slug))
    .reduce((changed, [, variation]) => variation(changed), answer)
  return deviation?.evolve?.(varied, restsOn) ?? varied
}

function onSuccess(variation: Variation): Variation {
  return (answer) => (answer.status < 300 ? variation(answer) : answer)
}

/** A defect and a disk that fails stay what they are; what a strict sandbox refuses, with 501, is in the envelope too. */
function onRefusal(variation: Variation): Variation {
  const isVaried = (status: number) => (status >= 400 && status < 500) || status === 501
  return (answer) => (isVaried(answer.status) ? variation(answer) : answer)
}

function renameStatus(body: AnswerFields): AnswerFields {
  const { status } = body
  return { ...body, status: documentedStatuses[String(status)] ?? status }
}

/** A subscription record as the setting `subscription_fields` writes it. */
function withOtherFields(body: AnswerFields, fieldChanges: readonly string[]): AnswerFields {
  const names = new Map(fieldChanges.map(sidesOf))
  const kept = names.has('documented') ? documentedAlone(body) : body
  const timed = names.has('epoch_seconds') ? withEpochSeconds(kept) : kept
  const renamed = Object.fromEntries(
    Object.entries(timed).map(([field, value]) => [names.get(field) ?? field, value]),
  )
  const envelope = names.get('envelope')
  return envelope === undefined ? renamed : { [envelope]: renamed }
}

function withEpochSeconds(body: AnswerFields): AnswerFields {
  return JSON.parse(JSON.stringify(body), (field, value) =>
    instantField.test(field) && typeof value === 'string' ? Date.parse(value) / 1000 : value,
  )
}

function documentedAlone(body: AnswerFields): AnswerFields {
  const present = documentedFields.filter((name) => body[name] !== null)
  return {
    ...Object.fromEntries(present.map((name) => [name, body[name]])),
    object: 'subscription',
  }
}

function withCode(rename: (code: string) => string): Variation {
  return ({ body }) => {
    const fields = body as AnswerFields
    return { status: REFUSED_STATUS, body: { ...fields, error: rename(String(fields['error'])) } }
  }
}
