/**
 * Payments. Owns the outcome of an attempt to collect: scripted outcomes first, then standing rules, then the
 * customer's payment method. Does not decide what follows a failure (see dunning).
 */
import * as z from 'zod'
import { OUTCOMES_MAX } from '../assumptions/bounds.ts'
import type { Customer } from './customer.ts'
import { rule } from './rule.ts'

export const FailureReason = z.enum([
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'processing_error',
  'no_payment_method',
])
export type FailureReason = z.infer<typeof FailureReason>

export const ScriptedOutcome = z.enum(['succeed', ...FailureReason.options])
export type ScriptedOutcome = z.infer<typeof ScriptedOutcome>

export const AttemptOutcome = z.enum(['succeeded', ...FailureReason.options])
export type AttemptOutcome = z.infer<typeof AttemptOutcome>

/** The scope of a script; both are null for the whole sandbox. */
export const ScriptScope = z.strictObject({
  subscriptionId: z.string().nullable(),
  customerId: z.string().nullable(),
})
export type ScriptScope = z.infer<typeof ScriptScope>

/** A scope as one key. Ids from callers contain no space, so no two scopes have the same key. */
export function scopeKey({ subscriptionId, customerId }: ScriptScope): string {
  if (subscriptionId !== null) return `subscription ${subscriptionId}`
  return customerId === null ? 'sandbox' : `customer ${customerId}`
}

/** The next outcomes of one scope, in order, and the standing rule after them. */
export const PaymentScript = z
  .strictObject({
    scope: ScriptScope,
    outcomes: z.array(ScriptedOutcome).max(OUTCOMES_MAX),
    always: ScriptedOutcome.nullable(),
  })
  .refine(
    ({ scope }) => scope.subscriptionId === null || scope.customerId === null,
    rule('speaks of a subscription and a customer at once'),
  )
export type PaymentScript = z.infer<typeof PaymentScript>

/** The scripts for one attempt, nearest scope first; null for a scope without one. */
export interface PaymentScripts {
  readonly subscription: PaymentScript | null
  readonly customer: PaymentScript | null
  readonly sandbox: PaymentScript | null
}

/** Scopes in the order in which an attempt reads them. */
export const scriptScopes = ['subscription', 'customer', 'sandbox'] as const

interface AttemptDecision {
  readonly outcome: AttemptOutcome
  readonly scripts: PaymentScripts
}

/** How an attempt ends, and the scripts after it: consumes one scripted outcome if there is one. */
export function decideAttempt(scripts: PaymentScripts, customer: Customer): AttemptDecision {
  for (const scope of scriptScopes) {
    const script = scripts[scope]
    const [next, ...left] = script?.outcomes ?? []
    if (script !== null && next !== undefined) {
      return {
        outcome: asOutcome(next),
        scripts: { ...scripts, [scope]: { ...script, outcomes: left } },
      }
    }
  }
  return { outcome: standingOutcome(scripts, customer), scripts }
}

function standingOutcome(scripts: PaymentScripts, customer: Customer): AttemptOutcome {
  const always = scriptScopes.map((scope) => scripts[scope]?.always ?? null).find((each) => each)
  if (always) return asOutcome(always)
  return customer.paymentMethod === 'none' ? 'no_payment_method' : 'succeeded'
}

function asOutcome(scripted: ScriptedOutcome): AttemptOutcome {
  return scripted === 'succeed' ? 'succeeded' : scripted
}
