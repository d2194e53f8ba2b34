import { expect, it } from 'vitest'
import { Event } from '../../src/world/event.ts'

const event = {
  seq: 1,
  type: 'sandbox.reset',
  at: '2027-01-01T00:00:00.000Z',
  subject: { kind: 'sandbox', id: 'default' },
  cause: { kind: 'request', requestId: 'req_000001' },
  detail: { fixture: 'starter' },
}

it('takes an event with the detail of its type', () => {
  expect(Event.safeParse(event).success).toBe(true)
})

it.each([
  ['none', undefined],
  ['null', null],
  ['a list', []],
  ['one that lacks a fact', {}],
  ['one with another fact', { fixture: 'starter', plan: 'pro' }],
  ['one with a fact of another kind', { fixture: 1 }],
])('refuses %s for its detail', (_, detail) => {
  expect(Event.safeParse({ ...event, detail }).success).toBe(false)
})

it('refuses an unknown type', () => {
  expect(Event.safeParse({ ...event, type: 'sandbox.moved' }).success).toBe(false)
})
