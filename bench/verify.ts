/**
 * Verifying a pact: the whole command, from the start of its process to its end, against a script that runs nothing but
 * the Pact core on the same file and the same sandbox. They take turns. The studies of `--vary` and `--mutate` are
 * measured once, and against as many runs of that script as there are variations; of a small pact, because there the
 * starts weigh most. The script is what a user would write, so that its core reads the certificates of the system for
 * every interaction, which the core of `verify` does not.
 */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { variableSlugs } from '../src/assumptions/register.ts'
import { type Figure, median, print } from './support/figures.ts'
import { inFolder, serveSandbox } from './support/processes.ts'

const SMALL = 40
const LARGE = 200
const ROUNDS = 3
const VERIFY = 'dist/cli/main.js'

/** A pact in which every interaction creates a subscription, with a state before it. */
function pact(length: number): string {
  const interactions = Array.from({ length }, (_, index) => ({
    description: `creation ${index}`,
    providerStates: [{ name: 'a customer exists', params: { customer_id: `cus_${index}` } }],
    request: {
      method: 'POST',
      path: '/v1/subscriptions',
      headers: {
        Authorization: 'Bearer sk_sandbox_default',
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: `customer_id=cus_${index}&plan=pro&trial_period_days=14`,
    },
    response: {
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: { customer_id: `cus_${index}`, status: 'trialing', plan: 'pro' },
    },
  }))
  const parties = { consumer: { name: 'bench' }, provider: { name: 'subscription-service' } }
  const metadata = { pactSpecification: { version: '3.0.0' } }
  return JSON.stringify({ ...parties, interactions, metadata }, null, 2)
}

/** How long a program takes from its start to its end; one that fails ends the bench. */
async function timeOf(args: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  await promisify(execFile)(process.execPath, [...args])
  return performance.now() - startedAt
}

async function measure(folder: string): Promise<Figure[]> {
  const sandbox = await serveSandbox('memory')
  try {
    const large = await fileOf(folder, LARGE)
    const small = await fileOf(folder, SMALL)
    const ofLarge = await rounds(large, sandbox.url)
    const ofSmall = await rounds(small, sandbox.url)
    return [
      await studyFigure('--vary', small, median(timesOf(ofSmall, 0))),
      await studyFigure('--mutate', small, median(timesOf(ofSmall, 0))),
      ...verifyFigures(LARGE, ofLarge, 2),
      ...verifyFigures(SMALL, ofSmall, 3),
    ]
  } finally {
    await sandbox.stop()
  }
}

async function fileOf(folder: string, interactions: number): Promise<string> {
  const file = join(folder, `${interactions}.json`)
  await writeFile(file, pact(interactions))
  return file
}

/** How long the bare core, `verify` of the same sandbox, and `verify` of one of its own take, in turns. */
async function rounds(file: string, url: string): Promise<number[][]> {
  const command = [VERIFY, 'verify', file]
  const programs = [['bench/bare-core.mjs', file, url], [...command, '--url', url], command]
  const measured: number[][] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const times: number[] = []
    for (const program of programs) times.push(await timeOf(program))
    measured.push(times)
  }
  return measured
}

function timesOf(measured: readonly number[][], program: number): number[] {
  return measured.map((round) => round[program] ?? Number.NaN)
}

function verifyFigures(
  interactions: number,
  measured: readonly number[][],
  atMost: number,
): Figure[] {
  const bare = median(timesOf(measured, 0))
  return ['', ' on a sandbox of its own'].map((where, at) => {
    const own = median(timesOf(measured, at + 1))
    return {
      measure: `verify ${interactions} interactions${where}`,
      against: 'the Pact core alone on the same file, process and all',
      ratio: own / bare,
      target: { atMost },
      behind: `${own.toFixed(0)} ms, ${bare.toFixed(0)} ms`,
    }
  })
}

async function studyFigure(option: string, file: string, bare: number): Promise<Figure> {
  const own = await timeOf([VERIFY, 'verify', file, option])
  return {
    measure: `verify ${option} of ${SMALL} interactions`,
    against: `${variableSlugs.length} runs of the Pact core alone on the same file, process and all`,
    ratio: own / (variableSlugs.length * bare),
    target: { atMost: 2 },
    behind: `${(own / 1000).toFixed(1)} s, ${(bare / 1000).toFixed(1)} s for one run`,
  }
}

print(await inFolder(measure))
