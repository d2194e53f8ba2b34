/**
 * `record`: runs the tests of an application with a new sandbox, and writes a pact of what they did. What the states of the
 * catalogue do not lead to again, and what rests on an assumption, is left out. In the end the pact is verified.
 */
import { join } from 'node:path'
import type { Command } from 'commander'
import { CannotVerify, requireOptional } from '../../contracts/common/failure.ts'
import { reasonIn } from '../../contracts/common/json.ts'
import type { InteractionReport } from '../../contracts/common/report-shape.ts'
import { isUnreadable, readPact } from '../../contracts/pacts/pact-file.ts'
import { pactCore } from '../../contracts/replay/core.ts'
import type { Verified } from '../../contracts/replay/verify.ts'
import { createComparer } from '../../http/contracts/comparing.ts'
import {
  type CapturedInteraction,
  differencesFrom,
  type NotCaptured,
  pactOf,
  startCapture,
} from '../../provider/capture/capture.ts'
import { start } from '../../server/start.ts'
import { ownSandbox } from '../../verification/providers.ts'
import { type StudyRun, studyPact } from '../../verification/studies.ts'
import { reportOn, verifyProgram } from '../../verification/verify-all.ts'
import { countText } from '../../wire/common/text.ts'
import { endLike, runWith } from '../commands/exec.ts'
import { addWorldOptions, type WorldValues, worldOptionsOf } from '../commands/serve-options.ts'
import { makeNamed, writeNamed } from '../terminal/files.ts'
import { stoppable } from '../terminal/stoppable.ts'
import {
  addExamples,
  addReaders,
  CannotRun,
  type Configure,
  createReader,
} from '../terminal/usage.ts'
import { logProgress, type VerifyValues, verifyNamed } from './verify.ts'

const PROVIDER = 'subscription-service'

interface RecordValues extends WorldValues {
  readonly consumer: string
  readonly out: string
  readonly withAssumptions?: boolean
}

export const recordCommand: Configure = (command) => {
  addExamples(
    command,
    'record --consumer my-shop -- npm test',
    'record --consumer my-shop --out contracts -- pytest -q',
  )
  addReaders(addWorldOptions(command), { consumer: readName, out: readFolder })
    .argument('<command...>', 'the tests to run, best after --')
    .requiredOption('--consumer <name>', 'the name of the application (required)')
    .option('--out <folder>', 'the folder to write the pact to', 'pacts')
    .option('--with-assumptions', 'also expect what the interface does not document')
    // What follows the command is its own.
    .passThroughOptions()
    .addHelpText(
      'after',
      '\nThe command finds SANDBOX_URL, SANDBOX_ID and SANDBOX_API_KEY set, as with exec.',
    )
    .action(record)
}

const readName = createReader(
  'a name of at most 100 letters, digits, spaces, dots, hyphens and underscores',
  (text) => (/^[\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,99}$/u.test(text) ? text : undefined),
)
const readFolder = createReader('a folder', (text) => text || undefined)

async function record([program = '', ...args]: string[], values: RecordValues, command: Command) {
  // Before the tests, which may take long.
  requireOptional('@pact-foundation/pact-core')
  const { consumer, out, withAssumptions = false } = values
  await makeNamed('--out', out)
  const capture = startCapture(withAssumptions ? 'assumed' : 'documented')
  const world = await worldOptionsOf(values)
  const child = await runWith(await start({ ...world, onCall: capture.note }), program, args)
  if (child.exitCode !== 0) {
    process.stderr.write(`${program} failed, so that no pact is written.\n`)
    return endLike(child)
  }
  const calls = capture.calls()
  if (calls === 0) {
    const how = 'It has to call the address in SANDBOX_URL, with the key in SANDBOX_API_KEY.'
    throw new CannotRun(
      `${program} made no call of /v1, so that there is nothing to record. ${how}`,
    )
  }
  const sound = await selectSound(consumer, capture.interactions(), { withAssumptions })
  const leftOut = [...capture.leftOut(), ...sound.leftOut]
  const lines = leftOut.map(({ what, why }) => `  left out: ${what}: ${why}\n`)
  const file = join(out, `${consumer}-${PROVIDER}.json`)
  const count = sound.kept.length
  const summary = `${countText(count, 'interaction')} from ${countText(calls, 'call')}`
  if (lines.length > 0 && (world.settingsFile || values.deviation)) lines.push(OTHER_SETTINGS)
  process.stdout.write(`${file}: ${summary}\n${lines.join('')}`)
  if (count === 0) throw new CannotRun('Nothing is left for a pact, so that none is written.')
  await writeNamed('--out', file, pactOf(consumer, PROVIDER, sound.kept))
  await verifyNamed([file], { ...verifying, mutate: true }, command)
}

