/** The calls on subscriptions of a recording, as far as a fixture is inferred from them. */
import { jsonIn } from '../contracts/common/json.ts'
import { momentIn } from './compare.ts'
import { type JsonFields, type RecordedExchange, recordIn } from './recording.ts'

/** An exchange on subscriptions, as far as this is interested. */
export interface Call {
  readonly number: number
  readonly at: string
  /** The subscription in its path. */
  readonly subject: string | null
  readonly asked: JsonFields
  /** The fields of the answer; none where it was refused. */
  readonly got: JsonFields
  readonly refusal: string | null
}

/** What a refusal says by its status. */
const meanings = new Map([
  [401, 'unauthorized'],
  [404, 'not found'],
])

export function callOf(
  { number, at, path, headers, body, answer }: RecordedExchange,
  renames: ReadonlyMap<string, string> = new Map(),
): Call {
  const ours = new Map([...renames].map(([field, name]) => [name, field]))
  const record = Object.entries(recordIn(answer.body))
  const isForm = headers['content-type']?.includes('form') === true
  const sent = isForm ? Object.fromEntries(new URLSearchParams(body)) : jsonIn(body)
  const isRefused = answer.status >= 300
  const [, subject = null] = /^\/v1\/subscriptions\/([^/?]+)/.exec(path) ?? []
  return {
    number,
    at,
    subject,
    asked: path.startsWith('/v1/subscriptions') ? Object(sent) : {},
    got: isRefused
      ? {}
      : Object.fromEntries(record.map(([name, value]) => [ours.get(name) ?? name, value])),
    refusal: isRefused ? `${meanings.get(answer.status) ?? ''} ${answer.body}` : null,
  }
}

export function namesIn(calls: readonly Call[], field: string): string[] {
  const names = calls.flatMap(({ asked, got }) => [asked[field], got[field]])
  return [...new Set(names)].filter(
    (name): name is string => typeof name === 'string' && /^[A-Za-z0-9][\w.:-]{0,63}$/.test(name),
  )
}

export function momentOf(value: unknown): Date | null {
  return momentIn(JSON.stringify(value ?? null))
}

/** What the subscription of a call was before it. */
export function recordBefore({ subject, number }: Call, calls: readonly Call[]): JsonFields {
  const isBefore = (each: Call) => each.number < number && Object.values(each.got).includes(subject)
  return calls.findLast(isBefore)?.got ?? {}
}

/** Whether a subscription turned out to have ended after its trial, and no coupon or credential. */
export function isExpired({ subject, asked, refusal }: Call): boolean {
  const isOther = subject === null || asked['coupon_id'] !== undefined
  return !isOther && /^(?!.*unauthori[sz]ed).*expired/is.test(refusal ?? '')
}

export function callsWith(coupon: string, calls: readonly Call[]): readonly Call[] {
  return calls.filter(({ asked }) => asked['coupon_id'] === coupon)
}

/** Whether a coupon was redeemed as often as it can be before the recording, so that it was only refused for that. */
export function isUsedUp(calls: readonly Call[]) {
  return (coupon: string) => {
    const own = callsWith(coupon, calls)
    return own.length > 0 && own.every(({ refusal }) => /exhausted/i.test(refusal ?? ''))
  }
}

/** Steps that redeem a coupon once, by a customer whom no recording names. */
export function redemptionOf(coupon_id: string, index: number): JsonFields[] {
  const customer_id = `before_the_recording_${index}`
  const charge = { customer_id, amount: 1000, currency: 'USD', coupon_id }
  return [{ create_customer: { customer_id, payment_method: 'valid' } }, { charge }]
}
