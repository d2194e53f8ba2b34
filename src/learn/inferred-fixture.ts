/**
 * The fixture of a recording for which the user gives none: the customers, plans and coupons that it names, as far as
 * the answers say what they are. Each inference is a sentence for the report.
 */
import { unitsPerYear } from '../billing/catalog.ts'
import { TRIAL_DAYS_MAX } from '../billing/coupon.ts'
import { isAsFar } from '../contracts/common/instants.ts'
import { Fixture } from '../sandbox/fixture-format.ts'
import { parse } from '../surface/field-errors.ts'
import { addMonths, DAY_MS, instantAt } from '../time/instant.ts'
import { boundary, type Interval } from '../time/period.ts'
import { countText } from '../wire/common/text.ts'
import {
  type JsonFields,
  type RecordedExchange,
  RecordingError,
  requireExchanges,
  type Traffic,
} from './recording.ts'
import {
  type Call,
  callOf,
  callsWith,
  isExpired,
  isUsedUp,
  momentOf,
  namesIn,
  recordBefore,
  redemptionOf,
} from './subscription-calls.ts'

/** Without a duration in the answers, what a coupon takes off is not known either. */
const usualCoupon: JsonFields = { type: 'percentage', value: 10, duration: 'forever' }

const LEAST_AMOUNT = 1000

const notFound = /not.?found/i
/** Of a coupon, also where it is the subscription that has expired. */
const notApplicable = /not.?applicable/i

/** Without calls on subscriptions that were created before the recording: nobody knows what they were. */
export function withoutOlder(whole: Traffic): Traffic {
  const calls = whole.exchanges.map((each) => callOf(each))
  const creations = calls.filter(({ subject }) => subject === null)
  const known = new Set<unknown>(creations.flatMap(({ got }) => Object.values(got)))
  const leftOut = [...whole.leftOut]
  const exchanges = whole.exchanges.filter(({ place, answer: { status } }, at) => {
    const { subject = null, refusal } = calls[at] ?? {}
    const isUnread = [400, 401, 415].includes(status) || notFound.test(refusal ?? '')
    const isKept = subject === null || known.has(subject) || isUnread
    if (!isKept) leftOut.push(`${place}: its subscription is older than the recording.`)
    return isKept
  })
  const numbered = exchanges.map((each, at) => ({ ...each, number: at + 1 }))
  return requireExchanges({ ...whole, exchanges: numbered, leftOut })
}

/** `renames` are the names that the service has for fields of the sandbox. */
export function inferFixture(
  exchanges: readonly RecordedExchange[],
  renames: ReadonlyMap<string, string> = new Map(),
): { readonly fixture: Fixture; readonly inferred: readonly string[] } {
  const inferred: string[] = []
  const calls = exchanges.map((each) => callOf(each, renames))
  // What is only refused, and once where something was not found, may be what was not found.
  const failed = calls.filter(({ refusal }) => notFound.test(refusal ?? ''))
  const missing = new Set(failed.flatMap(({ asked }) => Object.values(asked)))
  const isNamed = ({ asked }: Call) => Object.values(asked).some((value) => missing.has(value))
  const known = calls.filter((call) => call.refusal === null || !isNamed(call))
  const customers = customersOf(known, inferred)
  const records = {
    products: [{ product_id: 'recorded', name: 'Recorded' }],
    plans: plansOf(known, inferred),
    customers,
    coupons: couponsOf(known, inferred),
    history: namesIn(known, 'coupon_id').filter(isUsedUp(known)).flatMap(redemptionOf),
  }
  for (const [kind, listed] of Object.entries(records)) {
    if (['products', 'history'].includes(kind) || listed.length === 0) continue
    const names = listed.map((each) => Object.values(each)[0]).join(', ')
    inferred.unshift(`${kind} ${names}: the recording names them`)
  }
  const made = parse(Fixture, records)
  if ('data' in made) return { fixture: made.data, inferred }
  const [first] = made.shown
  throw new RecordingError(
    `Its records cannot be inferred, give them with --fixture: ${first?.message}`,
  )
}

