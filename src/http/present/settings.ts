/** Settings and assumptions as the wire shows them, and back. */
import { assumptions, type Settings } from '../../assumptions/register.ts'
import {
  type SettingsPatch,
  settingKey,
  settingNames,
  type WireAssumption,
  type WireSettings,
} from '../../wire/settings.ts'

/** All settings of a sandbox on the wire. */
export function presentSettings(settings: Settings): WireSettings {
  const entries = [...settingNames].map(([key, name]) => [key, settings[name]])
  return Object.fromEntries(entries) as WireSettings
}

/** The settings that a caller asks to change, by their names in code. */
export function settingsFrom(patch: SettingsPatch): Partial<Settings> {
  const entries = Object.entries(patch).map(([key, value]) => [settingNames.get(key), value])
  return Object.fromEntries(entries) as Partial<Settings>
}

/** The whole register on the wire. */
export function presentAssumptions(): WireAssumption[] {
  return assumptions.map((entry) => {
    const { slug, section, question, choice } = entry
    const isSetting = 'options' in entry
    return {
      slug,
      section,
      question,
      choice,
      setting: isSetting ? settingKey(slug) : null,
      options: isSetting ? entry.options : null,
    }
  })
}
