/** The types of events: `type` says which facts `detail` has. What is wrong here does not compile. */
import { expect, expectTypeOf, it } from 'vitest'
import { type Schemas, startSandbox } from '../../src/index.ts'

type Event = Schemas['Event']
type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>

it('narrows the detail of an event by its type', async () => {
  expectTypeOf<EventOf<'invoice.paid'>['detail']>().toEqualTypeOf<{
    amount_paid: number
    currency: string
  }>()
  expectTypeOf<EventOf<'subscription.plan_change_scheduled'>['detail']>().toEqualTypeOf<{
    from: string
    to: string | null
    effective_at: string | null
  }>()
  expectTypeOf<EventOf<'trial.extended'>['detail']>().not.toHaveProperty('amount_paid')
  expectTypeOf<Event>().not.toBeAny()
  expectTypeOf<Schemas['WebhookMessage']['data']>().toEqualTypeOf<Event>()

  const sandbox = await startSandbox()
  await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
  const paid: number[] = []
  for (const event of await sandbox.events.list()) {
    expectTypeOf(event).toEqualTypeOf<Event>()
    // @ts-expect-error Not every event has it.
    expect(event.detail.no_such_fact).toBeUndefined()
    if (event.type === 'invoice.paid') paid.push(event.detail.amount_paid)
  }
  expect(paid).toEqual([1000])
  for await (const event of sandbox.events.follow({ after: 0, limit: 1 })) {
    expectTypeOf(event).toEqualTypeOf<Event>()
    if (event.type === 'subscription.created') expect(event.detail.plan).toBe('basic')
  }
  await sandbox.close()
})
