/**
 * Random histories for fast-check: what tests around a sandbox do, in order. The properties of the sandbox itself draw the
 * same ones.
 */
import fc from 'fast-check'
import * as z from 'zod'
import { settingAssumptions } from './assumptions/register.ts'
import { numberedId } from './billing/id.ts'
import { FailureReason } from './billing/payment.ts'
import type { Sandbox, Schemas } from './library/sandbox.ts'
import { assertKnown, requireObject, SandboxError, typeError } from './library/sandbox-error.ts'

/** What the history of a fixture can say, by the name of its act, and `advance` by an ISO 8601 duration. */
export type HistoryStep =
  | { readonly advance: string }
  | { readonly subscribe: Schemas['Checkout'] }
  | { readonly update: { readonly subscription_id: string; readonly plan: string } }
  | { readonly apply_coupon: { readonly subscription_id: string; readonly coupon_id: string } }
  | { readonly pause: { readonly subscription_id: string } }
  | { readonly resume: { readonly subscription_id: string } }
  | { readonly cancel: { readonly subscription_id: string; readonly at_period_end: boolean } }
  | { readonly remove_scheduled_cancellation: { readonly subscription_id: string } }
  | { readonly pay_invoice: { readonly invoice_id: string } }
  | { readonly charge: Schemas['ChargeCreate'] }
  | { readonly payment_outcomes: Schemas['PaymentOutcomesCreate'] }
  | { readonly change_settings: Schemas['SettingsPatch'] }

/** What histories are about. A name that is listed twice is drawn twice as often. */
export interface HistoryOptions {
  /** Customers, plans and coupons by their identifiers; those of the fixture `starter` if absent. */
  readonly customers?: readonly string[]
  readonly plans?: readonly string[]
  readonly coupons?: readonly string[]
  /** The currency of one-time charges; USD if absent. */
  readonly currency?: string
  /** The most steps after two subscriptions, with which most histories begin; 14 if absent. */
  readonly maxSteps?: number
  /** Whether settings change under way; they do not if absent. */
  readonly changesSettings?: boolean
}

export interface PlayOptions {
  /** Whether each step waits, an advance instant by instant, until webhooks have what happened. */
  readonly lockstep?: boolean
  /** Called after each step, and may throw: for what must hold at any time. */
  readonly after?: (played: PlayedStep) => unknown
}

export interface PlayedStep {
  readonly step: HistoryStep
  /** The virtual now after it. */
  readonly at: string
  /** Why the sandbox refused it; null where it did not. A refused step changes nothing. */
  readonly refusal: SandboxError | null
}

/** A random history. As a text it is the history of a fixture, without what was refused when it was last played. */
export interface History {
  readonly steps: readonly HistoryStep[]
  /**
   * Does all steps, one after another. Steps that a sandbox refuses are part of a history. Throws what `after` throws, and
   * every failure that is no refusal.
   */
  play(sandbox: Sandbox, options?: PlayOptions): Promise<readonly PlayedStep[]>
}

/**
 * Histories of subscriptions, coupons, failing payments and time. fast-check shrinks a failing one to the steps that matter.
 * @example
 * const property = fc.asyncProperty(histories(), async (history) => {
 *   await using sandbox = await startSandbox()
 *   await history.play(sandbox)
 *   return (await sandbox.invoices.list()).every(({ amount_due }) => amount_due >= 0)
 * })
 * await fc.assert(property, { numRuns: 20 })
 */
export function histories(options: HistoryOptions = {}): fc.Arbitrary<History> {
  const known = ['customers', 'plans', 'coupons', 'currency', 'maxSteps', 'changesSettings']
  assertKnown(requireObject('options', options), known)
  const { customers, plans, coupons, maxSteps = 14 } = options
  for (const [name, list] of Object.entries({ customers, plans, coupons })) {
    const [rule, least] =
      name === 'coupons' ? ['a list of identifiers', 0] : ['a list of at least one identifier', 1]
    const isFit = list === undefined || (Array.isArray(list) && list.length >= least)
    if (!isFit) throw typeError(name, rule, list)
  }
  if (!(maxSteps >= 0)) throw typeError('maxSteps', 'an integer from 0', maxSteps)
  const { subscribe, steps } = stepArbitraries(options)
  // Nearly always there; a history that is shrunk has them only where they matter.
  const first = fc.option(subscribe, { freq: 20 })
  return fc
    .tuple(first, first, fc.array(fc.oneof(...steps), { maxLength: maxSteps }))
    .map(([one, other, more]) => historyOf([one, other, ...more].filter((step) => step !== null)))
}

