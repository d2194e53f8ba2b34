/** What the reference clients make of an answer: its JSON, or an error that says what the service refused and why. */

/** The service refused; `code` and `message` are those of the answer. */
export class ServiceRefusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'ServiceRefusal'
    this.status = status
    this.code = code
  }
}

/** A subscription: the three documented fields, and whatever else the service tells. */
export interface Subscription {
  readonly customer_id: string
  readonly plan: string
  readonly trial_period_days?: number | null
  readonly [field: string]: unknown
}

/** The JSON of an answer that succeeded; throws a `ServiceRefusal` for every other. */
export async function jsonOf<Body>(answer: Response): Promise<Body> {
  const body: unknown = await answer.json().catch(() => null)
  if (answer.ok) return body as Body
  const { error = 'unknown', message = `The service answered ${answer.status}.` } = (body ??
    {}) as {
    readonly error?: string
    readonly message?: string
  }
  throw new ServiceRefusal(answer.status, error, message)
}
