/** Puts the face of a sandbox together. Owns no state: all of it is on the server. */
import { billingCalls } from './billing-calls.ts'
import { at, catalogCalls } from './catalog-calls.ts'
import { clockCalls } from './clock-calls.ts'
import { lookCalls } from './look-calls.ts'
import type { CreateOrder, ForkOrder, Sandbox, Schemas } from './sandbox.ts'
import { type Address, allOf, answered, type Transport, transportTo } from './transport.ts'

/** The face of a sandbox that is there; `end` is what closing it does. */
export function faceOf(address: Address, end: () => Promise<void>): Sandbox {
  const transport = transportTo(address)
  const { sandboxId: id, url, apiKey, fetch } = address
  let ended: Promise<void> | null = null
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
    ...siblingCalls(transport),
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
    describe: () => answered(control.GET('/sandbox')),
    reset: (body = {}) => answered(control.POST('/sandbox/reset', { body })),
    checkpoint: (name) => answered(control.POST('/sandbox/checkpoints', { body: { name } })),
    checkpoints: {
      list: () =>
        allOf((query) => answered(control.GET('/sandbox/checkpoints', { params: { query } }))),
      get: (name) => answered(control.GET('/sandbox/checkpoints/{name}', at({ name }))),
      restore: (name) =>
        answered(control.POST('/sandbox/checkpoints/{name}/restore', at({ name }))),
      delete: async (name) => {
        await answered(control.DELETE('/sandbox/checkpoints/{name}', at({ name })))
      },
    },
    settings: {
      get: () => answered(control.GET('/sandbox/settings')),
      change: (body) => answered(control.PATCH('/sandbox/settings', { body })),
    },
    assumptions: () =>
      allOf((query) => answered(control.GET('/sandbox/assumptions', { params: { query } }))),
    audit: () => answered(control.GET('/sandbox/audit')),
    coverage: async (query = {}) => {
      const params = { query: { ...query, format: 'json' } } as const
      const found = await answered(control.GET('/sandbox/coverage', { params }))
      // In this format it is no text.
      return found as Schemas['Coverage']
    },
    story: async (format = 'http') => (await send(`/sandbox/story?format=${format}`)).text(),
    whatIf: (body) => answered(control.POST('/sandbox/what-if', { body })),
    exportFixture: (query = {}) => answered(control.GET('/sandbox/fixture', { params: { query } })),
    exportState: () => answered(control.GET('/sandbox/state')),
    restoreState: (body) => answered(control.PUT('/sandbox/state', { body })),
    providerState: (body) => answered(control.POST('/sandbox/provider-states', { body })),
    providerStates: () =>
      allOf((query) => answered(control.GET('/sandbox/provider-states', { params: { query } }))),
  }
}

/** The calls about other sandboxes of the same server. */
function siblingCalls(transport: Transport): Pick<Sandbox, 'create' | 'fork' | 'siblings'> {
  const { control, address } = transport
  const make = async (id: string | undefined, body: Schemas['SandboxCreate']) => {
    const made = await answered(
      id === undefined
        ? control.POST('/sandboxes', { body })
        : control.PUT('/sandboxes/{sandbox_id}', { ...at({ sandbox_id: id }), body }),
    )
    const { sandbox_id, api_key: apiKey } = made
    return faceOf({ ...address, sandboxId: sandbox_id, apiKey }, async () => {
      await answered(control.DELETE('/sandboxes/{sandbox_id}', at({ sandbox_id })))
    })
  }
  return {
    create: ({ id, ...order }: CreateOrder = {}) => make(id, order),
    fork: ({ id, checkpoint, settings }: ForkOrder = {}) =>
      make(id, {
        from: { sandbox: address.sandboxId, ...(checkpoint === undefined ? {} : { checkpoint }) },
        ...(settings === undefined ? {} : { settings }),
      }),
    siblings: () => allOf((query) => answered(control.GET('/sandboxes', { params: { query } }))),
  }
}
