/** A recording of the history with a sandbox of ours as the service: NDJSON of requests and answers, with their secrets. */
import { initialSettings, type Settings } from '../../src/assumptions/register.ts'
import { start } from '../../src/server/start.ts'
import { type Called, type Part, playHistory } from './recorded-history.ts'

/** The fixture of the history, as JSON of a file. */
export const historyFixture = {
  products: [{ product_id: 'app', name: 'App' }],
  plans: [
    ...[['basic', 1000] as const, ['pro', 2500] as const].map(([plan_id, amount]) => ({
      ...{ plan_id, amount, product_id: 'app', name: plan_id, currency: 'USD', interval: 'month' },
    })),
  ],
  customers: [
    { customer_id: 'cus_ada', name: 'Ada' },
    { customer_id: 'cus_grace', name: 'Grace', payment_method: 'none' },
  ],
  coupons: [
    {
      coupon_id: 'SAVE20',
      type: 'percentage',
      value: 20,
      duration: 'repeating',
      duration_in_months: 3,
      stackable: true,
    },
    {
      coupon_id: 'WELCOME5',
      type: 'fixed',
      value: 500,
      currency: 'USD',
      duration: 'once',
      stackable: true,
    },
    {
      coupon_id: 'OVER',
      type: 'percentage',
      value: 10,
      duration: 'forever',
      expires_at: '2027-01-01',
    },
  ],
}

/** Plays the history to a new sandbox with these settings. */
export async function ownRecording(
  fixture: string,
  settings: Partial<Settings>,
  parts?: readonly Part[],
): Promise<string> {
  const started = await start({ fixture, settings: { ...initialSettings, ...settings } })
  const { answer, registry, url } = started
  const fetch = (path: string, init: RequestInit) => answer(new Request(`${url}${path}`, init))
  const lines: string[] = []
  const call = async ({ method, path, headers, body }: Called) => {
    const init = { method, headers }
    const response = await fetch(path, body === '' ? init : { ...init, body })
    const text = await response.text()
    const answered = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: text,
    }
    lines.push(
      JSON.stringify({
        at: registry.default.now(),
        request: { method, path, headers, body },
        answer: answered,
      }),
    )
    return answered
  }
  const post = (path: string, body: object) =>
    fetch(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    })
  const issued = await (await post('/sandbox/tokens', {})).json()
  const service = {
    call,
    moveTo: async (to: string) => {
      await post('/sandbox/clock/advance', { to })
    },
    apiKey: registry.default.apiKey,
    refreshToken: Object(issued).refresh_token as string,
  }
  await playHistory(service, parts)
  await started.close()
  return `${lines.join('\n')}\n`
}
