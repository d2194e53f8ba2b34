/** The report of a matrix: its shape, and its text. Owns what is one finding. */

import type { Deviation } from '../../http/request/deviation.ts'
import { countText } from '../../wire/common/text.ts'
import { withoutControls, withStyle } from '../terminal/terminal.ts'
import type { TestRun } from '../terminal/test-run.ts'
import { firstDifference, linesOfDifference } from './matrix-difference.ts'
import type { Accepted } from './matrix-options.ts'
import { firstFailure, lastLines } from './test-output.ts'

export type Cell = ReturnType<typeof matrixCell>

interface CellContext {
  readonly before: TestRun
  readonly accepted: Accepted
  readonly typed: string
}

/** One deviation, and how the tests ended under it. */
export function matrixCell(
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
    repeat: hasPassed ? null : `npx subscription-sandbox exec --matrix --only ${name} ${typed}`,
  }
}

export type MatrixReport = ReturnType<typeof matrixReport>

export function matrixReport(cells: readonly Cell[], seed: number, accepted: Accepted) {
  const findings = findingsIn(cells)
  const passed = cells.filter(({ result }) => result === 'passed').map(({ name }) => name)
  return {
    result: findings.length === 0 ? ('passed' as const) : ('failed' as const),
    ...{ seed, cells, findings },
    /** Cells that passed, and that the baseline need not accept. */
    unused: passed.filter((name) => Object.hasOwn(accepted, name)),
  }
}

/** Failed cells with the same test and the same difference have one cause, and are one finding. */
function findingsIn(cells: readonly Cell[]) {
  const findings = new Map<string, { readonly test: string | null; readonly cells: string[] }>()
  for (const cell of cells.filter(({ result }) => result === 'failed')) {
    const { name, test, end, last_lines, difference: seen } = cell
    const what = seen && [seen.operation, seen.is.status === null, seen.fields]
    const key = JSON.stringify([test ?? [end, last_lines], what ?? name])
    findings.set(key, { test, cells: [...(findings.get(key)?.cells ?? []), name] })
  }
  return [...findings.values()]
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
  { test, cells: names }: MatrixReport['findings'][number],
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