const DAY_MS = 86_400_000
const DAYS_MAX = 70
const CHARGED = 1234

const weighted = (weight: number, arbitrary: fc.Arbitrary<HistoryStep>) => ({ weight, arbitrary })

function stepArbitraries({
  customers = ['cus_ada', 'cus_linus', 'cus_grace'],
  plans = ['basic', 'pro', 'basic_yearly', 'pro_yearly'],
  coupons = ['SAVE20', 'TAKE5', 'WELCOME', 'LOYAL10', 'EXTRA3', 'MORETIME', 'LAST1', 'PROONLY'],
  currency = 'USD',
  changesSettings = false,
}: HistoryOptions) {
  const [customer_id, plan] = [fc.constantFrom(...customers), fc.constantFrom(...plans)]
  const nth = fc.integer({ min: 1, max: 3 })
  const subscription_id = nth.map((number) => numberedId('sub_', number))
  const isCoupon = coupons.length > 0
  const offer = isCoupon ? { coupon_id: fc.constantFrom(...coupons) } : {}
  const trial_period_days = fc.constantFrom(0, 1, 14, 28)
  const subscribe = stepArbitrary(
    'subscribe',
    { customer_id, plan, trial_period_days, ...offer },
    { requiredKeys: ['customer_id', 'plan'] },
  )
  const charged = { customer_id, amount: fc.constant(CHARGED), currency: fc.constant(currency) }
  const charge = stepArbitrary(
    'charge',
    { ...charged, ...offer },
    { requiredKeys: ['customer_id', 'amount', 'currency'] },
  )
  const invoice_id = nth.map((number) => numberedId('inv_', number))
  const scripted = { requiredKeys: ['outcomes' as const] }
  const steps = [
    weighted(3, subscribe),
    weighted(3, stepArbitrary('update', { subscription_id, plan })),
    weighted(1, stepArbitrary('pause', { subscription_id })),
    weighted(1, stepArbitrary('resume', { subscription_id })),
    weighted(1, stepArbitrary('cancel', { subscription_id, at_period_end: fc.boolean() })),
    weighted(1, stepArbitrary('remove_scheduled_cancellation', { subscription_id })),
    weighted(2, stepArbitrary('pay_invoice', { invoice_id })),
    weighted(1, charge),
    weighted(3, stepArbitrary('payment_outcomes', { customer_id, outcomes }, scripted)),
    weighted(5, advances),
  ]
  if (isCoupon)
    steps.push(weighted(3, stepArbitrary('apply_coupon', { subscription_id, ...offer })))
  if (changesSettings) {
    const none = { requiredKeys: [] }
    steps.push(weighted(1, stepArbitrary('change_settings', settings, none)))
  }
  return { subscribe, steps }
}

/** A step with one act, whose fields are drawn. */
function stepArbitrary<Fields extends object>(
  act: string,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
  constraints: fc.RecordConstraints<keyof Fields> = {},
): fc.Arbitrary<HistoryStep> {
  return fc.record(fields, constraints).map((body) => ({ [act]: body }) as unknown as HistoryStep)
}

const advances = fc
  .oneof(
    fc.integer({ min: 0, max: DAYS_MAX * DAY_MS }).map((ms) => `PT${(ms / 1000).toFixed(3)}S`),
    fc.integer({ min: 0, max: DAYS_MAX }).map((days) => `P${days}D`),
  )
  .map((advance) => ({ advance }))

const outcome = fc.constantFrom('succeed' as const, ...FailureReason.options)

const outcomes = fc.array(outcome, { minLength: 1, maxLength: 6 })

