/**
 * The fixture of a recording for which the user gives none: the customers, plans and coupons that it names, as far as
 * the answers say what they are. Each inference is a sentence for the report.
 */
import { jsonIn } from '../contracts/json.ts'
import { check } from '../http/request/field-errors.ts'
import { Fixture } from '../sandbox/fixture-format.ts'
import { momentIn } from './compare.ts'
import { type Fields, type RecordedExchange, RecordingError, recordIn } from './recording.ts'

/** An exchange on subscriptions, as far as this is interested. */
interface Call {
  readonly number: number
  readonly at: string
  /** The subscription in its path. */
  readonly subject: string | null
  readonly asked: Fields
  /** The fields of the answer; none where it was refused. */
  readonly got: Fields
  readonly refusal: string | null
}

export interface Guess {
  readonly fixture: Fixture
  readonly inferred: readonly string[]
}

/** Without a duration in the answers, what a coupon takes off is not known either. */
const usualCoupon = { type: 'percentage', value: 10, duration: 'forever' }

const LEAST_AMOUNT = 1000

export function guessFixture(exchanges: readonly RecordedExchange[]): Guess {
  const inferred: string[] = []
  const calls = exchanges.map(callOf)
  // What is only named where something was not found may be what was not found.
  const known = calls.filter(({ refusal }) => refusal === null || !/not.?found/i.test(refusal))
  const customers = namesIn(known, 'customer_id').map((customer_id) => {
    const first = known.find(
      ({ asked, got }) =>
        asked['customer_id'] === customer_id && /past.?due/i.test(`${got['status']}`),
    )
    const isOwing = first !== undefined
    const method = isOwing ? 'none' : 'valid'
    if (isOwing)
      inferred.push(
        `customer ${customer_id} has no payment method: exchange ${first?.number} left it past due`,
      )
    return { customer_id, name: customer_id, payment_method: method }
  })
  const records = {
    products: [{ product_id: 'recorded', name: 'Recorded' }],
    plans: plansOf(known, inferred),
    customers,
    coupons: couponsOf(known, inferred),
  }
  for (const [kind, listed] of Object.entries(records)) {
    if (kind === 'products' || listed.length === 0) continue
    const names = listed.map((each) => Object.values(each)[0]).join(', ')
    inferred.unshift(`${kind} ${names}: the recording names them`)
  }
  const made = check(Fixture, records)
  if ('data' in made) return { fixture: made.data, inferred }
  const [first] = made.shown
  throw new RecordingError(
    `Its records cannot be inferred, give them with --fixture: ${first?.message}`,
  )
}

function callOf({ number, at, path, headers, body, answer }: RecordedExchange): Call {
  const isForm = headers['content-type']?.includes('form') === true
  const sent = isForm ? Object.fromEntries(new URLSearchParams(body)) : jsonIn(body)
  const isRefused = answer.status >= 300
  const [, subject = null] = /^\/v1\/subscriptions\/([^/?]+)/.exec(path) ?? []
  const got = isRefused ? {} : recordIn(answer.body)
  return {
    number,
    at,
    subject,
    asked: path.startsWith('/v1/subscriptions') ? Object(sent) : {},
    got,
    refusal: isRefused ? `${answer.status === 404 ? 'not found' : ''} ${answer.body}` : null,
  }
}

function namesIn(calls: readonly Call[], field: string): string[] {
  const names = calls.flatMap(({ asked, got }) => [asked[field], got[field]])
  return [...new Set(names)].filter(
    (name): name is string => typeof name === 'string' && /^[A-Za-z0-9][\w.:-]{0,63}$/.test(name),
  )
}

function plansOf(calls: readonly Call[], inferred: string[]) {
  const names = namesIn(calls, 'plan')
  const above = upgradesIn(calls)
  const isYearly = (plan: string) =>
    calls.some(({ got }) => got['plan'] === plan && monthsIn(got) === 12)
  const ranks = new Map(names.map((name) => [name, rankOf(name, above, new Set())]))
  if (names.length > 0) {
    inferred.push(
      'amounts of plans are made up: the interface shows none; an upgrade is to one that costs more',
    )
  }
  return names.map((plan_id) => {
    const interval = isYearly(plan_id) ? 'year' : 'month'
    inferred.push(
      `plan ${plan_id} is billed by the ${interval}${interval === 'year' ? ': its periods are' : ''}`,
    )
    const amount = LEAST_AMOUNT * (1 + (ranks.get(plan_id) ?? 0)) * (interval === 'year' ? 12 : 1)
    return { plan_id, product_id: 'recorded', name: plan_id, amount, currency: 'USD', interval }
  })
}

