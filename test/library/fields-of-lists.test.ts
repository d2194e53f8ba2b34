import { expect, it } from 'vitest'
import { startSandbox } from '../../src/index.ts'

type Method = (...args: unknown[]) => Promise<unknown>

/** What callers without types call. */
interface Callable {
  readonly clock: { readonly agenda: Method }
  readonly events: { readonly list: Method }
  readonly customers: { readonly list: Method }
  readonly subscriptions: { readonly forecast: Method }
  readonly billing: Method
}

it.each<[string, (sandbox: Callable) => Promise<unknown>, string]>([
  ['a list', ({ customers }) => customers.list({ foo: 1 }), 'order, search'],
  [
    'a list that begins after an event',
    ({ events }) => events.list({ foo: 1 }),
    'type, subject_kind, subject_id, subscription_id, order, after',
  ],
  [
    'an agenda',
    ({ clock }) => clock.agenda({ limit: undefined, foo: 1 }),
    'before, subscription_id',
  ],
  ['a forecast', ({ subscriptions }) => subscriptions.forecast('sub_1', { foo: 1 }), 'until, for'],
  ['a bill', ({ billing }) => billing({ foo: 1 }), 'customer_id, subscription_id'],
])('names the fields that %s of the library takes', async (_, call, fields) => {
  await using sandbox = await startSandbox()
  const refused = call(sandbox as unknown as Callable)
  const message = `foo is not a known field; fields: ${fields}.`
  await expect(refused).rejects.toMatchObject({ message, fields: [{ field: 'foo', message }] })
})