function customersOf(calls: readonly Call[], inferred: string[]) {
  const owing = new Map<unknown, Call>()
  for (const call of calls) {
    const isOwing = isExpired(call) || Object.values(call.got).some(isUnpaid)
    const { customer_id } = isExpired(call) ? recordBefore(call, calls) : call.asked
    if (isOwing && !owing.has(customer_id)) owing.set(customer_id, call)
  }
  return namesIn(calls, 'customer_id').map((customer_id) => {
    const { number, got = {} } = owing.get(customer_id) ?? {}
    // Whatever the name of the status is.
    const shown = `exchange ${number} shows it ${Object.values(got).find(isUnpaid) ?? 'expired'}`
    if (number) inferred.push(`customer ${customer_id} has no payment method: ${shown}`)
    return { customer_id, name: customer_id, payment_method: number ? 'none' : 'valid' }
  })
}

/** The status of a new subscription that was not paid; without retries it has ended. */
const isUnpaid = (value: unknown) => /^(?:past.?due|cancell?ed)$/i.test(`${value}`)

function plansOf(calls: readonly Call[], inferred: string[]) {
  const names = namesIn(calls, 'plan')
  const ranks = rankPlans(upgradesIn(calls), names)
  if (names.length > 0) {
    inferred.push(
      'amounts of plans are made up: the interface shows none; an upgrade is to one that costs more',
    )
  }
  return names.map((plan_id) => {
    const found = intervalOf(plan_id, calls)
    const { unit, count } = found ?? { unit: 'month', count: 1 }
    const every = count === 1 ? `by the ${unit}` : `every ${countText(count, unit)}`
    const why = found ? '' : ': no answer shows its periods'
    inferred.push(`plan ${plan_id} is billed ${every}${why}`)
    const months = (12 / Number(unitsPerYear[unit])) * count
    const amount = Math.ceil(LEAST_AMOUNT * (1 + (ranks.get(plan_id) ?? 0)) * months)
    const billed = { amount, currency: 'USD', interval: unit, interval_count: count }
    return { plan_id, product_id: 'recorded', name: plan_id, ...billed }
  })
}

/** By the first periods of its subscriptions, or by months of others, which a resume or a coupon may have changed by days. */
function intervalOf(plan: string, calls: readonly Call[]): Interval | undefined {
  const own = calls.filter(({ got }) => got['plan'] === plan)
  const created = own.filter(({ subject }) => subject === null).flatMap(periodIn)
  const days = created.find(({ unit }) => unit === 'day')
  return days ?? [...created, ...own.flatMap(periodIn)].find(({ unit }) => unit !== 'day')
}

/** The period of an answer in whole months, or else days; none of a trial. A creation by other names has one end to come. */
function periodIn({ subject, at, asked, got }: Call): Interval[] {
  const { current_period_start: start = at, current_period_end: end, trial_end: trialEnd } = got
  const toCome = Object.values(got).filter((each) => Number(momentOf(each)) > Date.parse(at))
  const [other] = subject === null && toCome.length === 1 ? toCome : []
  const [from, to] = [start, end ?? other].map(momentOf)
  const isTrial = Number(asked['trial_period_days']) > 0 || (end && end === trialEnd)
  if (!from || !to || isTrial) return []
  const years = to.getUTCFullYear() - from.getUTCFullYear()
  const months = years * 12 + to.getUTCMonth() - from.getUTCMonth()
  const whole = new Date(addMonths(instantAt(Number(from)), months))
  if (months > 0 && isAsFar([from, to], [from, whole])) {
    return months % 12 ? [{ unit: 'month', count: months }] : [{ unit: 'year', count: months / 12 }]
  }
  const days = Math.round((Number(to) - Number(from)) / DAY_MS)
  const isDays = days > 0 && isAsFar([from, to], [from, new Date(Number(from) + days * DAY_MS)])
  return isDays ? [{ unit: 'day', count: days }] : []
}

