/**
 * Another provider that keeps to the interface: a sandbox with everything decided otherwise that the interface leaves
 * open, by its settings and, for what is no setting, on the way out. A pact that it passes too rests on nothing that
 * the sandbox assumes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { serveHttp } from '../../support/providers.ts'

type Body = Readonly<Record<string, unknown>>

interface Decided {
  readonly status: number
  readonly body: Body
}

const SANDBOX_ID = 'another'
const REFRESH = '/v1/auth/refresh'
const otherStatus: Readonly<Record<number, number>> = { 400: 401, 401: 403, 403: 400 }

/** Every setting, at another value than it has initially. */
export const otherSettings: Readonly<Record<string, unknown>> = {
  paused_status_name: 'on_hold',
  trial_end_without_payment_method: 'past_due',
  retry_schedule: ['P2D'],
  after_retries: 'expire',
  stacking_order: 'application',
  coupon_months_start: 'application',
  coupon_months_during_pause: 'stops',
  unknown_fields: 'ignore',
  invalid_grant_status: 400,
  access_token_lifetime: 60,
  refresh_token_lifetime: 600,
  refresh_rotation: 'keep',
  refresh_reuse_revokes_family: false,
}

/** Serves it on a free port, by a sandbox of its own beside the one at this address. */
export async function serveAnotherProvider(sandboxUrl: string) {
  const made = await fetch(`${sandboxUrl}/sandboxes/${SANDBOX_ID}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ settings: otherSettings }),
  })
  if (!made.ok) throw new Error(await made.text())
  return serveHttp((request, response) => {
    void relay(sandboxUrl, request, response).catch((error: unknown) => {
      response.destroy(error as Error)
    })
  })
}

async function relay(
  sandboxUrl: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const sent = await buffer(request)
  const { authorization, 'content-type': type } = request.headers
  const answer = await fetch(`${sandboxUrl}${url}`, {
    method,
    headers: {
      'Sandbox-Id': SANDBOX_ID,
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(type === undefined ? {} : { 'Content-Type': type }),
    },
    ...(sent.byteLength === 0 ? {} : { body: new Uint8Array(sent) }),
  })
  const text = await answer.text()
  if (!url.startsWith('/v1')) {
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text)
    return
  }
  const told: Decided = { status: answer.status, body: JSON.parse(text) }
  const { status, body } = url === REFRESH ? refreshed(told) : subscribed(told)
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

/** The codes under other statuses of the three. */
function refreshed({ status, body }: Decided): Decided {
  return { status: otherStatus[status] ?? status, body }
}

/** Another status of success, the documented fields beside unknown ones, and errors of another shape. */
function subscribed({ status, body }: Decided): Decided {
  if (status >= 300) return { status: 422, body: { code: 7, detail: 'No.' } }
  const { customer_id, plan, trial_period_days } = body
  const trial = trial_period_days === null ? {} : { trial_period_days }
  return { status: 201, body: { id: 1, customer_id, plan, ...trial, state: 'ACTIVE' } }
}
