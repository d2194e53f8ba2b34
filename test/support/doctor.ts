/** A data folder that a real process wrote, and what `doctor` says of it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DoctorReport } from '../../src/cli/doctor-report.ts'
import { attempt, call, stateOf } from './crash-call.ts'
import { run, serve } from './process.ts'

/** How many customers are made; each is one line of the journal. */
export const CUSTOMERS = 20

/** Makes customers in a folder, and checkpoints and pacts after the 5th and the 10th; answers the state after each number of them. */
export async function live(folder: string): Promise<string[]> {
  const sandbox = await serve('--data', folder)
  const states = [await stateOf(sandbox)]
  for (let made = 1; made <= CUSTOMERS; made += 1) {
    await call(sandbox, 'POST /sandbox/customers', { body: { customer_id: `made-${made}` } })
    states.push(await stateOf(sandbox))
    if (made !== 5 && made !== 10) continue
    await call(sandbox, 'POST /sandbox/checkpoints', { body: { name: `at-${made}` } })
    await call(sandbox, `PUT ${pactPath(`v${made}`)}`, { body: pact })
  }
  await sandbox.stop()
  return states
}

/** What a folder's sandbox has when it is served. */
export interface Serving {
  readonly state: string
  readonly checkpoints: readonly string[]
  /** The versions of the pacts that can be read. */
  readonly pacts: readonly string[]
}

/** Serves a folder, and looks at everything in it. */
export async function serving(folder: string): Promise<Serving> {
  const sandbox = await serve('--data', folder)
  try {
    const state = await stateOf(sandbox)
    const listed = await call<{ data: { name: string }[] }>(sandbox, 'GET /sandbox/checkpoints')
    const pacts: string[] = []
    for (const version of ['v5', 'v10']) {
      const { status } = await attempt(sandbox, `GET ${pactPath(version)}`)
      if (status === 200) pacts.push(version)
    }
    return { state, checkpoints: listed.data.map(({ name }) => name), pacts }
  } finally {
    await sandbox.stop()
  }
}

/** Runs `doctor`, and reads what it printed as JSON. */
export async function doctor(folder: string, ...args: readonly string[]) {
  const asked = run(['doctor', '--data', folder, '--json', ...args])
  const code = await asked.ended
  if (asked.errors() !== '') throw new Error(asked.errors())
  return { code, report: JSON.parse(asked.output()) as DoctorReport }
}

/** Every file below a folder, as text by path. */
export async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
  const texts = await Promise.all(paths.map((path) => readFile(path, 'latin1')))
  return Object.fromEntries(paths.sort().map((path, index) => [path, texts[index] ?? '']))
}

const pact = { consumer: { name: 'web' }, provider: { name: 'shop' }, interactions: [] }

function pactPath(version: string): string {
  return `/sandbox/broker/pacts/provider/shop/consumer/web/version/${version}`
}
