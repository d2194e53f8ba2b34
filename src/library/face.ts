/** Puts the face of a sandbox together. Owns no state: all of it is on the server. */
import { billingCalls } from './billing-calls.ts'
import { at, catalogCalls } from './catalog-calls.ts'
import { clockCalls } from './clock-calls.ts'
import { lookCalls } from './look-calls.ts'
import type { CreateOrder, Fetch, ForkOrder, Sandbox, Schemas } from './sandbox.ts'
import { closedError, objectIn } from './sandbox-error.ts'
import { type Address, allOf, answered, type Transport, transportTo } from './transport.ts'

/** The face of a sandbox that is there; `end` is what closing it does. Once it is closed it sends nothing. */
export function faceOf(address: Address, end: () => Promise<void>): Sandbox {
  const { sandboxId: id, url, apiKey } = address
  let ended: Promise<void> | null = null
  const fetch: Fetch = async (input, init) => {
    if (ended !== null) throw closedError(`Sandbox "${id}"`)
    return address.fetch(input, init)
  }
  const transport = transportTo({ ...address, fetch })
  const close = () => {
    ended ??= end()
    return ended
  }
  return {
    ...{ id, url, apiKey, fetch, v1: transport.v1 },
    clock: clockCalls(transport),
    ...catalogCalls(transport),
    ...billingCalls(transport),
    ...lookCalls(transport),
    ...ownCalls(transport),
    ...siblingCalls(transport, address),
    close,
    [Symbol.asyncDispose]: close,
  }
}

type OwnCalls = Pick<
  Sandbox,
  | 'describe'
  | 'reset'
  | 'checkpoint'
  | 'checkpoints'
  | 'settings'
  | 'assumptions'
  | 'audit'
  | 'coverage'
  | 'story'
  | 'whatIf'
  | 'exportFixture'
  | 'exportState'
  | 'restoreState'
  | 'providerState'
  | 'providerStates'
>

/** The calls about the sandbox as a whole. */
function ownCalls({ control, send }: Transport): OwnCalls {
  return {
    describe: async () => answered(control.GET('/sandbox')),
    reset: async (body = {}) => answered(control.POST('/sandbox/reset', { body })),
    checkpoint: async (name) => answered(control.POST('/sandbox/checkpoints', { body: { name } })),
    checkpoints: {
      list: async () =>
        allOf((query) => answered(control.GET('/sandbox/checkpoints', { params: { query } }))),
      get: async (name) => answered(control.GET('/sandbox/checkpoints/{name}', at({ name }))),
      restore: async (name) =>
        answered(control.POST('/sandbox/checkpoints/{name}/restore', at({ name }))),
      delete: async (name) => {
        await answered(control.DELETE('/sandbox/checkpoints/{name}', at({ name })))
      },
    },
    settings: {
      get: async () => answered(control.GET('/sandbox/settings')),
      change: async (body) => answered(control.PATCH('/sandbox/settings', { body })),
    },
    assumptions: async () =>
      allOf((query) => answered(control.GET('/sandbox/assumptions', { params: { query } }))),
    audit: async () => answered(control.GET('/sandbox/audit')),
    coverage: async (query = {}) => {
      const params = { query: { ...query, format: 'json' } } as const
      const found = await answered(control.GET('/sandbox/coverage', { params }))
      // In this format it is no text.
      return found as Schemas['Coverage']
    },
    story: async (format = 'curl') => (await send(`/sandbox/story?format=${format}`)).text(),
    whatIf: async (body) => answered(control.POST('/sandbox/what-if', { body })),
    exportFixture: async (query = {}) =>
      answered(control.GET('/sandbox/fixture', { params: { query } })),
    exportState: async () => answered(control.GET('/sandbox/state')),
    restoreState: async (body) => answered(control.PUT('/sandbox/state', { body })),
    providerState: async (body) => answered(control.POST('/sandbox/provider-states', { body })),
    providerStates: async () =>
      allOf((query) => answered(control.GET('/sandbox/provider-states', { params: { query } }))),
  }
}

/** The calls about other sandboxes of the same server. */
function siblingCalls(
  { control }: Transport,
  address: Address,
): Pick<Sandbox, 'create' | 'fork' | 'siblings'> {
  // What is made here outlives the face that made it.
  const own = transportTo(address)
  const make = async (id: string | undefined, body: Schemas['SandboxCreate']) => {
    const made = await answered(
      id === undefined
        ? control.POST('/sandboxes', { body })
        : control.PUT('/sandboxes/{sandbox_id}', { ...at({ sandbox_id: id }), body }),
    )
    const { sandbox_id, api_key: apiKey } = made
    return faceOf({ ...address, sandboxId: sandbox_id, apiKey }, async () => {
      await answered(own.control.DELETE('/sandboxes/{sandbox_id}', at({ sandbox_id })))
    })
  }
  return {
    create: async (order: CreateOrder = {}) => {
      const { id, ...body } = objectIn('order', order)
      return make(id, body)
    },
    fork: async (order: ForkOrder = {}) => {
      const { id, checkpoint, settings } = objectIn('order', order)
      return make(id, {
        from: { sandbox: address.sandboxId, ...(checkpoint === undefined ? {} : { checkpoint }) },
        ...(settings === undefined ? {} : { settings }),
      })
    },
    siblings: async () =>
      allOf((query) => answered(control.GET('/sandboxes', { params: { query } }))),
  }
}
