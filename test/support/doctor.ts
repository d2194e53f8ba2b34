/** A data folder that a real process wrote, and what `doctor` says of it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DoctorReport } from '../../src/cli/doctor-report.ts'
import { run, type Served, serve } from './process.ts'

/** How many customers are made; each is one line of the journal. */
export const CUSTOMERS = 20

/** Makes customers in a folder, and checkpoints and pacts after the 5th and the 10th; answers the state after each number of them. */
export async function live(folder: string): Promise<string[]> {
  const sandbox = await serve('--data', folder)
  const states = [await stateOf(sandbox)]
  for (let made = 1; made <= CUSTOMERS; made += 1) {
    await send(sandbox, 'POST /sandbox/customers', { customer_id: `made-${made}` })
    states.push(await stateOf(sandbox))
    if (made !== 5 && made !== 10) continue
    await send(sandbox, 'POST /sandbox/checkpoints', { name: `at-${made}` })
    await send(sandbox, `PUT ${pactPath(`v${made}`)}`, pact)
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
    const listed = await get<{ data: { name: string }[] }>(sandbox, '/sandbox/checkpoints')
    const pacts: string[] = []
    for (const version of ['v5', 'v10']) {
      const answer = await fetch(`${sandbox.url}${pactPath(version)}`)
      if (answer.ok) pacts.push(version)
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

async function get<Body>({ url }: Served, path: string): Promise<Body> {
  return (await (await fetch(`${url}${path}`)).json()) as Body
}

async function stateOf({ url }: Served): Promise<string> {
  return (await fetch(`${url}/sandbox/state`)).text()
}

async function send({ url }: Served, operation: string, body: object): Promise<void> {
  const [method = '', path] = operation.split(' ')
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
}