type Upgrade = readonly [low: string, high: string]

/**
 * The plans between which subscriptions moved: an upgrade is answered with the new plan, a downgrade with the old one. In a
 * trial upgrades may wait too, so these moves come last; while paused all wait.
 */
function upgradesIn(calls: readonly Call[]): readonly Upgrade[] {
  const plans = new Map<unknown, string>()
  const moves = calls.flatMap(({ subject, asked: { plan: wanted }, got }) => {
    const { plan, status = 'active' } = got
    if (typeof plan !== 'string') return []
    const before = plans.get(subject) ?? plan
    // One of its texts is what later paths call it.
    for (const value of [subject, ...Object.values(got)]) plans.set(value, plan)
    if (subject === null || typeof wanted !== 'string') return []
    const open = /^(?:(trialing)|active|past.?due)$/i.exec(`${status}`)
    if (plan !== wanted) return open ? { isSure: !open[1], upgrade: [wanted, plan] as const } : []
    return before === plan ? [] : { isSure: true, upgrade: [before, plan] as const }
  })
  const inOrder = [true, false].flatMap((isSure) => moves.filter((each) => each.isSure === isSure))
  return inOrder.map(({ upgrade }) => upgrade)
}

/** How many plans are below each, one above the other; of two opposite moves the first one counts. */
function rankPlans(upgrades: readonly Upgrade[], names: readonly string[]): Map<string, number> {
  const ranks = new Map(names.map((name) => [name, 0]))
  const clear = upgrades.filter(([low, high], at) => {
    return !upgrades.slice(0, at).some(([one, other]) => one === high && other === low)
  })
  for (const _ of names) {
    for (const [low, high] of clear) {
      ranks.set(high, Math.max(ranks.get(high) ?? 0, 1 + (ranks.get(low) ?? 0)))
    }
  }
  return ranks
}

function couponsOf(calls: readonly Call[], inferred: string[]) {
  return namesIn(calls, 'coupon_id').map((coupon_id) => {
    const limits = limitsOf(coupon_id, calls, inferred)
    const extension = extensionBy(coupon_id, calls)
    if (extension !== null) {
      inferred.push(`coupon ${coupon_id} extends a trial or period by ${extension.text}`)
      return { coupon_id, type: 'trial_extension', value: extension.days, ...limits }
    }
    const isRefused = callsWith(coupon_id, calls).every(({ refusal }) => refusal !== null)
    if (isRefused && !isUsedUp(calls)(coupon_id)) {
      // What most statuses and plans refuse.
      inferred.push(`coupon ${coupon_id} extends a trial or period by 1 day: it was only refused`)
      return { coupon_id, type: 'trial_extension', value: 1, ...limits }
    }
    const isIt = (each: unknown) => isDiscountOf(coupon_id, each)
    const lists = calls.map(({ got }) => [got['discounts'] ?? []].flat())
    const having = lists.filter((list) => list.some(isIt))
    const shown = having[0]?.find(isIt)
    const terms: JsonFields = { ...usualCoupon, ...shown }
    const { type, value, duration, duration_in_months: months } = terms
    inferred.push(
      shown
        ? `coupon ${coupon_id} is of type ${type}, value ${value}, duration ${duration}: answers show it`
        : `coupon ${coupon_id} takes 10 percent off forever: no answer shows what it does`,
    )
    return {
      ...{ coupon_id, type, value, duration, stackable: having.some((list) => list.length > 1) },
      ...(duration === 'repeating' && { duration_in_months: months }),
      ...(type === 'fixed' && { currency: 'USD' }),
      ...limits,
    }
  })
}

function isDiscountOf(coupon: string, discount: unknown): boolean {
  return Object(discount).coupon_id === coupon
}

