/** Puts the client of a sandbox together: its generated methods, and those by hand. Owns no state: the server has it. */
import { billingText } from '../wire/billing/billing-text.ts'
import { sandboxId } from '../wire/sandbox/sandbox-id.ts'
import { sandboxMethods } from './methods.ts'
import type {
  Billing,
  BillingFilter,
  ClockMethods,
  CreateOrder,
  Fetch,
  ForkOrder,
  Sandbox,
  SandboxClock,
  SandboxMethods,
  SandboxPayments,
  Schemas,
} from './sandbox.ts'
import {
  argumentError,
  assertKnown,
  ConditionNotMet,
  closedError,
  requireObject,
  typeError,
} from './sandbox-error.ts'
import {
  type Address,
  answerData,
  messagesOf,
  pathParameters,
  queryOf,
  type Transport,
  transportTo,
} from './transport.ts'

/** Absent in the contexts of `node:vm` on Node 20; compilers of `await using` look for this one there. */
const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')

/**
 * A client of a sandbox that exists; `end` is what closing it does, null where that leaves the sandbox as it is. Once it is
 * closed it sends nothing, and follows nothing.
 */
export function sandboxClient(address: Address, end: (() => Promise<void>) | null): Sandbox {
  const { sandboxId: id, url, apiKey } = address
  let ended: Promise<void> | null = null
  const followers = new Set<AbortController>()
  const leave = async () => followers.forEach((each) => void each.abort())
  const fetch: Fetch = async (input, init) => {
    if (ended !== null) throw closedError(`Sandbox "${id}"`)
    const isPath = typeof input === 'string' && input.startsWith('/')
    return address.fetch(isPath ? `${url}${input}` : input, init)
  }
  const transport = transportTo({ ...address, fetch })
  const close = () => {
    ended ??= (end ?? leave)()
    return ended
  }
  const { control, send, v1 } = transport
  const methods = sandboxMethods(transport)
  const follow =
    <Value>(path: string) =>
    (filter = {}) =>
      messagesOf<Value>(transport, `${path}?${queryOf(requireObject('filter', filter))}`, followers)
  return {
    ...{ id, url, apiKey, fetch, v1 },
    ...methods,
    clock: { ...methods.clock, ...clockCalls(transport, methods) },
    payments: { ...methods.payments, fail: failWith(methods.payments.script) },
    events: { ...methods.events, follow: follow('/sandbox/events/stream') },
    requests: { ...methods.requests, follow: follow('/sandbox/requests/stream') },
    contracts: {
      ...methods.contracts,
      check: async (body, options = {}) => {
        // The server refuses what it does not know.
        const { live = false, ...others } = requireObject('options', options)
        const params = { query: { ...others, ...(live && { live: 'true' as const }) } }
        return answerData(control.POST('/sandbox/contracts/check', { params, body }))
      },
    },
    checkpoint: async (name) =>
      answerData(control.POST('/sandbox/checkpoints', { body: { name } })),
    recording: async (format = 'curl') =>
      (await send(`/sandbox/recording?format=${format}`)).text(),
    billing: async (filter = {}) => billingOf(methods, requireObject('filter', filter)),
    ...creationCalls(transport, address),
    close,
    [asyncDispose]: close,
  }
}

async function billingOf(
  { invoices: { list }, charges: { list: listCharges }, customers, subscriptions }: SandboxMethods,
  filter: BillingFilter,
): Promise<Billing> {
  assertKnown(filter, ['customer_id', 'subscription_id'])
  const { subscription_id, ...charged } = filter
  const invoices = await list(filter)
  const charges = subscription_id === undefined ? await listCharges(charged) : []
  const { customer_id } = charged
  // A test of a mistyped id would pass for ever.
  if (invoices.length + charges.length === 0) {
    if (customer_id !== undefined) await customers.get(customer_id)
    if (subscription_id !== undefined) await subscriptions.get(subscription_id)
  }
  return { text: billingText({ invoices, charges }), invoices, charges }
}

/** As many as a script takes. */
const OUTCOMES_MAX = 1000

