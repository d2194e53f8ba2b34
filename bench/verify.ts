/**
 * Verifying a pact of forty interactions: the whole command, from the start of its process to its end, against a
 * script that runs nothing but the Pact core on the same file and the same sandbox. They take turns. The studies of
 * `--vary` and `--mutate`, of two hundred interactions, against as many such runs as there are variations.
 */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { variable } from '../src/assumptions/register.ts'
import { type Figure, median, print } from './support/figures.ts'
import { inFolder, serveSandbox } from './support/processes.ts'

const INTERACTIONS = 40
const ROUNDS = 5
const STUDIED = 200

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
  const file = join(folder, 'pact.json')
  await writeFile(file, pact(INTERACTIONS))
  const sandbox = await serveSandbox('memory')
  const command = ['dist/cli/main.js', 'verify', file]
  const programs = [
    ['bench/bare-core.mjs', file, sandbox.url],
    [...command, '--url', sandbox.url],
    command,
  ]
  for (const program of programs) await timeOf(program)
  const rounds: number[][] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const times: number[] = []
    for (const program of programs) times.push(await timeOf(program))
    rounds.push(times)
  }
  const large = join(folder, 'large.json')
  await writeFile(large, pact(STUDIED))
  // A study takes minutes, in which the machine may become slower.
  const bareRun = () => timeOf(['bench/bare-core.mjs', large, sandbox.url])
  const before = await bareRun()
  const vary = await timeOf(['dist/cli/main.js', 'verify', large, '--vary'])
  const between = await bareRun()
  const mutate = await timeOf(['dist/cli/main.js', 'verify', large, '--mutate'])
  const bare = median([before, between, await bareRun()])
  await sandbox.stop()
  return [
    studyFigure('--vary', vary, bare),
    studyFigure('--mutate', mutate, bare),
    figure(`verify ${INTERACTIONS} interactions`, rounds, 1),
    figure(`verify ${INTERACTIONS} interactions on a sandbox of its own`, rounds, 2),
  ]
}

function figure(measured: string, rounds: readonly number[][], of: number): Figure {
  const times = (index: number) => rounds.map((round) => round[index] ?? Number.NaN)
  const [own, bare] = [median(times(of)), median(times(0))]
  return {
    measure: measured,
    against: 'the Pact core alone on the same file, process and all',
    ratio: own / bare,
    target: { atMost: 3 },
    behind: `${own.toFixed(0)} ms, ${bare.toFixed(0)} ms`,
  }
}

function studyFigure(option: string, own: number, bare: number): Figure {
  return {
    measure: `verify ${option} of ${STUDIED} interactions`,
    against: `${variable.length} runs of the Pact core alone on the same file, process and all`,
    ratio: own / (variable.length * bare),
    target: { atMost: 2 },
    behind: `${(own / 1000).toFixed(1)} s, ${(bare / 1000).toFixed(1)} s for one run`,
  }
}

print(await inFolder(measure))
