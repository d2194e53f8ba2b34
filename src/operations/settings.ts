/** Settings and assumptions: what the sandbox decides because the interface does not say, and changing it. */
import { answers, controlPlane, json, pages } from '../surface/declarations.ts'
import { PageQuery } from '../wire/fields.ts'
import {
  presentAssumptions,
  presentSettings,
  SettingsPatch,
  settingsOrder,
  WireAssumption,
  WireSettings,
} from '../wire/settings.ts'
import { changeSettings } from '../world/commands/settings.ts'
import { change, worldQuery } from './operation.ts'
import { takePage } from './page.ts'

const shared = { ...controlPlane, path: '/sandbox/settings', tag: 'Assumptions' } as const
const all = answers('All settings.', WireSettings)

const register = new Map(presentAssumptions().map((entry) => [entry.slug, entry]))

export const settingOperations = [
  worldQuery({
    ...shared,
    operationId: 'retrieveSettings',
    method: 'get',
    summary: 'Read the settings',
    description: 'The assumptions that can be changed, and what they are now.',
    replies: all,
    read: ({ settings }) => presentSettings(settings),
  }),
  change({
    ...shared,
    operationId: 'changeSettings',
    method: 'patch',
    summary: 'Change settings',
    description: 'A change under way is read when an amount or a date is next computed.',
    body: { ...json, schema: SettingsPatch },
    replies: all,
    perform: (world, body) => changeSettings(world, settingsOrder(body)),
    present: presentSettings,
  }),
  worldQuery({
    ...shared,
    operationId: 'listAssumptions',
    method: 'get',
    path: '/sandbox/assumptions',
    summary: 'List the assumptions',
    description: 'Every question that the interface leaves open, and what the sandbox does.',
    query: PageQuery,
    replies: pages('Assumption', WireAssumption),
    read: (_, query) => takePage(register, query, (entry) => entry),
  }),
]
