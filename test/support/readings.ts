/** What tests read off a story, in as few words as a sentence needs. */

import type { Customer } from '../../src/billing/customer.ts'
import { windowOf } from '../../src/billing/discount.ts'
import type { Invoice } from '../../src/billing/invoice.ts'
import type { Subscription } from '../../src/billing/subscription.ts'
import { FIRST, find, type Story } from './story.ts'

/** A subscription, the first unless told otherwise. */
export function subscriptionIn(story: Story, subscriptionId = FIRST): Subscription {
  return find(story.subscriptions, 'subscriptionId', subscriptionId)
}

/** The status of a subscription, the first unless told otherwise. */
export function statusIn(story: Story, subscriptionId = FIRST): string {
  return subscriptionIn(story, subscriptionId).status
}

/** The window of the first subscription's newest discount: start, and end or null. */
export function windowIn(story: Story): readonly [string, string | null] {
  const newest = subscriptionIn(story).discounts.at(-1)
  if (newest === undefined) throw new Error('There is no discount')
  const { startsAt, endsAt } = windowOf(newest)
  return [startsAt, endsAt]
}

/** The running period of the first subscription: start and end. */
export function periodIn(story: Story): readonly [string, string] {
  const { currentPeriodStart, currentPeriodEnd } = subscriptionIn(story)
  return [currentPeriodStart, currentPeriodEnd]
}

/** The nth invoice of a story, counted from 1; the newest unless told otherwise. */
export function invoiceIn(story: Story, number = story.invoices.length): Invoice {
  return find(story.invoices, 'sequence', number)
}

/** The amounts of an invoice's lines, credits negative. */
export function linesOf(invoice: Invoice): number[] {
  return invoice.lines.map((line) => line.amount)
}

/** What each discount took off an invoice, by coupon, in the order computed. */
export function discountsOf(invoice: Invoice): (readonly [string, number])[] {
  return invoice.discounts.map(({ couponId, amount }) => [couponId, amount] as const)
}

/** What every invoice of a story asked for, oldest first. */
export function duesIn(story: Story): number[] {
  return story.invoices.map((invoice) => invoice.amountDue)
}

/** The status of every invoice of a story, oldest first. */
export function invoiceStatusesIn(story: Story): string[] {
  return story.invoices.map((invoice) => invoice.status)
}

/** The day on which every invoice of a story was made, oldest first. */
export function invoicedOn(story: Story): string[] {
  return story.invoices.map((invoice) => invoice.createdAt.slice(0, 10))
}

/** When an invoice was attempted, and what each attempt answered. */
export function attemptsOf(invoice: Invoice): string[] {
  return invoice.attempts.map(({ at, outcome }) => `${at.slice(0, 10)} ${outcome}`)
}

/** The coupons whose discounts are on the first subscription, in order. */
export function couponsOn(story: Story): string[] {
  return subscriptionIn(story).discounts.map((discount) => discount.couponId)
}

/** The customer of most stories. */
export function adaIn(story: Story): Customer {
  return find(story.customers, 'customerId', 'cus_ada')
}

/** What happened in a story, from the nth fact on. */
export function eventsIn(story: Story, from = 0): string[] {
  return story.facts.slice(from).map((fact) => fact.type)
}

/** What happened between two moments of a story. */
export function eventsSince(before: Story, story: Story): string[] {
  return eventsIn(story, before.facts.length)
}

/** Whether two moments hold the same records, whatever the time and the last refusal. */
export function recordsIn({
  refusal: _,
  now: __,
  ...records
}: Story): Omit<Story, 'refusal' | 'now'> {
  return records
}
