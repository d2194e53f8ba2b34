/**
 * The assumption register: the one closed list of everything the sandbox decides because the interface document
 * does not. Settings, `/sandbox/assumptions`, docs/fidelity.md and the `Sandbox-Assumptions` header all come from it.
 */
import * as z from 'zod'
import { couponAssumptions } from './coupons.ts'
import type { AssumptionRows } from './entry.ts'
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
type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text

/** Every assumption that is a setting, by its name in camel case, with its value. */
export type Settings = {
  readonly [Slug in SettingSlug as CamelCase<Slug>]: z.output<SchemaOf<Slug>>
}
export type SettingName = keyof Settings

/** Every assumption; `terms` says what it can be changed to, null where it cannot. */
export const assumptions = Object.entries<AssumptionRows[string]>(rows).map(
  ([slug, [section, question, choice, terms = null]]) => {
    return { slug: slug as AssumptionSlug, section, question, choice, terms }
  },
)

/** The assumptions that a sandbox can change. */
export const settingAssumptions = assumptions.flatMap(({ terms, ...entry }) =>
  terms === null ? [] : [{ ...entry, ...terms }],
)

/** The name that a setting has in code: its slug in camel case. */
export function settingName(slug: string): SettingName {
  return slug.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as SettingName
}

/** Every setting at what the register chose. */
export const initialSettings = Object.fromEntries(
  settingAssumptions.map((entry) => [settingName(entry.slug), entry.fallback]),
) as Settings

/** All settings of one sandbox, each within its options. */
export const Settings = z.strictObject(
  Object.fromEntries(
    settingAssumptions.map((entry) => [settingName(entry.slug), entry.schema]),
  ) as Record<SettingName, z.ZodType>,
) as unknown as z.ZodType<Settings>