/** The whole days by which applying a coupon moved an end, where it left no discount; null where none did. */
function extensionBy(coupon: string, calls: readonly Call[]) {
  for (const call of callsWith(coupon, calls)) {
    const { number, got } = call
    const before = recordBefore(call, calls)
    const { discounts } = got
    if (!Array.isArray(discounts) || discounts.some((each) => isDiscountOf(coupon, each))) continue
    const [end, extended] = [before, got].map((each) => momentOf(each['current_period_end']))
    const isOnePeriod = before['current_period_start'] === got['current_period_start']
    const days = (Number(extended) - Number(isOnePeriod ? end : usualEnd(got, calls))) / DAY_MS
    if (Number.isInteger(days) && days > 0 && days <= TRIAL_DAYS_MAX) {
      return { days, text: `${countText(days, 'day')}: exchange ${number}` }
    }
  }
  return null
}

/** Where a period ends by the interval of its plan; null where answers show too little. */
function usualEnd(got: JsonFields, calls: readonly Call[]): Date | null {
  const start = momentOf(got['current_period_start'])
  const interval = intervalOf(`${got['plan']}`, calls)
  return start && interval ? new Date(boundary(instantAt(Number(start)), interval, 1)) : null
}

/** The first refusal of a coupon on a plan on which it was never accepted, and the plans on which it was not refused so. */
function limitToPlans(own: readonly Call[], calls: readonly Call[]) {
  const accepted = own.filter(({ refusal }) => refusal === null).map(({ got }) => got['plan'])
  const [first, ...more] = own.flatMap((call) => {
    const before = recordBefore(call, calls)
    const { status, discounts, current_period_end: end = call.at } = before
    // One that it has is refused for that.
    if ([discounts].flat().some((each) => isDiscountOf(`${call.asked['coupon_id']}`, each)))
      return []
    const isOpen =
      /^(?:active|trialing)$/i.test(`${status}`) && Number(momentOf(end)) >= Date.parse(call.at)
    // What it was before may have ended or changed since, unless a later call finds it.
    const later = calls.filter(({ subject, refusal }) => subject === call.subject && !refusal)
    const next = later.find(({ number }) => number > call.number)
    const plan = next && next.asked['plan'] !== next.got['plan'] ? next.got['plan'] : before['plan']
    const isRefused = (isOpen || next) && notApplicable.test(`${call.refusal}`)
    return isRefused && !accepted.includes(plan) ? { plan, at: call.number } : []
  })
  const isOther = (name: string) => ![first, ...more].some((each) => each?.plan === name)
  return first && { ...first, plans: namesIn(calls, 'plan').filter(isOther) }
}

/** The limits that refusals of a coupon name. */
function limitsOf(coupon: string, calls: readonly Call[], inferred: string[]): JsonFields {
  const own = callsWith(coupon, calls)
  const refusals = own.filter(({ refusal }) => !notApplicable.test(refusal ?? ''))
  const refusedAs = (code: RegExp) => refusals.find(({ refusal }) => code.test(refusal ?? ''))
  const [expired, exhausted] = [refusedAs(/expired/i), refusedAs(/exhausted/i)]
  const end = exhausted?.number ?? 0
  const times = own.filter(({ refusal, number }) => refusal === null && number < end).length
  const limit = limitToPlans(own, calls)
  if (limit) inferred.push(`coupon ${coupon} is not for plan ${limit.plan}: exchange ${limit.at}`)
  if (expired) inferred.push(`coupon ${coupon} has expired: exchange ${expired.number}`)
  if (exhausted) {
    const often = times > 0 ? `can be redeemed ${countText(times, 'time')}` : 'was redeemed before'
    inferred.push(`coupon ${coupon} ${often}: exchange ${end}`)
  }
  return {
    ...(expired && { expires_at: expired.at }),
    ...((times > 0 || isUsedUp(calls)(coupon)) && { max_redemptions: Math.max(times, 1) }),
    ...(limit && limit.plans.length > 0 && { applies_to_plans: limit.plans }),
  }
}
