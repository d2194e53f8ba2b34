/** What tests read off a scenario, in as few words as a sentence needs. */

import type { Customer } from '../../src/billing/customer.ts'
import { windowOf } from '../../src/billing/discount.ts'
import type { Invoice } from '../../src/billing/invoice.ts'
import type { Subscription } from '../../src/billing/subscription.ts'
import { FIRST, find, type Scenario } from './scenario.ts'

/** A subscription, the first unless told otherwise. */
export function subscriptionIn(scenario: Scenario, subscriptionId = FIRST): Subscription {
  return find(scenario.subscriptions, 'subscriptionId', subscriptionId)
}

/** The status of a subscription, the first unless told otherwise. */
export function statusIn(scenario: Scenario, subscriptionId = FIRST): string {
  return subscriptionIn(scenario, subscriptionId).status
}

/** The window of the first subscription's newest discount: start, and end or null. */
export function windowIn(scenario: Scenario): readonly [string, string | null] {
  const newest = subscriptionIn(scenario).discounts.at(-1)
  if (newest === undefined) throw new Error('There is no discount')
  const { startsAt, endsAt } = windowOf(newest)
  return [startsAt, endsAt]
}

/** The running period of the first subscription: start and end. */
export function periodIn(scenario: Scenario): readonly [string, string] {
  const { currentPeriodStart, currentPeriodEnd } = subscriptionIn(scenario)
  return [currentPeriodStart, currentPeriodEnd]
}

/** The nth invoice of a scenario, counted from 1; the newest unless told otherwise. */
export function invoiceIn(scenario: Scenario, number = scenario.invoices.length): Invoice {
  return find(scenario.invoices, 'sequence', number)
}

/** The amounts of an invoice's lines, credits negative. */
export function linesOf(invoice: Invoice): number[] {
  return invoice.lines.map((line) => line.amount)
}

/** What each discount took off an invoice, by coupon, in the order computed. */
export function discountsOf(invoice: Invoice): (readonly [string, number])[] {
  return invoice.discounts.map(({ couponId, amount }) => [couponId, amount] as const)
}

/** What every invoice of a scenario asked for, oldest first. */
export function duesIn(scenario: Scenario): number[] {
  return scenario.invoices.map((invoice) => invoice.amountDue)
}

/** The status of every invoice of a scenario, oldest first. */
export function invoiceStatusesIn(scenario: Scenario): string[] {
  return scenario.invoices.map((invoice) => invoice.status)
}

/** The day on which every invoice of a scenario was made, oldest first. */
export function invoicedOn(scenario: Scenario): string[] {
  return scenario.invoices.map((invoice) => invoice.createdAt.slice(0, 10))
}

/** When an invoice was attempted, and what each attempt answered. */
export function attemptsOf(invoice: Invoice): string[] {
  return invoice.attempts.map(({ at, outcome }) => `${at.slice(0, 10)} ${outcome}`)
}

/** The coupons whose discounts are on the first subscription, in order. */
export function couponsOn(scenario: Scenario): string[] {
  return subscriptionIn(scenario).discounts.map((discount) => discount.couponId)
}

/** The customer of most scenarios. */
export function adaIn(scenario: Scenario): Customer {
  return find(scenario.customers, 'customerId', 'cus_ada')
}

/** What happened in a scenario, from the nth fact on. */
export function eventsIn(scenario: Scenario, from = 0): string[] {
  return scenario.facts.slice(from).map((fact) => fact.type)
}

/** What happened between two moments of a scenario. */
export function eventsSince(before: Scenario, scenario: Scenario): string[] {
  return eventsIn(scenario, before.facts.length)
}

/** Whether two moments hold the same records, whatever the time and the last refusal. */
export function recordsIn({
  refusal: _,
  now: __,
  ...records
}: Scenario): Omit<Scenario, 'refusal' | 'now'> {
  return records
}