/** The settings that have some words as their values, or are a boolean; and the schedule of retries. */
const settings = Object.fromEntries([
  ...settingAssumptions.flatMap(({ slug, schema }) => {
    const isWords = schema instanceof z.ZodEnum
    if (!isWords && !(schema instanceof z.ZodBoolean)) return []
    const values = isWords ? schema.options : [true, false]
    return [[slug.replaceAll('-', '_'), fc.constantFrom<unknown>(...values)] as const]
  }),
  [
    'retry_schedule',
    fc.constantFrom([], ['P1D'], ['P1D', 'P3D', 'P5D', 'P7D'], ['PT1H', 'P40D']),
  ] as const,
])

/** A history, which knows how it was played last. */
function historyOf(steps: readonly HistoryStep[]): History {
  let start = START
  let played: readonly PlayedStep[] = steps.map((step) => ({ step, at: start, refusal: null }))
  const text = () => historyText(start, played)
  return {
    steps,
    play: async (sandbox, options = {}) => {
      assertKnown(requireObject('options', options), ['lockstep', 'after'])
      start = await sandbox.clock.now()
      const done: PlayedStep[] = []
      played = done
      for (const step of steps) {
        const refusal = await performStep(sandbox, step, options)
        const now = { step, at: await sandbox.clock.now(), refusal }
        done.push(now)
        await options.after?.(now)
      }
      return done
    },
    toString: text,
    [fc.toStringMethod]: text,
  } as History
}

/** Where the clock of a sandbox usually starts. */
const START = '2027-01-01T00:00:00.000Z'

/** What a step was refused with; null where it was not. */
async function performStep(
  sandbox: Sandbox,
  step: HistoryStep,
  { lockstep = false }: PlayOptions,
): Promise<SandboxError | null> {
  try {
    await perform(sandbox, step, lockstep)
    // Only an advance waits for receivers.
    if (lockstep && !('advance' in step)) await sandbox.clock.advance({ by: 'PT0S', lockstep })
    return null
  } catch (error) {
    if (error instanceof SandboxError && isPartOfHistory(error)) return error
    throw error
  }
}

/** Whether a refusal follows from what was done before. A plan that does not exist is a mistake in the options. */
function isPartOfHistory({ status, message }: SandboxError): boolean {
  return status === 409 || (status === 404 && /^(?:subscription|invoice)_id /.test(message))
}

function perform(sandbox: Sandbox, step: HistoryStep, lockstep: boolean): Promise<unknown> {
  const { subscriptions, invoices, payments } = sandbox
  if ('advance' in step) {
    return sandbox.clock.advance({ by: step.advance, ...(lockstep && { lockstep }) })
  }
  if ('subscribe' in step) return subscriptions.create(step.subscribe)
  if ('update' in step) return subscriptions.update(...splitId(step.update))
  if ('apply_coupon' in step) return subscriptions.applyCoupon(...splitId(step.apply_coupon))
  if ('pause' in step) return subscriptions.pause(step.pause.subscription_id)
  if ('resume' in step) return subscriptions.resume(step.resume.subscription_id)
  if ('cancel' in step) return subscriptions.cancel(...splitId(step.cancel))
  if ('pay_invoice' in step) return invoices.pay(step.pay_invoice.invoice_id)
  if ('charge' in step) return sandbox.charges.create(step.charge)
  if ('payment_outcomes' in step) return payments.script(step.payment_outcomes)
  if ('change_settings' in step) return sandbox.settings.change(step.change_settings)
  const { subscription_id: id } = step.remove_scheduled_cancellation
  return subscriptions.removeScheduledCancellation(id)
}

/** The subscription of an act, and the rest of its fields. */
function splitId<Fields extends { readonly subscription_id: string }>(
  fields: Fields,
): [id: string, body: Omit<Fields, 'subscription_id'>] {
  const { subscription_id: id, ...body } = fields
  return [id, body]
}

/** The history of a fixture that does the same; what was refused is a comment. */
function historyText(start: string, played: readonly PlayedStep[]): string {
  const lines = played.flatMap(({ step, at, refusal }) => {
    const text = JSON.stringify(step)
      .slice(1, -1)
      .replace(/^"(\w+)":/, '$1: ')
    if (refusal !== null) return `  # refused, ${refusal.code}: ${text}`
    return 'advance' in step ? `  - { at: ${at} }` : `  - { ${text} }`
  })
  return [`history:`, `  - { at: ${start} }`, ...lines].join('\n')
}
