/** Orders that are not repeated: a browser shows a form again after "Back", and it can be sent again. */
import { randomUUID } from 'node:crypto'
import type { Schemas } from '../../library/sandbox.ts'
import { type FormValues, foundOrRefused } from '../ui/form-state.ts'
import { recordAddress } from '../ui/links.tsx'
import { type PageContext, withNotice } from '../ui/page-context.ts'

/** The field that all steps of one flow carry. */
export const FLOW = 'flow'

/** The id of the flow of a form; a new one where it begins. */
export function flowOf(values: FormValues): string {
  return values.text(FLOW) ?? randomUUID()
}

/** How many orders are remembered, and the subscription of each by its flow and its choices. */
const ORDERS_MAX = 1000
const orders = new Map<string, Promise<string>>()

/** Creates a subscription and returns the address of its page; that of the earlier one if the same flow created it. */
export async function orderOnce(
  page: PageContext,
  flow: string,
  order: Schemas['Checkout'],
): Promise<string> {
  const { id, subscriptions } = page.sandbox
  const key = JSON.stringify([id, flow, order])
  const addressOf = (made: string) => recordAddress(page, 'subscriptions', made)
  const earlier = orders.get(key)
  if (earlier !== undefined) {
    const made = await earlier
    // A reset deletes it.
    const { found } = await foundOrRefused(() => subscriptions.get(made))
    if (found !== null) return withNotice(addressOf(made), 'created_before')
  }
  const created = subscriptions.create(order).then((made) => made.subscription_id)
  orders.set(key, created)
  const [oldest = key] = orders.keys()
  if (orders.size > ORDERS_MAX) orders.delete(oldest)
  try {
    return withNotice(addressOf(await created), 'created')
  } catch (refusal) {
    orders.delete(key)
    throw refusal
  }
}
