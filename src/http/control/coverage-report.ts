/**
 * The report of coverage: holds what was counted against what there is of the documented surface, all of which follows from
 * declarations, so that nothing can be forgotten.
 */
import { assumptions, settingAssumptions } from '../../assumptions/register.ts'
import { type Status, type Transition, transitions } from '../../billing/status.ts'
import hints from '../../generated/coverage-hints.json' with { type: 'json' }
import { inTableOrder, refusalCodesOf } from '../../openapi/refusal-codes.ts'
import { v1Document } from '../../openapi/v1.ts'
import { v1Operations } from '../../operations/v1.ts'
import { addCounts, type Coverage, type CoverageCounts, noCounts } from '../../sandbox/coverage.ts'
import { type Declaration, mediaTypes } from '../../surface/operation.ts'
import { VERSION } from '../../version.ts'
import { snakeKey } from '../../wire/common/case.ts'
import { type Code, codeTable } from '../../wire/common/error-codes.ts'
import {
  type CoverageQuery,
  type Measure,
  measureNames,
  type WireCoverage,
} from '../../wire/sandbox/coverage.ts'

type Counted = Pick<WireCoverage, 'calls' | 'unmatched' | 'measures' | 'seen'>
type ReportQuery = Partial<Pick<CoverageQuery, 'consumer' | 'how' | `min_${Measure}`>>

/** The commands that show a unit, behind the name of its measure. */
const commandsFor: Readonly<Record<string, readonly string[]>> = hints

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
    how: (query.how ?? 'false') === 'false' ? [] : presentHow(sum),
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
  const measures = Object.fromEntries(
    measureNames.map((name) => {
      const of = measured[name].all.length
      const seen = of - unseenIn(counts, name).length
      return [name, { seen, of, percent: Math.floor((seen * 1000) / of) / 10 }]
    }),
  )
  return {
    calls: sumOf(counts.answers),
    unmatched: sumOf(counts.unmatched),
    measures: measures as Counted['measures'],
    seen: {
      answers: sortCounts(counts.answers).map(([key, calls]) => ({ ...answerOf(key), calls })),
      error_codes: sortCounts(counts.codes).map(([code, calls]) => ({ code, calls })),
      transitions: sortCounts(counts.transitions).map(([key, times]) => ({
        ...transitionOf(key),
        times,
      })),
      settings: sortCounts(counts.settings).map(([key, calls]) => ({ ...settingOf(key), calls })),
      assumptions: sortCounts(counts.assumptions).map(([slug, calls]) => ({ slug, calls })),
    },
  }
}

function presentUnseen(counts: CoverageCounts): WireCoverage['unseen'] {
  const unseen = measureNames.map((name) => {
    const { present = String } = measured[name]
    return [name, unseenIn(counts, name).map((unit) => present(unit))]
  })
  return Object.fromEntries(unseen)
}

function presentHow(counts: CoverageCounts): WireCoverage['how'] {
  return measureNames.flatMap((measure) =>
    unseenIn(counts, measure).flatMap((unit) => {
      const commands = commandsFor[`${measure} ${unit}`]
      return commands === undefined ? [] : [{ measure, unit, commands: [...commands] }]
    }),
  )
}

function unseenIn(counts: CoverageCounts, name: Measure): string[] {
  const seen = new Set(measured[name].seenIn(counts))
  return measured[name].all.filter((unit) => !seen.has(unit))
}

function answerOf(key: string) {
  const [operation_id = '', status, media] = key.split(' ')
  return { operation_id, status: Number(status), media: media as 'json' }
}

function transitionOf(key: string) {
  const [from, trigger = '', to] = key.split(' ') as [Status, string?, Status?]
  return { from, trigger, to: to as Status }
}

function settingOf(key: string): { readonly setting: string; readonly value: unknown } {
  const at = key.indexOf(' ')
  return { setting: snakeKey(key.slice(0, at)), value: JSON.parse(key.slice(at + 1)) }
}

function sortCounts(counts: ReadonlyMap<string | Transition, number>): [string, number][] {
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, each) => sum + each, 0)
}

/** What a measure counts, by keys: all there is, and what of it was seen. */
interface Measured {
  readonly all: readonly string[]
  readonly seenIn: (counts: CoverageCounts) => Iterable<string>
  /** A unit on the wire, if that is not its key. */
  readonly present?: (unit: string) => unknown
}

/** No client can bring these about: its sandbox fails. */
const failures: readonly Code[] = ['internal', 'storage_damaged', 'storage_unavailable']

export const operations: readonly Declaration[] = v1Operations

export const measured: Readonly<Record<Measure, Measured>> = {
  operations: {
    all: operations.map(({ operationId }) => operationId),
    seenIn: ({ answers }) => [...answers.keys()].map((key) => answerOf(key).operation_id),
  },
  statuses: {
    all: unitsOf(statusesOf),
    seenIn: ({ answers }) => [...answers.keys()].map((key) => key.slice(0, key.lastIndexOf(' '))),
    present: (unit) => {
      const { operation_id, status } = answerOf(unit)
      return { operation_id, status }
    },
  },
  media: {
    all: unitsOf(mediaOf),
    seenIn: ({ answers }) =>
      [...answers.keys()].flatMap((key) => {
        const { operation_id, status, media } = answerOf(key)
        // What is refused may have been refused for how it is written.
        return status < 300 ? [`${operation_id} ${media}`] : []
      }),
    present: (unit) => {
      const [operation_id = '', media] = unit.split(' ')
      return { operation_id, media }
    },
  },
  error_codes: {
    all: inTableOrder([...operations.flatMap(clientCodesOf), 'method_not_allowed']),
    seenIn: ({ codes }) => codes.keys(),
  },
  transitions: {
    all: transitions,
    seenIn: (counts) => counts.transitions.keys(),
    present: transitionOf,
  },
  settings: {
    all: [...settingAssumptions.map(({ slug }) => slug.replaceAll('-', '_')), 'vary'],
    seenIn: ({ settings }) => [...settings.keys()].map((key) => settingOf(key).setting),
  },
  assumptions: { all: statedAssumptions(), seenIn: (counts) => counts.assumptions.keys() },
}

function unitsOf(valuesOf: (declared: Declaration) => readonly (string | number)[]): string[] {
  return operations.flatMap((each) => valuesOf(each).map((value) => `${each.operationId} ${value}`))
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

function clientCodesOf(declared: Declaration): Code[] {
  return [...refusalCodesOf(declared)].filter((code) => !failures.includes(code))
}

/** What an answer on /v1 can rest on, as its document states it; the rest of the register shows on the control plane. */
function statedAssumptions(): string[] {
  const stated = new Set<string>()
  JSON.stringify(v1Document(VERSION), (_, value) => {
    if (typeof value === 'string') for (const word of value.split(', ')) stated.add(word)
    return value
  })
  return assumptions.map(({ slug }) => slug as string).filter((slug) => stated.has(slug))
}
