/** A client of the service that stands what the service may do. */
import { setTimeout as pause } from 'node:timers/promises'

interface Subscription {
  readonly subscription_id: string
  readonly status?: string
}

/** What other records of the shop say, such as those of webhooks: the subscription of a customer, if there is one. */
type Known = (customer: string) => Promise<Subscription | undefined>

const TRIES = 6
const ended = ['canceled', 'expired', 'paused']

export class Shop {
  readonly #url: string
  readonly #key: string
  readonly #known: Known

  constructor(url: string, key: string, known: Known) {
    this.#url = url
    this.#key = key
    this.#known = known
  }

  /** Where it is not known whether the customer was subscribed, looks before it tries again. */
  async subscribe(customer_id: string, plan: string, trial_period_days: number) {
    const order = { customer_id, plan, trial_period_days: String(trial_period_days) }
    return this.#call('/v1/subscriptions', order, () => this.#known(customer_id))
  }

  /** Asking again does no harm. */
  async cancelAtPeriodEnd(id: string) {
    return this.#call(`/v1/subscriptions/${id}/cancel`, { at_period_end: 'true' })
  }

  /** However a status is written; one that is new locks nobody out. */
  hasAccess({ status = '' }: Subscription): boolean {
    return !ended.includes(status.toLowerCase().replaceAll(' ', '_'))
  }

  async #call(path: string, fields: Record<string, string>, known?: () => ReturnType<Known>) {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const answer = await this.#send(path, fields).catch(() => undefined)
      if (answer?.subscription) return answer.subscription
      if (answer?.isRefused) throw new Error(`${path} was refused`)
      const found = await known?.()
      if (found) return found
      await pause(answer?.waitMs || 100 * 2 ** tries)
    }
    throw new Error(`${path} has no answer`)
  }

  /** One try. Throws where there is no answer, or one that cannot be read. */
  async #send(path: string, fields: Record<string, string>) {
    const response = await fetch(`${this.#url}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.#key}` },
      body: new URLSearchParams(fields),
      signal: AbortSignal.timeout(10_000),
    })
    const { ok, status, headers } = response
    const waitMs = Number(headers.get('retry-after')) * 1000
    const isRefused = status >= 400 && status < 500 && status !== 429
    const subscription = ok ? ((await response.json()) as Subscription) : undefined
    return { subscription, isRefused, waitMs }
  }
}
