/** The sandbox itself: what it holds, and its way back to where it began. */
import type { Context } from 'hono'
import { beginAgain } from '../../sandbox/fixtures.ts'
import type { Registry } from '../../sandbox/registry.ts'
import type { World } from '../../sandbox/world.ts'
import { ok, operation, type Route, route } from '../../surface/operation.ts'
import { granted } from '../../surface/refusals.ts'
import { SandboxReset, WireSandboxSummary } from '../../wire/sandbox.ts'
import { presentSummary } from '../present/sandbox.ts'
import { requestIdOf } from '../stamp.ts'
import { askWorld, controlPlane, json } from './calls.ts'

const summary = {
  200: { description: 'The sandbox.', schema: WireSandboxSummary, source: 'sandbox' },
} as const

const describe = operation({
  ...controlPlane,
  operationId: 'describeSandbox',
  method: 'get',
  path: '/sandbox',
  tag: 'Sandbox',
  summary: 'Describe the sandbox',
  description: 'Its key, its virtual now, how much it holds, and what falls due next.',
  replies: summary,
  refusals: [],
})

const reset = operation({
  ...controlPlane,
  operationId: 'resetSandbox',
  method: 'post',
  path: '/sandbox/reset',
  tag: 'Sandbox',
  summary: 'Reset the sandbox',
  description:
    'Back to what it was made from, clock and settings included; or to another fixture, with its own clock and settings. Checkpoints are deleted, as a new sandbox has none.',
  body: { ...json, schema: SandboxReset, required: false },
  replies: summary,
  refusals: ['not_found', 'sandbox_full', 'clock_backwards', 'clock_limit'],
})

export const sandboxOperations = [describe, reset]

export function sandboxRoutes({ fixtures }: Registry): Route[] {
  return [
    route(describe, async ({ c }) => ok(await summarize(c))),
    route(reset, async ({ body, c }) => {
      const make = (world: World) => beginAgain(world, fixtures, body.fixture)
      const told = { as: 'reset', requestId: () => requestIdOf(c) } as const
      granted(await c.var.sandbox.replace(make, told))
      return ok(await summarize(c))
    }),
  ]
}

/** The sandbox of a call, and how much it holds. */
export function summarize(c: Context) {
  return askWorld(c, (world) => presentSummary(c.var.sandbox, world))
}
