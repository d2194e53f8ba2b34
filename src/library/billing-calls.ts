/** The calls about subscriptions and money. What the interface documents is called on /v1, the rest on the control plane. */
import { at } from './catalog-calls.ts'
import type {
  Sandbox,
  SandboxCharges,
  SandboxInvoices,
  SandboxPayments,
  SandboxSubscriptions,
  SandboxTokens,
} from './sandbox.ts'
import { argumentError, objectIn } from './sandbox-error.ts'
import { allOf, answered, type Transport } from './transport.ts'

type Billing = Pick<Sandbox, 'subscriptions' | 'invoices' | 'charges' | 'payments' | 'tokens'>

export function billingCalls(transport: Transport): Billing {
  return {
    subscriptions: subscriptions(transport),
    invoices: invoices(transport),
    charges: charges(transport),
    payments: payments(transport),
    tokens: tokens(transport),
  }
}

function subscriptions({ control, v1 }: Transport): SandboxSubscriptions {
  const path = '/v1/subscriptions/{subscription_id}'
  return {
    list: async (filter = {}) =>
      allOf((cursor) =>
        answered(
          control.GET('/sandbox/subscriptions', { params: { query: { ...filter, ...cursor } } }),
        ),
      ),
    get: async (subscription_id) =>
      answered(control.GET('/sandbox/subscriptions/{subscription_id}', at({ subscription_id }))),
    create: async (body) => answered(control.POST('/sandbox/subscriptions', { body })),
    update: async (subscription_id, body) =>
      answered(v1.POST(`${path}/update`, { ...at({ subscription_id }), body })),
    pause: async (subscription_id) => answered(v1.POST(`${path}/pause`, at({ subscription_id }))),
    resume: async (subscription_id) =>
      answered(
        control.POST('/sandbox/subscriptions/{subscription_id}/resume', at({ subscription_id })),
      ),
    cancel: async (subscription_id, body) =>
      answered(
        v1.POST(`${path}/cancel`, {
          ...at({ subscription_id }),
          ...(body === undefined ? {} : { body }),
        }),
      ),
    removeScheduledCancellation: async (subscription_id) =>
      answered(
        control.POST(
          '/sandbox/subscriptions/{subscription_id}/remove-scheduled-cancellation',
          at({ subscription_id }),
        ),
      ),
    applyCoupon: async (subscription_id, body) =>
      answered(v1.POST(`${path}/apply-coupon`, { ...at({ subscription_id }), body })),
    forecast: async (subscription_id, query = {}) =>
      allOf((cursor) =>
        answered(
          control.GET('/sandbox/subscriptions/{subscription_id}/forecast', {
            params: { ...at({ subscription_id }).params, query: { ...query, ...cursor } },
          }),
        ),
      ),
  }
}

function invoices({ control }: Transport): SandboxInvoices {
  return {
    list: async (filter = {}) =>
      allOf((cursor) =>
        answered(control.GET('/sandbox/invoices', { params: { query: { ...filter, ...cursor } } })),
      ),
    get: async (invoice_id) =>
      answered(control.GET('/sandbox/invoices/{invoice_id}', at({ invoice_id }))),
    pay: async (invoice_id) =>
      answered(control.POST('/sandbox/invoices/{invoice_id}/pay', at({ invoice_id }))),
    explain: async (invoice_id) =>
      answered(control.GET('/sandbox/invoices/{invoice_id}/explain', at({ invoice_id }))),
  }
}

function charges({ control }: Transport): SandboxCharges {
  return {
    list: async (filter = {}) =>
      allOf((cursor) =>
        answered(control.GET('/sandbox/charges', { params: { query: { ...filter, ...cursor } } })),
      ),
    get: async (charge_id) =>
      answered(control.GET('/sandbox/charges/{charge_id}', at({ charge_id }))),
    create: async (body) => answered(control.POST('/sandbox/charges', { body })),
  }
}

/** As many as a script takes. */
const FAILURES_MAX = 1000

function payments({ control }: Transport): SandboxPayments {
  const script: SandboxPayments['script'] = async (body) =>
    answered(control.POST('/sandbox/payment-outcomes', { body }))
  return {
    fail: async (order = {}) => {
      const { reason = 'card_declined', times = 1, ...scope } = objectIn('order', order)
      if (!Number.isInteger(times) || times < 1 || times > FAILURES_MAX) {
        const message = `times must be an integer from 1 to ${FAILURES_MAX}; got ${times}.`
        throw argumentError('times', message)
      }
      return script({ ...scope, outcomes: Array.from({ length: times }, () => reason) })
    },
    script,
    list: async () =>
      allOf((query) => answered(control.GET('/sandbox/payment-outcomes', { params: { query } }))),
    clear: async () => {
      await answered(control.DELETE('/sandbox/payment-outcomes'))
    },
  }
}

function tokens({ control }: Transport): SandboxTokens {
  return {
    issue: async (body = {}) => answered(control.POST('/sandbox/tokens', { body })),
    list: async () =>
      allOf((query) => answered(control.GET('/sandbox/tokens', { params: { query } }))),
    revoke: async (body) => answered(control.POST('/sandbox/tokens/revoke', { body })),
  }
}
