/** The billing of a shop: what is under test. It knows the documented operations, and no sandbox. */
export class Shop {
  constructor(
    private readonly url: string,
    private readonly apiKey: string,
  ) {}

  async subscribe(customer: string, plan: string, trialDays = 0): Promise<string> {
    const trial = trialDays === 0 ? {} : { trial_period_days: String(trialDays) }
    const { subscription_id } = await this.post('', { customer_id: customer, plan, ...trial })
    return subscription_id
  }

  async redeem(subscription: string, coupon: string): Promise<void> {
    await this.post(`/${subscription}/apply-coupon`, { coupon_id: coupon })
  }

  async cancelAtPeriodEnd(subscription: string): Promise<void> {
    await this.post(`/${subscription}/cancel`, { at_period_end: 'true' })
  }

  private async post(path: string, fields: Record<string, string>) {
    const answer = await fetch(`${this.url}/v1/subscriptions${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.apiKey}` },
      body: new URLSearchParams(fields),
    })
    const body = (await answer.json()) as { subscription_id: string; message?: string }
    if (!answer.ok) throw new Error(body.message)
    return body
  }
}