const OTHER_SETTINGS =
  '  The tests ran with other settings. A pact is of the initial ones, so that what the others change is left out.\n'
const verifying: VerifyValues = { provider: PROVIDER, timeout: 30_000 }

/** The interactions that hold with a new sandbox and answer as they were recorded, and why others do not. */
async function selectSound(
  consumer: string,
  interactions: readonly CapturedInteraction[],
  { withAssumptions }: { readonly withAssumptions: boolean },
): Promise<{ kept: CapturedInteraction[]; leftOut: NotCaptured[] }> {
  const kept: CapturedInteraction[] = []
  const leftOut: NotCaptured[] = []
  const pact = readPact('the capture', pactOf(consumer, PROVIDER, interactions))
  if (isUnreadable(pact)) throw new Error(pact.map(({ message }) => message).join(' '))
  await stoppable(async (signal) => {
    const core = pactCore({ program: verifyProgram, signal })
    const studies: StudyRun['studies'] = withAssumptions ? {} : { variations: [] }
    // The verification in the end says that there is no comparator.
    const comparer = createComparer(() => undefined)
    const provider = await ownSandbox(null)
    const { timeout: timeoutMs } = verifying
    const run = { core, signal, log: logProgress, comparer, values: verifying, timeoutMs }
    try {
      const { report, verified } = await reportOn(provider, pact, run)
      if (verified === null) throw new CannotVerify(report.problems[0]?.message)
      await studyPact(pact, verified, { ...run, provider, studies })
      const leaning = studies.variations?.[0]?.interactions ?? []
      for (const [at, each] of interactions.entries()) {
        const seen = { report: report.interactions[at], verified: verified[at] }
        const why = whyNot(each, { ...seen, restsOn: leaning[at]?.rests_on ?? [] })
        if (why === null) kept.push(each)
        else leftOut.push({ what: each.description, why })
      }
    } finally {
      core.close()
    }
  })
  return { kept, leftOut }
}

interface InteractionResult {
  readonly report: InteractionReport | undefined
  readonly verified: Verified | undefined
  readonly restsOn: readonly string[]
}

/** Why an interaction is not written; null where it is sound. */
function whyNot(
  interaction: CapturedInteraction,
  { report, verified, restsOn }: InteractionResult,
) {
  const setups = verified?.states.flatMap(({ answers }) => answers) ?? []
  const refused = setups.find(({ status }) => status >= 400)
  if (refused) return `no state of the catalogue leads to it: ${reasonIn(refused.body)}`
  const answer = verified?.exchanges.at(-1)?.answer
  const differing = answer ? differencesFrom(interaction, answer) : []
  if (differing.length > 0) {
    return `no state of the catalogue leads to it; after the nearest, ${differing.join(', ')} differ`
  }
  if (report?.result !== 'passed') {
    const [first] = [...(report?.mismatches ?? []), ...(report?.findings ?? [])]
    return first?.message ?? 'it does not hold'
  }
  if (restsOn.length === 0) return null
  return `rests on ${restsOn.join(', ')}; --with-assumptions records it`
}
