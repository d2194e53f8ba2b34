/** What a recorded interaction is called: a sentence of what the call does, or of what is refused. */
import type { V1OperationId } from '../../operations/v1.ts'
import type { World } from '../../world/world.ts'
import { type CallInput, type CapturedCall, textIn } from './captured-call.ts'
import { statesBefore } from './states-before.ts'

/** What each operation does, what one refuses to do, and to what. */
const sentences: Readonly<Record<V1OperationId, readonly [does: string, to: string, what: What]>> =
  {
    createSubscription: ['creates', 'create', (asked) => `a subscription${planText(asked)}`],
    updateSubscription: ['moves', 'move', (asked, subject) => `${subject}${planText(asked)}`],
    pauseSubscription: ['pauses', 'pause', (_, subject) => subject],
    cancelSubscription: ['cancels', 'cancel', (asked, subject) => `${subject}${timingText(asked)}`],
    applyCoupon: ['applies', 'apply', (asked, subject) => `${coupon(asked)} to ${subject}`],
    refreshToken: ['exchanges', 'exchange', (_, subject) => subject],
  }

type What = (asked: CallInput, subject: string) => string

/** What a recorded call does, or what is refused, in words. */
export function wordingOf({ refusal, before }: CapturedCall, asked: CallInput): string {
  const [does, to, what] = sentences[asked.operation]
  const isJson = asked.fields !== null && !asked.isForm && asked.operation !== 'refreshToken'
  const shown = { ...asked, fields: asked.shown }
  const rest = `${what(shown, subjectIn(asked, before))}${isJson ? ', with JSON' : ''}`
  return refusal === null ? `${does} ${rest}` : `refuses to ${to} ${rest}: ${refusal.code}`
}

function planText(asked: CallInput): string {
  const plan = textIn(asked, 'plan')
  const days = asked.fields?.['trial_period_days']
  const unit = Number(days) === 1 ? 'day' : 'days'
  const trial = days === undefined ? '' : ` with a trial of ${days} ${unit}`
  return `${plan === '' ? '' : ` to the plan ${plan}`}${trial}`
}

function coupon(asked: CallInput): string {
  return `the coupon ${textIn(asked, 'coupon_id')}`.trim()
}

function timingText({ fields }: CallInput): string {
  return String(fields?.['at_period_end']) === 'true' ? ' at the end of its period' : ''
}

/** What the call is about, as it is before it. */
function subjectIn(asked: CallInput, world: World | null): string {
  if (asked.operation === 'refreshToken') {
    if (asked.authorization === null) return 'a refresh token without the Authorization header'
    const [state] = world === null ? [] : statesBefore(asked, world)
    return state?.name.replace(' is ', ' that is ') ?? 'a refresh token that is unknown'
  }
  const subscription = world?.subscriptions.get(asked.subscriptionId)
  if (subscription === undefined) return 'a subscription that does not exist'
  const status = subscription.status.replace('_', ' ')
  const coupons = subscription.discounts.map(({ couponId }) => couponId).join(', ')
  const discount = coupons === '' ? '' : ` with the coupon ${coupons}`
  const ending = subscription.cancelAtPeriodEnd ? ' that ends with its period' : ''
  return `${/^[aeiou]/.test(status) ? 'an' : 'a'} ${status} subscription${discount}${ending}`
}
