/** Forms that do something once: a browser shows a form again after "Back", and it can be sent again. */
import { randomUUID } from 'node:crypto'
import type { Schemas } from '../../library/sandbox.ts'
import type { FormValues } from '../ui/form-state.ts'
import { recordPath } from '../ui/links.tsx'
import { type PageContext, withNotice } from '../ui/page-context.ts'
import { isTakenBack, type NumberedRequest } from './clock-moves.ts'

/** The field that all steps of one flow carry. */
export const FLOW = 'flow'

/** The id of the flow of a form; a new one where it begins. */
export const flowOf = (values: FormValues) => values.text(FLOW) ?? randomUUID()

/** How many acts are remembered, and the result of each by its sandbox, its flow and what was sent. */
const ACTS_MAX = 1000
const results = new Map<string, Promise<readonly [made: string, request: NumberedRequest]>>()

interface OneAct {
  readonly flow: string
  readonly sent: unknown
  /** Returns the id of what it made. */
  readonly act: () => Promise<string>
  /** Whether what it made outside of the sandbox still exists. */
  readonly isThere?: (made: string) => Promise<boolean>
}

/** Acts, unless the same flow did the same before, and nothing took it back. */
export async function actOnce(page: PageContext, { flow, sent, act, isThere }: OneAct) {
  const key = JSON.stringify([page.sandbox.id, flow, sent])
  const earlier = results.get(key)
  if (earlier !== undefined) {
    const [made, request] = await earlier
    const isGone = isThere ? !(await isThere(made)) : await isTakenBack(page, request)
    if (!isGone) return { made, isAgain: true }
  }
  const result = act().then(async (made) => {
    const { data } = await page.list('/sandbox/requests', { limit: 1 })
    const [{ number, request_id } = { number: 0, request_id: '' }] = data
    return [made, { number, request_id }] as const
  })
  results.set(key, result)
  const [oldest = key] = results.keys()
  if (results.size > ACTS_MAX) results.delete(oldest)
  try {
    return { made: (await result)[0], isAgain: false }
  } catch (refusal) {
    results.delete(key)
    throw refusal
  }
}

/** Creates a subscription and returns the address of its page; that of the earlier one if the same flow created it. */
export async function subscribeOnce(page: PageContext, flow: string, order: Schemas['Checkout']) {
  const { subscriptions } = page.sandbox
  const { made, isAgain } = await actOnce(page, {
    ...{ flow, sent: order },
    act: async () => (await subscriptions.create(order)).subscription_id,
  })
  const address = page.to(recordPath('subscriptions', made))
  return withNotice(address, isAgain ? 'created_before' : 'created')
}
