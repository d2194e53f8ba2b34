/**
 * The assumption register: the one closed list of everything the sandbox decides because the interface document
 * does not. Settings, `/sandbox/assumptions`, docs/fidelity.md and the `Sandbox-Assumptions` header all come from it.
 */
import * as z from 'zod'
import { couponAssumptions } from './coupons.ts'
import type { SettingAssumption } from './entry.ts'
import { subscriptionAssumptions } from './subscriptions.ts'
import { surfaceAssumptions } from './surface.ts'

export const assumptions = [
  ...subscriptionAssumptions,
  ...couponAssumptions,
  ...surfaceAssumptions,
] as const

type Assumption = (typeof assumptions)[number]

/** The name of one assumption, as the `Sandbox-Assumptions` header prints it. */
export type AssumptionSlug = Assumption['slug']

type Setting = Extract<Assumption, SettingAssumption>
type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text

/** Every assumption that is a setting, by its name in camel case, with its value. */
export type Settings = {
  readonly [Entry in Setting as CamelCase<Entry['slug']>]: z.output<Entry['schema']>
}
export type SettingName = keyof Settings

/** The assumptions that a sandbox can change. */
export const settingAssumptions: readonly (SettingAssumption & { slug: Setting['slug'] })[] =
  assumptions.filter((entry): entry is Setting => 'schema' in entry)

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
