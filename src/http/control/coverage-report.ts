/** The report of coverage: holds what was counted against what there is. */
import type { Status, Transition } from '../../billing/status.ts'
import { addCounts, type Coverage, type CoverageCounts, noCounts } from '../../sandbox/coverage.ts'
import { snakeKey } from '../../wire/case.ts'
import {
  type CoverageQuery,
  type Measure,
  measureNames,
  type WireCoverage,
} from '../../wire/coverage.ts'
import { universe } from './coverage-universe.ts'

type Counted = Pick<WireCoverage, 'calls' | 'unmatched' | 'measures' | 'seen'>
type ReportQuery = Pick<CoverageQuery, 'consumer' | `min_${Measure}`>

/** Reports on what was counted, by consumer and in sum. */
export function coverageReport({ rows }: Pick<Coverage, 'rows'>, query: ReportQuery): WireCoverage {
  const chosen = rows.filter(
    ({ consumer }) => query.consumer === undefined || consumer === query.consumer,
  )
  const sum = noCounts()
  for (const { counts } of chosen) addCounts(sum, counts)
  const total = presentCounts(sum)
  const thresholds = thresholdsOf(query, total.measures)
  return {
    ok: thresholds.every(({ ok }) => ok),
    thresholds,
    ...total,
    unseen: presentUnseen(sum),
    consumers: chosen.map(({ kind, consumer, counts }) => {
      return { kind, consumer, ...presentCounts(counts) }
    }),
  }
}

function thresholdsOf(
  query: ReportQuery,
  measures: Counted['measures'],
): WireCoverage['thresholds'] {
  return measureNames.flatMap((measure) => {
    const min = query[`min_${measure}`]
    const { percent } = measures[measure]
    return min === undefined ? [] : [{ measure, min, percent, ok: percent >= min }]
  })
}

function presentCounts(counts: CoverageCounts): Counted {
  const seen = unitsIn(counts)
  const measures = Object.fromEntries(
    measureNames.map((name) => {
      const all = universe()[name]
      const found = all.filter((unit) => seen[name].has(unit)).length
      const percent = Math.floor((found * 1000) / all.length) / 10
      return [name, { seen: found, of: all.length, percent }]
    }),
  )
  return {
    calls: sumOf(counts.answers),
    unmatched: sumOf(counts.unmatched),
    measures: measures as Counted['measures'],
    seen: presentSeen(counts),
  }
}

/** The units that were seen of every measure, by their keys. */
function unitsIn(counts: CoverageCounts): Record<Measure, ReadonlySet<string>> {
  const answers = [...counts.answers.keys()].map((key) => key.split(' '))
  return {
    operations: new Set(answers.map(([operation = '']) => operation)),
    statuses: new Set(answers.map(([operation, status]) => `${operation} ${status}`)),
    // What is refused may have been refused for how it is written.
    media: new Set(
      answers
        .filter(([, status]) => Number(status) < 300)
        .map(([operation, , media]) => `${operation} ${media}`),
    ),
    error_codes: new Set(counts.codes.keys()),
    transitions: new Set(counts.transitions.keys()),
    settings: new Set([...counts.settings.keys()].map((key) => splitSetting(key).setting)),
    assumptions: new Set(counts.assumptions.keys()),
  }
}

function presentSeen(counts: CoverageCounts): Counted['seen'] {
  return {
    answers: sorted(counts.answers).map(([key, calls]) => {
      const [operation_id = '', status, media] = key.split(' ')
      return { operation_id, status: Number(status), media: media as 'json', calls }
    }),
    error_codes: sorted(counts.codes).map(([code, calls]) => ({ code, calls })),
    transitions: sorted(counts.transitions).map(([key, times]) => ({
      ...splitTransition(key),
      times,
    })),
    settings: sorted(counts.settings).map(([key, calls]) => ({ ...splitSetting(key), calls })),
    assumptions: sorted(counts.assumptions).map(([slug, calls]) => ({ slug, calls })),
  }
}

function presentUnseen(counts: CoverageCounts): WireCoverage['unseen'] {
  const seen = unitsIn(counts)
  const unseen = measureNames.map((name) => {
    const present: (unit: string) => unknown = presentUnit[name] ?? String
    const units = universe()[name].filter((unit) => !seen[name].has(unit))
    return [name, units.map((unit) => present(unit))]
  })
  return Object.fromEntries(unseen) as WireCoverage['unseen']
}

/** Units of several words, as JSON has them. */
const presentUnit: { readonly [Name in Measure]?: (unit: string) => object } = {
  statuses: (unit) => {
    const [operation_id = '', status] = unit.split(' ')
    return { operation_id, status: Number(status) }
  },
  media: (unit) => {
    const [operation_id = '', media] = unit.split(' ')
    return { operation_id, media }
  },
  transitions: splitTransition,
}

function splitTransition(transition: string) {
  const [from, trigger = '', to] = transition.split(' ') as [Status, string?, Status?]
  return { from, trigger, to: to as Status }
}

function splitSetting(key: string): { readonly setting: string; readonly value: unknown } {
  const at = key.indexOf(' ')
  return { setting: snakeKey(key.slice(0, at)), value: JSON.parse(key.slice(at + 1)) }
}

function sorted(counts: ReadonlyMap<string | Transition, number>): [string, number][] {
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, each) => sum + each, 0)
}
