/** The report of a matrix: its shape, and its text. */

import type { Deviation } from '../../http/request/deviation.ts'
import { countText } from '../../wire/common/text.ts'
import { withoutControls, withStyle } from '../terminal/terminal.ts'
import type { TestRun } from '../terminal/test-run.ts'
import { firstDifference, linesOfDifference } from './matrix-difference.ts'
import type { Accepted } from './matrix-options.ts'
import { firstFailure, lastLines } from './test-output.ts'

export type Cell = ReturnType<typeof cellFrom>

interface CellContext {
  readonly before: TestRun
  readonly accepted: Accepted
  readonly typed: string
}

/** One deviation, and how the tests ended under it. */
export function cellFrom(
  { name, text }: Deviation,
  { end, output, calls }: TestRun,
  { before, accepted, typed }: CellContext,
) {
  const hasPassed = end === 0
  const test = hasPassed ? null : firstFailure(output)
  const isAccepted = Object.hasOwn(accepted, name) && accepted[name] === test
  const failure = isAccepted ? ('accepted' as const) : ('failed' as const)
  return {
    ...{ name, deviation: text },
    /** The first answer that the run without the deviation did not have. */
    difference: firstDifference(calls, before.calls),
    result: hasPassed ? ('passed' as const) : failure,
    /** The first failed test; null where none is recognized, and where none failed. */
    ...{ test, end: end ?? 'stopped: it took too long' },
    last_lines: hasPassed ? [] : lastLines(output),
    /** The command that runs this cell alone. */
    repeat: hasPassed ? null : `subscription-sandbox exec --matrix --only ${name} ${typed}`,
  }
}

/** Failed cells with one cause. */
export interface MatrixFinding {
  readonly test: string | null
  readonly cells: readonly string[]
}

export interface MatrixReport {
  readonly result: 'passed' | 'failed'
  readonly seed: number
  readonly cells: readonly Cell[]
  readonly findings: readonly MatrixFinding[]
  /** Cells that passed, and that the baseline need not accept. */
  readonly unused: readonly string[]
}

export function matrixLines(report: MatrixReport): string[] {
  const { cells, findings, unused, seed } = report
  const width = Math.max(...cells.map(({ name }) => name.length))
  const rows = cells.map(({ name, result, test }) => {
    const shown = withStyle(result === 'passed' ? 'green' : 'red', result.padEnd(8))
    return `${shown}  ${name.padEnd(width)}  ${withoutControls(test ?? '')}`.trimEnd()
  })
  const count = (which: Cell['result']) => cells.filter(({ result }) => result === which).length
  const accepted = count('accepted') === 0 ? '' : `, ${count('accepted')} accepted`
  const found = `${count('failed')} failed${accepted}, ${countText(findings.length, 'finding')}`
  return [
    ...rows,
    ...findings.flatMap((finding, at) => ['', ...findingLines(finding, at + 1, cells)]),
    ...unused.map((name) => `${name} passes: the baseline need not accept it.`),
    '',
    `${countText(cells.length, 'cell')}: ${found} (seed ${seed}).`,
  ]
}

function findingLines(
  { test, cells: names }: MatrixFinding,
  number: number,
  cells: readonly Cell[],
) {
  const its = cells.filter(({ name }) => names.includes(name))
  const [first] = its
  if (first === undefined) return []
  const { difference, end, last_lines, repeat } = first
  const how = test ?? `the command ends with ${end}`
  const shown =
    difference === null
      ? ['no answer of /v1 has another status or body']
      : [difference.request, ...linesOfDifference(difference).map((line) => `  ${line}`)]
  return [
    withStyle('bold', `${number}. ${withoutControls(how)}`),
    ...its.map(({ name, deviation }) => `   ${name}: ${deviation}`),
    ...shown.map((line) => `   ${withoutControls(line)}`),
    ...(test === null ? last_lines.map((line) => `   | ${withoutControls(line)}`) : []),
    `   ${repeat}`,
  ]
}
