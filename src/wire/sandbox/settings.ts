/**
 * Settings and assumptions on the wire, generated from the register: a setting's key is its slug with underscores.
 */
import * as z from 'zod'
import { strictObject, string } from 'zod'
import {
  assumptions,
  type SettingName,
  type Settings,
  settingAssumptions,
  settingName,
  Vary,
  variableSlugs,
} from '../../assumptions/register.ts'
import { documentedStatuses, fieldChangePattern } from '../../assumptions/subscriptions.ts'
import { documentedOperationIds, successStatusPattern } from '../../assumptions/surface.ts'
import { warnings } from '../../assumptions/warnings.ts'
import { durationPattern } from '../../time/duration-text.ts'
import { presentAs, type SnakeKey, snakeKey } from '../common/case.ts'
import { Flag, inSandbox, TextOrNull } from '../common/fields.ts'

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
  'subscription-fields': {
    items: { type: 'string', pattern: fieldChangePattern },
    maxItems: 20,
    uniqueItems: true,
  },
  'success-status': {
    items: { type: 'string', pattern: successStatusPattern },
    maxItems: documentedOperationIds.length + 1,
    uniqueItems: true,
  },
  'paused-status-name': { not: { enum: documentedStatuses } },
}

/** What a setting accepts, where its type does not say it. */
function wordsOf({ schema, options }: (typeof settingAssumptions)[number]): string {
  return schema instanceof z.ZodArray || schema instanceof z.ZodString
    ? `Accepts: ${options}. `
    : ''
}

/** What a refusal says that a setting accepts: its few words as a sentence, or what its options say. */
function acceptedText({ schema, options }: (typeof settingAssumptions)[number]): string {
  const words = options.split(', ')
  const isChoice = [z.ZodEnum, z.ZodLiteral, z.ZodBoolean].some((kind) => schema instanceof kind)
  if (!isChoice) return options
  return words.length > 2 ? `one of ${options}` : words.join(' or ')
}

const ofAssumptions = Object.fromEntries(
  settingAssumptions.map((entry) => [
    snakeKey(settingName(entry.slug)),
    entry.schema.meta({
      accepts: acceptedText(entry),
      description: `${entry.question} ${wordsOf(entry)}Initially: ${entry.choice}`,
      source: entry.slug,
      ...refinements[entry.slug],
    }),
  ]),
)

const fields = {
  ...ofAssumptions,
  vary: Vary.max(variableSlugs.length).meta({
    accepts: 'a list of assumptions, each of which can be decided otherwise',
    description:
      'The slugs of the assumptions for which the sandbox uses the alternative, which the interface allows as well, whatever their settings say. GET /sandbox/assumptions lists the alternatives.',
    source: 'sandbox',
  }),
  strict: Flag.meta({
    accepts: 'true or false',
    description:
      'Whether to refuse requests on /v1 that use something undocumented, such as an additional field, or JSON where the interface shows a form. They are answered with 501 undocumented and the assumption that they rely on.',
    source: 'sandbox',
  }),
} as unknown as { [Key in keyof WireSettings]: z.ZodType<WireSettings[Key], WireSettings[Key]> }

export const WireSettings = strictObject(fields).meta(
  inSandbox('Settings', 'The settings of a sandbox: its decisions that can be changed.'),
)

export const SettingsPatch = WireSettings.partial().meta({
  id: 'SettingsPatch',
  description: 'The settings with their changes. An absent setting is unchanged.',
  accepts: 'an object of settings',
  source: 'sandbox',
})
export type SettingsPatch = z.output<typeof SettingsPatch>

export const WireAssumption = strictObject({
  slug: string().describe(
    'The name of the assumption, as the header Sandbox-Assumptions prints it.',
  ),
  section: string().describe('The section of the interface that leaves the question open.'),
  question: string().describe('The question that the interface leaves open.'),
  choice: string().describe('The decision of the sandbox.'),
  setting: TextOrNull.meta({
    description: 'The key of the setting that changes the decision; null if it cannot be changed.',
    examples: ['retry_schedule'],
  }),
  options: TextOrNull.meta({
    description: 'The values that the setting accepts, in words; null without a setting.',
    examples: ['true, false'],
  }),
  otherwise: TextOrNull.describe(
    'The decision of the sandbox if the setting `vary` contains the slug of the assumption; null if `vary` does not support it.',
  ),
  warning: TextOrNull.meta({
    description:
      'The text of the header Sandbox-Warnings in an answer that uses the assumption; null without one.',
    examples: [warnings['open-invoices-on-cancellation']],
  }),
}).meta(
  inSandbox(
    'Assumption',
    'An assumption: a question that the interface leaves open, and the decision.',
  ),
)
export type WireAssumption = z.input<typeof WireAssumption>

export function presentSettings(settings: Settings): WireSettings {
  return presentAs(WireSettings, settings)
}

/** The settings that are not as usual. */
export function presentOtherSettings(settings: Settings, usual: Settings): Partial<WireSettings> {
  const before = presentSettings(usual)
  const others = Object.entries(presentSettings(settings)).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof WireSettings]),
  )
  return Object.fromEntries(others)
}

export function presentAssumptions(): WireAssumption[] {
  return assumptions.map(({ terms, ...entry }) => ({
    ...entry,
    setting: terms === null ? null : snakeKey(settingName(entry.slug)),
    options: terms?.options ?? null,
    warning: warnings[entry.slug] ?? null,
  }))
}
