import { expect, it } from 'vitest'
import { billingEvents } from '../../src/billing/event.ts'
import { eventText } from '../../src/wire/event-text.ts'

it('has a sentence of its own for each event of billing', () => {
  const subject = { kind: 'subscription', id: 'sub_1' }
  const detail = { currency: 'USD', amount: 1, amount_due: 1 }
  const named = Object.keys(billingEvents).filter(
    (type) => eventText({ type, subject, detail }) === `${type} sub_1`,
  )
  expect(named).toEqual([])
  expect(eventText({ type: 'sandbox.reset', subject, detail })).toBe('sandbox.reset sub_1')
})