/** One outcome so many times. Throws `SandboxError` for what is no number of times. */
export function repeatOutcome<Outcome>(outcome: Outcome, times: number): Outcome[] {
  if (!Number.isInteger(times) || times < 1 || times > OUTCOMES_MAX) {
    throw typeError('times', `an integer from 1 to ${OUTCOMES_MAX}`, times)
  }
  return Array.from({ length: times }, () => outcome)
}

function failWith(script: SandboxPayments['script']): SandboxPayments['fail'] {
  return async (order = {}) => {
    const { reason = 'card_declined', times = 1, ...scope } = requireObject('order', order)
    if ((reason as string) === 'succeed') {
      throw argumentError('reason', 'reason must be why a payment fails; got "succeed".')
    }
    return script({ ...scope, outcomes: repeatOutcome(reason, times) })
  }
}

/** The calls that make other sandboxes on the same server. */
function creationCalls({ control }: Transport, address: Address): Pick<Sandbox, 'create' | 'fork'> {
  // A sandbox that is made here outlives the client that made it.
  const own = transportTo(address)
  const make = async (id: string | undefined, body: Schemas['SandboxCreate']) => {
    const made = await answerData(
      id === undefined
        ? control.POST('/sandboxes', { body })
        : control.PUT('/sandboxes/{sandbox_id}', { ...pathParameters({ sandbox_id: id }), body }),
    )
    const { sandbox_id, api_key: apiKey } = made
    return sandboxClient({ ...address, sandboxId: sandbox_id, apiKey }, async () => {
      const path = pathParameters({ sandbox_id })
      const deleted = await own.control.DELETE('/sandboxes/{sandbox_id}', path)
      // One that is gone already, deleted or expired, is as it was to be.
      if (deleted.response.status !== 404) await answerData(Promise.resolve(deleted))
    })
  }
  return {
    create: async (order: CreateOrder = {}) => {
      const { id, ...body } = requireObject('order', order)
      return make(id, body)
    },
    fork: async (order: ForkOrder = {}) => {
      // The server refuses what it does not know.
      const {
        id = idBeside(address.sandboxId),
        checkpoint,
        ...others
      } = requireObject('order', order)
      const from = { sandbox: address.sandboxId, ...(checkpoint !== undefined && { checkpoint }) }
      return make(id, { from, ...others })
    },
  }
}

/** A new id for a fork that several processes place beside its source; undefined for an id that would be too long. */
function idBeside(source: string): string | undefined {
  const id = `${source.split('--')[0]}--${crypto.randomUUID().slice(-12)}`
  return sandboxId.pattern.test(id) ? id : undefined
}

/** A date as the sandbox takes it. The sandbox refuses an invalid one. */
export function textOfDate(date: Date): string {
  return Number.isNaN(date.getTime()) ? String(date) : date.toISOString()
}

function clockCalls(
  { control }: Transport,
  { clock, subscriptions }: SandboxMethods,
): Omit<SandboxClock, keyof ClockMethods> {
  const advance: SandboxClock['advance'] = async (by) =>
    answerData(
      control.POST('/sandbox/clock/advance', { body: typeof by === 'string' ? { by } : by }),
    )
  return {
    now: async () => (await clock.get()).now,
    advance,
    to: async (instant) => advance({ to: instant instanceof Date ? textOfDate(instant) : instant }),
    toNext: async (times = 1) => advance({ to_next: times }),
    until: async (condition) => {
      const { within, ...until } = requireObject('until', condition)
      const reached = await advance({ until, ...(within === undefined ? {} : { within }) })
      if (reached.stopped_because === 'condition_met') return reached
      const { subscription_id, status: wanted } = until
      const { status } = await subscriptions.get(subscription_id)
      const why = reached.stopped_because === 'condition_not_met' ? '' : reached.stopped_because
      throw new ConditionNotMet(
        `${subscription_id} did not become ${wanted} within ${within ?? 'a year'}: it is ${status}, and the clock stopped at ${reached.to}${why && ` (${why})`}.`,
      )
    },
  }
}
