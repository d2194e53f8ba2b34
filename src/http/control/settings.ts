/** Settings and assumptions: what the sandbox decides because the interface does not say, and changing it. */

import { ok, route } from '../../surface/operation.ts'
import { PageQuery } from '../../wire/fields.ts'
import {
  presentAssumptions,
  presentSettings,
  SettingsPatch,
  settingsOrder,
  WireAssumption,
  WireSettings,
} from '../../wire/settings.ts'
import { changeSettings } from '../../world/commands/settings.ts'
import { executeInWorld, readInWorld, takePage } from './calls.ts'
import { answers, controlPlane, json, pages } from './declarations.ts'

const shared = { ...controlPlane, tag: 'Assumptions' } as const
const all = answers('All settings.', WireSettings)

const register = new Map(presentAssumptions().map((entry) => [entry.slug, entry]))

export const settingsRoutes = [
  route({
    ...shared,
    operationId: 'retrieveSettings',
    method: 'get',
    path: '/sandbox/settings',
    summary: 'Read the settings',
    description: 'The assumptions that can be changed, and what they are now.',
    replies: all,
    answer: async ({ c }) => ok(await readInWorld(c, ({ settings }) => presentSettings(settings))),
  }),
  route({
    ...shared,
    operationId: 'changeSettings',
    method: 'patch',
    path: '/sandbox/settings',
    summary: 'Change settings',
    description: 'A change under way is read when an amount or a date is next computed.',
    body: {
      ...json,
      schema: SettingsPatch,
    },
    replies: all,
    answer: async ({ body, c }) => {
      const changes = settingsOrder(body)
      return ok(presentSettings(await executeInWorld(c, (world) => changeSettings(world, changes))))
    },
  }),
  route({
    ...shared,
    operationId: 'listAssumptions',
    method: 'get',
    path: '/sandbox/assumptions',
    summary: 'List the assumptions',
    description: 'Every question that the interface leaves open, and what the sandbox does.',
    query: PageQuery,
    replies: pages('Assumption', WireAssumption),
    answer: ({ query }) => ok(takePage(register, query, (entry) => entry)),
  }),
]
