/** Fixtures whose sandboxes decide one assumption otherwise, or start at another instant, unless told what to do. */
import {
  type AssumptionSlug,
  initialSettings,
  settingAssumptions,
  settingName,
} from '../assumptions/register.ts'
import type { Instant } from '../time/instant.ts'
import { snakeKey } from '../wire/common/case.ts'
import type { FixtureLibrary } from './fixtures.ts'

type Fields = Readonly<Record<string, unknown>>

export function deviatingFixtures(
  fixtures: FixtureLibrary,
  { vary, now }: { readonly vary?: AssumptionSlug; readonly now?: Instant } = {},
): FixtureLibrary {
  const deviating = [...fixtures].map(([name, fixture]) => {
    const { settings, state } = fixture
    const changed = {
      ...{ ...fixture, settings: varySettings(settings, vary) },
      ...(state && {
        state: { ...state, settings: varySettings(state['settings'] as Fields, vary) },
      }),
      ...(now && { startAt: now }),
    }
    return [name, changed as typeof fixture] as const
  })
  return new Map(deviating)
}

/** Settings with another decision, unless they decide it themselves. */
function varySettings(settings: Fields, slug: AssumptionSlug | undefined): Fields {
  if (slug === undefined) return settings
  const terms = settingAssumptions.find((entry) => entry.slug === slug)
  const name = settingName(slug)
  const key = snakeKey(name)
  if (terms === undefined) {
    const { vary = initialSettings.vary } = settings as { vary?: readonly AssumptionSlug[] }
    return { ...settings, vary: [...vary, slug] }
  }
  const { [key]: own = initialSettings[name] } = settings
  const isInitial = JSON.stringify(own) === JSON.stringify(initialSettings[name])
  return isInitial ? { ...settings, [key]: terms.varied } : settings
}