/** The months of the period of an answer, null without one. */
function monthsIn(got: Fields): number | null {
  const [from, to] = ['current_period_start', 'current_period_end'].map((name) =>
    momentIn(JSON.stringify(got[name] ?? null)),
  )
  if (!from || !to || got['trial_end'] === got['current_period_end']) return null
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
}

/** Which plans are above which: an upgrade is answered with the new plan, a downgrade with the old one. */
function upgradesIn(calls: readonly Call[]): ReadonlyMap<string, ReadonlySet<string>> {
  const plans = new Map<unknown, string>()
  const above = new Map<string, Set<string>>()
  for (const { subject, asked, got } of calls) {
    const { plan } = got
    const before = subject === null ? undefined : plans.get(subject)
    if (typeof plan !== 'string') continue
    const wanted = asked['plan']
    if (before !== undefined && typeof wanted === 'string' && wanted !== before) {
      const [low, high] = plan === wanted ? [before, wanted] : [wanted, before]
      const isOpposite = above.get(high)?.has(low) === true
      if (!isOpposite) above.set(low, (above.get(low) ?? new Set()).add(high))
    }
    // One of its texts is what later paths call it.
    for (const value of [subject, ...Object.values(got)]) plans.set(value, plan)
  }
  return above
}

/** How many plans are below, one above the other. */
function rankOf(
  plan: string,
  above: ReadonlyMap<string, ReadonlySet<string>>,
  seen: ReadonlySet<string>,
): number {
  const below = [...above].filter(([low, highs]) => highs.has(plan) && !seen.has(low))
  const next = new Set([...seen, plan])
  return below.reduce((most, [low]) => Math.max(most, 1 + rankOf(low, above, next)), 0)
}

function couponsOf(calls: readonly Call[], inferred: string[]) {
  return namesIn(calls, 'coupon_id').map((coupon_id) => {
    const own = calls.filter(({ asked }) => asked['coupon_id'] === coupon_id)
    const lists = calls.flatMap(({ got }) =>
      Array.isArray(got['discounts']) ? [got['discounts']] : [],
    )
    const having = lists.filter((list) => list.some((each) => Object(each).coupon_id === coupon_id))
    const shown = having[0]?.find((each) => Object(each).coupon_id === coupon_id)
    const { type, value, duration, duration_in_months: months } = { ...usualCoupon, ...shown }
    inferred.push(
      shown
        ? `coupon ${coupon_id} is of type ${type}, value ${value}, duration ${duration}: answers show it`
        : `coupon ${coupon_id} takes 10 percent off forever: no answer shows what it does`,
    )
    return {
      ...{ coupon_id, type, value, duration, stackable: having.some((list) => list.length > 1) },
      ...(duration === 'repeating' && { duration_in_months: months }),
      ...(type === 'fixed' && { currency: 'USD' }),
      ...limitsOf(own, inferred),
    }
  })
}

/** The limits that refusals of a coupon name. */
function limitsOf(own: readonly Call[], inferred: string[]): Fields {
  const expired = own.find(({ refusal }) => /expired/i.test(refusal ?? ''))
  const exhausted = own.find(({ refusal }) => /exhausted/i.test(refusal ?? ''))
  const used = own.filter(
    ({ refusal, number }) => refusal === null && number < (exhausted?.number ?? 0),
  )
  const name = own[0]?.asked['coupon_id']
  if (expired) inferred.push(`coupon ${name} has expired: exchange ${expired.number}`)
  if (exhausted)
    inferred.push(
      `coupon ${name} can be redeemed ${used.length} times: exchange ${exhausted.number}`,
    )
  return {
    ...(expired && { expires_at: expired.at }),
    ...(exhausted && used.length > 0 && { max_redemptions: used.length }),
  }
}
