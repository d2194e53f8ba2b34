/** The sandbox itself: what it holds, and its way back to where it began. */
import type { Context } from 'hono'
import { beginAgain } from '../../sandbox/fixtures.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Replacement, WorldMaker } from '../../sandbox/sandbox-parts.ts'
import { answers, endpoints, json } from '../../surface/declarations.ts'
import { ok, route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import { instantAt } from '../../time/instant.ts'
import { snakeKeys } from '../../wire/case.ts'
import {
  HOLDS_SHOWN,
  SandboxReset,
  type WireSandbox,
  WireSandboxDescription,
  WireSandboxSummary,
} from '../../wire/sandbox.ts'
import { nextDue } from '../../world/advance.ts'
import { countsOf } from '../../world/counts.ts'
import { holdMeter } from '../../world/hold-meter.ts'
import type { World } from '../../world/world.ts'
import { requestIdInNewWorld } from '../request-id.ts'
import { readInWorld } from '../world-calls.ts'

const { get, post } = endpoints('Sandbox')

export const sandboxRoutes = [
  route({
    ...get('/sandbox', 'describeSandbox'),
    summary: 'Describe the sandbox',
    description:
      'Its key, its virtual now, how much it holds, and what falls due next. Also how long operations held up others in the process that serves it: these figures are of real time, and not the same when the same calls are repeated.',
    replies: answers('The sandbox, and the process that serves it.', WireSandboxDescription),
    answer: async ({ c }) => ok({ ...(await summarize(c)), longest_holds: longestHolds() }),
  }),
  route({
    ...post('/sandbox/reset', 'resetSandbox'),
    summary: 'Reset the sandbox',
    description:
      'Back to what it was made from, clock and settings included; or to another fixture, with its own clock and settings. Checkpoints are deleted, as a new sandbox has none. Webhooks and published pacts stay.',
    body: { ...json, schema: SandboxReset, required: false },
    replies: answers('The sandbox.', WireSandboxSummary),
    refusals: ['not_found', 'fixture_unusable', 'sandbox_full', 'clock_backwards', 'clock_limit'],
    answer: async ({ body, c }) => {
      const make = (world: World) =>
        beginAgain(world, c.get('server').registry.fixtures, body.fixture)
      return ok(await replaceWorld(c, make, { as: 'reset' }))
    },
  }),
]

/** Has another world take the place of the one of a call; answers how much the sandbox then holds. */
export async function replaceWorld(
  c: Context,
  make: WorldMaker,
  replacement: Omit<Replacement, 'requestId'>,
) {
  const requestId = () => requestIdInNewWorld(c)
  orThrow(await c.get('sandbox').replace(make, { ...replacement, requestId }))
  return summarize(c)
}

/** The sandbox of a call, and how much it holds. */
function summarize(c: Context) {
  return readInWorld(c, (world) => presentSummary(c.get('sandbox'), world))
}

/** How long the operations of this process held its event loop. */
function longestHolds(): WireSandboxDescription['longest_holds'] {
  const rows = holdMeter.longest?.slice(0, HOLDS_SHOWN).map(({ operation, ms, at }) => {
    return { operation, ms: Math.round(ms), at: instantAt(Math.floor(at)) }
  })
  return rows ?? null
}

/** A sandbox by its identity. */
export function presentSandbox(sandbox: Sandbox): WireSandbox {
  return { sandbox_id: sandbox.id, api_key: sandbox.apiKey, now: sandbox.now() }
}

/** A sandbox and how much it holds. */
function presentSummary(sandbox: Sandbox, world: World): WireSandboxSummary {
  return {
    ...presentSandbox(sandbox),
    counts: snakeKeys(countsOf(world)),
    next_due: nextDue(world),
  }
}
