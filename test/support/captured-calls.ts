/** Calls of /v1 as an application's tests make them, and what a capture has of them. */
import { expect } from 'vitest'
import { readPact } from '../../src/contracts/pacts/pact-file.ts'
import {
  type CapturedInteraction,
  pactOf,
  startCapture,
} from '../../src/provider/capture/capture.ts'
import type { Expecting } from '../../src/provider/capture/expectation.ts'
import { type Started, start } from '../../src/server/start.ts'

const KEY = { Authorization: 'Bearer sk_sandbox_default' }
/** An operation on the first subscription, or another one. */
export const on = (operation: string, id = 'sub_000001') => `/v1/subscriptions/${id}/${operation}`
/** Creates a subscription, with fields beside or in place of the usual ones. */
export const create = (fields: object = {}) => ({
  path: '/v1/subscriptions',
  form: { customer_id: 'cus_ada', plan: 'basic', ...fields },
})

/** A call: a form, JSON, or neither. */
export interface Call {
  readonly path: string
  readonly form?: object
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A server, and calls of it; forms and JSON are sent as such. */
export async function serving(onCall?: ReturnType<typeof startCapture>['note']) {
  const server: Started = await start({ log: () => undefined, onCall })
  const call = async ({ path, form, json, headers = KEY }: Call) => {
    const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
    const body =
      json === undefined ? new URLSearchParams(Object.entries(form ?? {})) : JSON.stringify(json)
    const hasBody = form !== undefined || json !== undefined
    return server.answer(
      new Request(`${server.url}${path}`, {
        method: 'POST',
        headers: { ...(hasBody && { 'Content-Type': type }), ...headers },
        ...(hasBody && { body }),
      }),
    )
  }
  return { call, close: server.close }
}

/** Captures calls; those of the control plane have to succeed. */
export async function captured(calls: readonly Call[], extent: Expecting = 'assumed') {
  const capture = startCapture(extent)
  const { call, close } = await serving(capture.note)
  for (const each of calls) {
    const { status } = await call(each)
    if (each.path.startsWith('/sandbox')) expect(status).toBeLessThan(300)
  }
  await close()
  return capture
}

/** The pact of a capture, as its reader has it. */
export function pactIn(interactions: readonly CapturedInteraction[]) {
  const read = readPact('pact.json', pactOf('shop', 'subscription-service', interactions))
  if ('interactions' in read) return read.interactions
  throw new Error(JSON.stringify(read))
}

/** Moves the clock on. */
export const advance = (by: string): Call => ({ path: '/sandbox/clock/advance', json: { by } })
/** A call of the control plane. */
export const sandbox = (path: string, json: object): Call => ({ path: `/sandbox/${path}`, json })

/** The states that the tests name, as a pact has them. */
export const basic = {
  name: 'a plan exists',
  params: { plan_id: 'basic', amount: 1000, currency: 'USD', interval: 'month' },
}
export const pro = { ...basic, params: { ...basic.params, plan_id: 'pro', amount: 2500 } }
export const ada = { name: 'a customer exists', params: { customer_id: 'cus_example' } }
export const saved = {
  name: 'a coupon exists',
  params: {
    ...{ coupon_id: 'SAVE20', type: 'percentage', value: 20 },
    ...{ duration: 'repeating', duration_in_months: 3 },
  },
}
export const subscribed = (params: object = {}) => ({
  name: 'a subscription exists',
  params: {
    ...{ subscription_id: 'sub_example', customer_id: 'cus_example' },
    ...{ plan: 'basic', status: 'active', ...params },
  },
})
