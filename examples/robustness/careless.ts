/** A client of the service with three flaws, which its own tests do not find. */
import { setTimeout as pause } from 'node:timers/promises'

interface Subscription {
  readonly subscription_id: string
  readonly status?: string
}

const TRIES = 6
const fields =
  'subscription_id customer_id plan trial_period_days status trial_end current_period_start current_period_end cancel_at_period_end canceled_at ended_at pending_plan discounts created_at'

export class Shop {
  readonly #url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.#url = url
    this.#key = key
  }

  async subscribe(customer_id: string, plan: string, trial_period_days: number) {
    const order = { customer_id, plan, trial_period_days: String(trial_period_days) }
    return this.#call('/v1/subscriptions', order)
  }

  async cancelAtPeriodEnd(id: string) {
    return this.#call(`/v1/subscriptions/${id}/cancel`, { at_period_end: 'true' })
  }

  /** Flaw: knows one way to write a status, and no new one. */
  hasAccess({ status }: Subscription): boolean {
    return status === 'trialing' || status === 'active'
  }

  /** Flaw: a creation that was carried out, and whose answer was lost, is carried out again. */
  async #call(path: string, order: Record<string, string>) {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const response = await fetch(`${this.#url}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${this.#key}` },
        body: new URLSearchParams(order),
      }).catch(() => undefined)
      const status = response?.status ?? 0
      if (status >= 400 && status < 500 && status !== 429) throw new Error(`${path} was refused`)
      const body = response?.ok ? await response.json().catch(() => undefined) : undefined
      if (body) return parsed(body)
      await pause(Number(response?.headers.get('retry-after')) * 1000 || 100 * 2 ** tries)
    }
    throw new Error(`${path} has no answer`)
  }
}

/** Flaw: refuses what it does not know. */
function parsed(body: object): Subscription {
  const unknown = Object.keys(body).find((name) => !fields.split(' ').includes(name))
  if (unknown !== undefined) throw new Error(`The service sent ${unknown}`)
  return body as Subscription
}
