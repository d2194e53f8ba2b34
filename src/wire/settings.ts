/**
 * Settings and assumptions on the wire, generated from the register: a setting's key is its slug with underscores.
 */
import type * as z from 'zod'
import { strictObject, string } from 'zod'
import {
  assumptions,
  type SettingName,
  type Settings,
  settingAssumptions,
  settingName,
  Vary,
  variable,
} from '../assumptions/register.ts'
import { documentedStatuses } from '../assumptions/subscriptions.ts'
import { warnings } from '../assumptions/warnings.ts'
import { presentAs, type SnakeKey, snakeKey } from './case.ts'
import { durationPattern, Flag, inSandbox } from './fields.ts'

/** Every setting under its wire key. */
export type WireSettings = { -readonly [Name in SettingName as SnakeKey<Name>]: Settings[Name] }

/** What JSON Schema says of a setting where zod's refinements cannot be read. */
const refinements: Readonly<Record<string, object>> = {
  'retry-schedule': {
    // Some digit other than 0 makes it positive; that they ascend, and how far, can only be said in words.
    items: { type: 'string', pattern: durationPattern('days'), not: { pattern: '^[^1-9]*$' } },
    maxItems: 50,
    uniqueItems: true,
  },
  'paused-status-name': { not: { enum: documentedStatuses } },
}

const ofAssumptions = Object.fromEntries(
  settingAssumptions.map((entry) => [
    snakeKey(settingName(entry.slug)),
    entry.schema.meta({
      accepts: entry.options,
      description: `${entry.question} Accepts: ${entry.options}. Initially: ${entry.choice}`,
      source: entry.slug,
      ...refinements[entry.slug],
    }),
  ]),
)

const fields = {
  ...ofAssumptions,
  vary: Vary.max(variable.length).meta({
    accepts: 'a list of assumptions, each of which can be decided otherwise',
    description:
      'The assumptions that the sandbox decides otherwise, as a service could that keeps to the interface; GET /sandbox/assumptions says how.',
    source: 'sandbox',
  }),
  strict: Flag.meta({
    accepts: 'true, false',
    description:
      'Whether a request on /v1 is refused that sends what the interface does not show, such as a field of its own, or JSON where it shows a form: it is answered 501 undocumented, with the assumption that it leans on.',
    source: 'sandbox',
  }),
} as unknown as { [Key in keyof WireSettings]: z.ZodType<WireSettings[Key], WireSettings[Key]> }

export const WireSettings = strictObject(fields).meta(
  inSandbox('Settings', 'The assumptions that a sandbox can change.'),
)

export const SettingsPatch = WireSettings.partial().meta({
  id: 'SettingsPatch',
  accepts: 'an object of settings',
  source: 'sandbox',
})
export type SettingsPatch = z.output<typeof SettingsPatch>

export const WireAssumption = strictObject({
  slug: string().describe('Its name, as the header Sandbox-Assumptions prints it.'),
  section: string().describe('The section of the interface that leaves it open.'),
  question: string().describe('What is left open.'),
  choice: string().describe('What the sandbox does.'),
  setting: string().nullable().describe('The key in settings, or null if fixed.'),
  options: string().nullable().describe('What the setting accepts, or null.'),
  otherwise: string()
    .nullable()
    .describe('What it does where the setting `vary` names it; null if it cannot.'),
  warning: string()
    .nullable()
    .describe('What the header Sandbox-Warnings says where an answer rests on it; null for most.'),
}).meta(inSandbox('Assumption'))
export type WireAssumption = z.input<typeof WireAssumption>

export function presentSettings(settings: Settings): WireSettings {
  return presentAs(WireSettings, settings)
}

export function presentAssumptions(): WireAssumption[] {
  return assumptions.map(({ terms, ...entry }) => ({
    ...entry,
    setting: terms === null ? null : snakeKey(settingName(entry.slug)),
    options: terms?.options ?? null,
    warning: warnings[entry.slug] ?? null,
  }))
}
