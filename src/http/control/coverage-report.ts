/**
 * The report of coverage: holds what was counted against what there is of the documented surface, all of which follows from
 * declarations, so that nothing can be forgotten.
 */

import { assumptions, settingAssumptions } from '../../assumptions/register.ts'
import { type Status, type Transition, transitions } from '../../billing/status.ts'
import { refusalCodesOf } from '../../openapi/refusal-codes.ts'
import { v1Document } from '../../openapi/v1.ts'
import { v1Operations } from '../../operations/v1.ts'
import { addCounts, type Coverage, type CoverageCounts, noCounts } from '../../sandbox/coverage.ts'
import { type Declaration, mediaTypes } from '../../surface/operation.ts'
import { VERSION } from '../../version.ts'
import { snakeKey } from '../../wire/case.ts'
import {
  type CoverageQuery,
  type Measure,
  measureNames,
  type WireCoverage,
} from '../../wire/coverage.ts'
import { type Code, codeTable } from '../../wire/errors.ts'

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
  const unseen = (name: Measure) => universe()[name].filter((unit) => !seen[name].has(unit))
  return {
    operations: unseen('operations'),
    statuses: unseen('statuses').map((unit) => {
      const [operation_id = '', status] = unit.split(' ')
      return { operation_id, status: Number(status) }
    }),
    media: unseen('media').map((unit) => {
      const [operation_id = '', media] = unit.split(' ')
      return { operation_id, media: media as 'json' }
    }),
    error_codes: unseen('error_codes'),
    transitions: unseen('transitions').map(splitTransition),
    settings: unseen('settings'),
    assumptions: unseen('assumptions'),
  }
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

/** The units of every measure, by key. */
type Universe = Readonly<Record<Measure, readonly string[]>>

/** No client can bring these about: its sandbox fails. */
const failures: readonly Code[] = ['internal', 'storage_damaged', 'storage_unavailable']

/** The documented surface. */
export const operations: readonly Declaration[] = v1Operations

let once: Universe | null = null

/** What every measure counts. */
export function universe(): Universe {
  once ??= {
    operations: operations.map(({ operationId }) => operationId),
    statuses: operations.flatMap((each) =>
      statusesOf(each).map((status) => `${each.operationId} ${status}`),
    ),
    media: operations.flatMap((each) =>
      mediaOf(each).map((media) => `${each.operationId} ${media}`),
    ),
    error_codes: codes(),
    transitions,
    settings: [...settingAssumptions.map(({ slug }) => slug.replaceAll('-', '_')), 'vary'],
    assumptions: statedAssumptions(),
  }
  return once
}

function statusesOf(declared: Declaration): number[] {
  const refused = clientCodesOf(declared).map((code) => codeTable[code].status)
  const statuses = new Set([...Object.keys(declared.replies).map(Number), ...refused])
  return [...statuses].sort((one, other) => one - other)
}

/** An operation without a body, or that can do without one, is also asked without. */
function mediaOf({ body }: Declaration): string[] {
  const media = Object.keys(mediaTypes).filter((each) => body?.media.some((one) => one === each))
  return body?.required ? media : [...media, 'none']
}

function codes(): Code[] {
  const found = new Set<Code>([...operations.flatMap(clientCodesOf), 'method_not_allowed'])
  return (Object.keys(codeTable) as Code[]).filter((code) => found.has(code))
}

function clientCodesOf(declared: Declaration): Code[] {
  return [...refusalCodesOf(declared)].filter((code) => !failures.includes(code))
}

/** What an answer on /v1 can rest on, as its document states it; the rest of the register shows on the control plane. */
function statedAssumptions(): string[] {
  const stated = new Set<string>()
  collect(v1Document(VERSION), stated)
  return assumptions.map(({ slug }) => slug as string).filter((slug) => stated.has(slug))
}

function collect(node: unknown, stated: Set<string>): void {
  if (typeof node === 'string') for (const word of node.split(', ')) stated.add(word)
  if (typeof node === 'object' && node !== null) {
    for (const inner of Object.values(node)) collect(inner, stated)
  }
}
