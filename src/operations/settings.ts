/** Settings and assumptions: what the sandbox decides because the interface does not say, and changing it. */

import { endpoints, json, listParts, reply } from '../surface/declarations.ts'
import { camelKeys } from '../wire/common/case.ts'
import {
  presentAssumptions,
  presentSettings,
  SettingsPatch,
  WireAssumption,
  WireSettings,
} from '../wire/sandbox/settings.ts'
import { success } from '../world/results.ts'
import { worldQuery, worldWrite } from './operation.ts'
import { readPage } from './page.ts'

const { get, patch } = endpoints('Assumptions')
const replies = reply.ok('All settings.', WireSettings)

const register = new Map(presentAssumptions().map((entry) => [entry.slug, entry]))

export const settingOperations = [
  worldQuery({
    ...get('/sandbox/settings', 'retrieveSettings'),
    summary: 'Read the settings',
    description: 'Returns the settings: the decisions of the sandbox that can be changed.',
    replies,
    read: ({ chosenSettings }) => presentSettings(chosenSettings),
  }),
  worldWrite({
    ...patch('/sandbox/settings', 'changeSettings'),
    summary: 'Change settings',
    description: 'Changes settings. A new value applies when an amount or a date is next computed.',
    body: { ...json, schema: SettingsPatch },
    replies,
    perform: (world, body) => {
      world.chosenSettings = { ...world.chosenSettings, ...camelKeys(body) }
      return success(world.chosenSettings)
    },
    present: presentSettings,
  }),
  worldQuery({
    ...get('/sandbox/assumptions', 'listAssumptions'),
    ...listParts('Assumption', WireAssumption),
    summary: 'List the assumptions',
    description:
      'Lists every question that the interface leaves open, and the decision of the sandbox.',
    read: (_, query) => readPage(register, query, (entry) => entry),
  }),
]
