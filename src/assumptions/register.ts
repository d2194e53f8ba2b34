/**
 * The assumption register: the complete list of everything that the sandbox decides because the interface document does
 * not. Settings, `/sandbox/assumptions`, docs/fidelity.md and the `Sandbox-Assumptions` header all come from it.
 */
import * as z from 'zod'
import { couponAssumptions } from './coupons.ts'
import type { AssumptionRows, Variation } from './entry.ts'
import { subscriptionAssumptions } from './subscriptions.ts'
import { surfaceAssumptions } from './surface.ts'

const rows = { ...subscriptionAssumptions, ...couponAssumptions, ...surfaceAssumptions }
type Rows = typeof rows

/** The name of one assumption, as the `Sandbox-Assumptions` header prints it. */
export type AssumptionSlug = keyof Rows

type SchemaOf<Slug extends AssumptionSlug> = Rows[Slug] extends readonly [
  ...string[],
  { readonly schema: infer Schema },
]
  ? Schema
  : never
type SettingSlug = {
  [Slug in AssumptionSlug]: SchemaOf<Slug> extends never ? never : Slug
}[AssumptionSlug]
/** The assumptions without a setting that a sandbox decides differently if its setting `vary` names them. */
export type VariedSlug = {
  [Slug in AssumptionSlug]: Rows[Slug] extends readonly [...string[], Variation] ? Slug : never
}[AssumptionSlug]
type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text

/** Every assumption that is a setting, by its name in camel case, with its value; the varied ones; and strictness. */
export type Settings = {
  readonly [Slug in SettingSlug as CamelCase<Slug>]: z.output<SchemaOf<Slug>>
} & {
  readonly vary: readonly AssumptionSlug[]
  /** Whether undocumented parts of a request are refused. */
  readonly strict: boolean
}
export type SettingName = keyof Settings

/** Every assumption, with its setting in `terms` and its alternative for `vary` in `otherwise`; null without one. */
export const assumptions = Object.entries<AssumptionRows[string]>(rows).map(
  ([slug, [section, question, choice, change = null]]) => {
    const terms = change !== null && 'schema' in change ? change : null
    const otherwise = change?.otherwise ?? null
    const entry = { slug: slug as AssumptionSlug, section, question, choice, terms }
    return { ...entry, otherwise: otherwise ?? (terms && print(terms.varied)) }
  },
)

/** The assumptions with an alternative. */
export const variableSlugs: readonly AssumptionSlug[] = assumptions
  .filter(({ otherwise }) => otherwise !== null)
  .map(({ slug }) => slug)

/** The assumptions with a setting. */
export const settingAssumptions = assumptions.flatMap(({ terms, ...entry }) =>
  terms === null ? [] : [{ ...entry, ...terms }],
)

/** The name of a setting in code: its slug in camel case. */
export function settingName(slug: string): SettingName {
  return slug.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as SettingName
}

/** Every setting at its initial value, nothing varied, and not strict. */
export const initialSettings = {
  ...Object.fromEntries(
    settingAssumptions.map((entry) => [settingName(entry.slug), entry.fallback]),
  ),
  vary: [],
  strict: false,
} as unknown as Settings

/** The settings in force: each one that `vary` names has its alternative value. */
export function settingsInForce(settings: Settings): Settings {
  if (settings.vary.length === 0) return settings
  const changes = settingAssumptions
    .filter(({ slug }) => settings.vary.includes(slug))
    .map(({ slug, fallback, varied }) => {
      const name = settingName(slug)
      const isVaried = print(settings[name]) === print(varied)
      return [name, isVaried ? fallback : varied]
    })
  return { ...settings, ...Object.fromEntries(changes) }
}

/** Whether settings decide an assumption as they initially do. */
export function isDecidedInitially(settings: Settings, slug: AssumptionSlug): boolean {
  const name = settingName(slug)
  const isSame = print(settings[name]) === print(initialSettings[name])
  return isSame && !settings.vary.includes(slug)
}

function print(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The assumptions to vary. */
export const Vary = z.array(
  z.enum(variableSlugs as [AssumptionSlug, ...AssumptionSlug[]]).meta({
    accepts: `one of ${variableSlugs.join(', ')}`,
  }),
)

const Stored = z.strictObject({
  ...Object.fromEntries(settingAssumptions.map((entry) => [settingName(entry.slug), entry.schema])),
  vary: Vary.default([]),
  strict: z.boolean().default(false),
})

/** All settings of one sandbox, each validated. Also reads what earlier versions stored. */
export const Settings = z.preprocess(upgradeSettings, Stored) as unknown as z.ZodType<Settings>

/** Stored settings of this version or an earlier one; those of this version are returned unchanged. */
export function currentSettings(stored: Settings): Settings {
  const isWhole = Object.keys(initialSettings).every((name) => name in stored)
  return isWhole && upgradeSettings(stored) === stored ? stored : Settings.parse(stored)
}

/** What earlier versions stored as the status of success, and what it is now. */
const formerStatuses: Readonly<Record<string, readonly string[]>> = {
  200: [],
  201: ['201'],
  '201_for_creation': ['createSubscription=201'],
}

/** Settings of an earlier version: without those added since, or with values that have another form now. */
function upgradeSettings<Stored>(stored: Stored): Stored {
  if (typeof stored !== 'object' || stored === null) return stored
  const added = Object.entries(initialSettings).filter(([name]) => !(name in stored))
  const { afterRetries, successStatus } = stored as Partial<Record<SettingName, unknown>>
  const statuses = typeof successStatus === 'string' ? formerStatuses[successStatus] : undefined
  const changes = {
    ...Object.fromEntries(added),
    // An ending after retries that was removed.
    ...(afterRetries === 'expire' && { afterRetries: 'cancel' }),
    ...(statuses && { successStatus: statuses }),
  }
  return Object.keys(changes).length === 0 ? stored : { ...stored, ...changes }
}
