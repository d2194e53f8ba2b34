/**
 * `exec --matrix`: runs tests once as they are, and again under each deviation of the service that their calls can show.
 * Owns which cells are run.
 */
import { setMaxListeners } from 'node:events'
import type { Command } from 'commander'
import { deviationsFor } from '../../http/deviations.ts'
import type { Deviation } from '../../http/request/deviation.ts'
import { countText, typedWord } from '../../wire/common/text.ts'
import { randomAt } from '../../world/fault.ts'
import { print } from '../terminal/output.ts'
import { stoppable } from '../terminal/stoppable.ts'
import { runTests, type TestCommand, type TestRun } from '../terminal/test-run.ts'
import { CannotRun, ExitCode, nearestFew, UsageError } from '../terminal/usage.ts'
import {
  defaults,
  type MatrixValues,
  matrixOptions,
  readBaseline,
  writeBaseline,
} from './matrix-options.ts'
import { type Cell, matrixCell, matrixLines, matrixReport } from './matrix-report.ts'

/** A run that takes longer than so many runs without a deviation, and these milliseconds, is stopped. */
const LIMIT = { times: 10, ms: 30_000 }

/** Runs the matrix, prints its report, and ends with 1 where a cell fails that is not accepted. */
export async function runMatrix(
  tests: Omit<TestCommand, 'signal'>,
  values: MatrixValues,
  command: Command,
): Promise<void> {
  const accepted = await readBaseline(values.baseline)
  await stoppable(async (signal) => {
    // As many as there are jobs.
    setMaxListeners(0, signal)
    const own = { ...tests, signal }
    const before = await runTests(own)
    if (before.end !== 0) return failBeforeCells(before, tests.program)
    const { seed = defaults.seed } = values
    const all = deviationsFor(before, seed)
    if (before.calls.length === 0) throw new CannotRun(`${tests.program} ${WITHOUT_CALLS}`)
    const chosen = choose(all, values)
    const typed = typedOptions(command, tests)
    const { jobs = defaults.jobs } = values
    const cells: Cell[] = []
    process.stderr.write(announcement(chosen, before, jobs))
    const began = performance.now()
    const left = chosen.values()
    const worker = async () => {
      for (const deviation of left) {
        const run = await runTests(own, deviation, before.ms * LIMIT.times + LIMIT.ms)
        cells.push(matrixCell(deviation, run, { before, accepted, typed }))
        showProgress(cells, chosen.length)
      }
    }
    await Promise.all(Array.from({ length: jobs }, worker))
    process.stderr.write(`done in ${secondsText(performance.now() - began)}\n`)
    const order = new Map(chosen.map(({ name }, at) => [name, at]))
    cells.sort((one, other) => (order.get(one.name) ?? 0) - (order.get(other.name) ?? 0))
    const report = matrixReport(cells, seed, accepted)
    await print(values, {
      json: `${JSON.stringify(report, null, 2)}\n`,
      table: () => `${matrixLines(report).join('\n')}\n`,
      records: () => cells.map((each) => ({ ...each })),
    })
    // After what was found: the file may be one that cannot be written.
    if (values.writeBaseline !== undefined) {
      const failed = cells.filter(({ result }) => result !== 'passed')
      const failures = failed.map(({ name, test }) => [name, test])
      await writeBaseline(values.writeBaseline, Object.fromEntries(failures))
    }
    process.exitCode = report.result === 'passed' ? ExitCode.ok : ExitCode.no
  })
}

const WITHOUT_CALLS =
  'made no call of /v1, so that no deviation can show. It has to call the address in SANDBOX_URL, with the key in SANDBOX_API_KEY.'

function failBeforeCells({ output, end }: TestRun, program: string): void {
  process.stderr.write(
    `${output}${program} fails without a deviation (${end}); nothing was compared.\n`,
  )
  process.exitCode = typeof end === 'number' ? end : ExitCode.no
}

/** The cells that were asked for. Throws `UsageError` where a name fits none. */
function choose(all: readonly Deviation[], { only, sample, seed = defaults.seed }: MatrixValues) {
  const unknown = only?.find(
    (start) => start === '' || !all.some(({ name }) => name.startsWith(start)),
  )
  if (unknown !== undefined) {
    const names = all.map(({ name }) => name)
    throw new UsageError(
      `--only must begin the name of a cell; got "${unknown}"; its calls can show ${nearestFew(unknown, names)}.`,
    )
  }
  const named = all.filter(({ name }) => only?.some((start) => name.startsWith(start)) ?? true)
  if (sample === undefined) return named
  const drawn = new Map(named.map((each, at) => [each, randomAt(seed, at + 1)]))
  const byDraw = [...named].sort((one, other) => (drawn.get(one) ?? 0) - (drawn.get(other) ?? 0))
  const taken = new Set(byDraw.slice(0, sample))
  return named.filter((each) => taken.has(each))
}

function announcement(chosen: readonly Deviation[], { ms }: TestRun, jobs: number): string {
  const outages = chosen.reduce((sum, { fault }) => sum + (fault?.forMs ?? 0), 0)
  const expectedMs = (chosen.length * ms + outages) / Math.min(jobs, chosen.length)
  const each = `${secondsText(ms)} for each run`
  const cells = countText(chosen.length, 'cell')
  return `${cells}, ${jobs} at a time, ${each}: about ${secondsText(expectedMs)}\n`
}

function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/** On a terminal, one line that is written over. */
function showProgress(cells: readonly Cell[], count: number): void {
  if (!process.stderr.isTTY) return
  const failed = cells.filter(({ result }) => result === 'failed').length
  const end = cells.length === count ? '\n' : ''
  process.stderr.write(`\r\u001b[K${cells.length} of ${count} cells, ${failed} failed${end}`)
}

/** The options that make the same cells, and the command. */
function typedOptions(command: Command, { program, args }: Omit<TestCommand, 'signal'>): string {
  const others: readonly string[] = ['matrix', ...matrixOptions.filter((name) => name !== 'seed')]
  const given = command.options.flatMap((option) => {
    const name = option.attributeName()
    if (others.includes(name) || command.getOptionValueSource(name) !== 'cli') return []
    const value: unknown = command.getOptionValue(name)
    if (value === true) return [option.long ?? '']
    return [value].flat().flatMap((each) => [option.long ?? '', String(each)])
  })
  const words = [...given, '--', program, ...args]
  return words.map(typedWord).join(' ')
}
