/** The calls that look at a sandbox and at what was sent to it, and that make calls go wrong. */
import { at } from './catalog-calls.ts'
import type {
  Sandbox,
  SandboxContracts,
  SandboxEvents,
  SandboxFaults,
  SandboxRequests,
  SandboxWebhooks,
} from './sandbox.ts'
import { allNumbered, allOf, answered, messagesOf, queryOf, type Transport } from './transport.ts'

type Looks = Pick<Sandbox, 'events' | 'requests' | 'faults' | 'webhooks' | 'contracts'>

export function lookCalls(transport: Transport): Looks {
  return {
    events: events(transport),
    requests: requests(transport),
    faults: faults(transport),
    webhooks: webhooks(transport),
    contracts: contracts(transport),
  }
}

function events(transport: Transport): SandboxEvents {
  const { control } = transport
  return {
    list: (filter = {}) =>
      allNumbered((cursor) =>
        answered(
          control.GET('/sandbox/events', {
            params: { query: { ...filter, limit: PAGE, ...cursor } },
          }),
        ),
      ),
    follow: (filter = {}) => messagesOf(transport, `/sandbox/events/stream?${queryOf(filter)}`),
  }
}

function requests(transport: Transport): SandboxRequests {
  const { control } = transport
  return {
    list: (filter = {}) =>
      allNumbered((cursor) =>
        answered(
          control.GET('/sandbox/requests', {
            params: { query: { ...filter, limit: PAGE, ...cursor } },
          }),
        ),
      ),
    follow: (filter = {}) => messagesOf(transport, `/sandbox/requests/stream?${queryOf(filter)}`),
  }
}

/** The longest page that the sandbox answers. */
const PAGE = 1000

function faults({ control }: Transport): SandboxFaults {
  return {
    list: () => allOf((query) => answered(control.GET('/sandbox/faults', { params: { query } }))),
    get: (fault_id) => answered(control.GET('/sandbox/faults/{fault_id}', at({ fault_id }))),
    create: (body) => answered(control.POST('/sandbox/faults', { body })),
    delete: async (fault_id) => {
      await answered(control.DELETE('/sandbox/faults/{fault_id}', at({ fault_id })))
    },
    clear: async () => {
      await answered(control.DELETE('/sandbox/faults'))
    },
  }
}

function webhooks({ control }: Transport): SandboxWebhooks {
  return {
    list: () => allOf((query) => answered(control.GET('/sandbox/webhooks', { params: { query } }))),
    get: (webhook_id) =>
      answered(control.GET('/sandbox/webhooks/{webhook_id}', at({ webhook_id }))),
    create: (body) => answered(control.POST('/sandbox/webhooks', { body })),
    delete: async (webhook_id) => {
      await answered(control.DELETE('/sandbox/webhooks/{webhook_id}', at({ webhook_id })))
    },
    deliveries: (filter = {}) =>
      allOf((cursor) =>
        answered(
          control.GET('/sandbox/webhooks/deliveries', {
            params: { query: { ...filter, ...cursor } },
          }),
        ),
      ),
    redeliver: (delivery_id) =>
      answered(
        control.POST('/sandbox/webhooks/deliveries/{delivery_id}/redeliver', at({ delivery_id })),
      ),
  }
}

function contracts({ control }: Transport): SandboxContracts {
  return {
    list: () =>
      allOf((query) => answered(control.GET('/sandbox/contracts', { params: { query } }))),
    get: (file) => answered(control.GET('/sandbox/contracts/{file}', at({ file }))),
    check: (body, { live = false } = {}) =>
      answered(
        control.POST('/sandbox/contracts/check', {
          params: { query: live ? { live: 'true' } : {} },
          body,
        }),
      ),
  }
}
