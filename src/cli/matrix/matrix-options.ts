/** The options of `exec --matrix`, and the file of accepted failures. */

import { availableParallelism } from 'node:os'
import type { Command } from 'commander'
import * as z from 'zod'
import { jsonIn } from '../../contracts/common/json.ts'
import { DEFAULT_SEED } from '../../http/request/deviation.ts'
import { readNamed, writeNamed } from '../terminal/files.ts'
import { addOutputOptions, type OutputValues } from '../terminal/output.ts'
import {
  addReaders,
  createReader,
  refuseWithout,
  repeatableOption,
  UsageError,
} from '../terminal/usage.ts'

export interface MatrixValues extends OutputValues {
  readonly matrix?: boolean
  readonly only?: readonly string[]
  readonly sample?: number
  readonly seed?: number
  readonly jobs?: number
  readonly baseline?: string
  readonly writeBaseline?: string
}

/** The options that need `--matrix`. */
export const matrixOptions = [
  ...(['only', 'sample', 'seed', 'jobs', 'baseline', 'writeBaseline', 'json', 'output'] as const),
]

export function addMatrixOptions(command: Command): Command {
  return addReaders(addOutputOptions(command), readers)
    .option('--matrix', 'run it again under each deviation of the service that its calls can show')
    .addOption(repeatableOption('--only <name>', 'only cells with this prefix; may be repeated'))
    .option('--sample <number>', 'run only this number of cells, chosen by the seed')
    .option('--seed <number>', 'decides the sample, new fields and new statuses (default: 1)')
    .option('--jobs <number>', 'the number of cells in parallel (default: one per core)')
    .option('--baseline <file>', 'a file of accepted failures')
    .option('--write-baseline <file>', 'write the failures of this run to a baseline')
}

const count = createReader('an integer from 1 to 10000', (text) =>
  /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 10_000 ? Number(text) : undefined,
)
const file = createReader('a file', (text) => text || undefined)
const readers = { sample: count, seed: count, jobs: count, baseline: file, writeBaseline: file }

export const defaults = { seed: DEFAULT_SEED, jobs: availableParallelism() }

/** Throws `UsageError` for an option that says nothing without `--matrix`. */
export function requireMatrix(values: MatrixValues, command: Command): void {
  if (values.matrix !== true) {
    refuseWithout(command, matrixOptions, 'is for the matrix; add --matrix')
  }
}

/** The first failed test of each accepted cell; null where none was recognized. */
const Baseline = z.strictObject({ accepted: z.record(z.string(), z.string().nullable()) })
export type Accepted = z.output<typeof Baseline>['accepted']

/** Reads a baseline; nothing is accepted without one. */
export async function readBaseline(path: string | undefined): Promise<Accepted> {
  if (path === undefined) return {}
  const read = Baseline.safeParse(jsonIn(await readNamed('--baseline', path)))
  if (read.success) return read.data.accepted
  throw new UsageError(`--baseline must be a file that --write-baseline wrote; got ${path}.`)
}

export async function writeBaseline(path: string, accepted: Accepted): Promise<void> {
  await writeNamed('--write-baseline', path, `${JSON.stringify({ accepted }, null, 2)}\n`)
}
