/** A data folder that a real process wrote, and what `doctor` says of it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DoctorReport } from '../../src/cli/doctor-report.ts'
import { run, type Served, serve } from './process.ts'

/** How many customers are made; each is one line of the journal. */
export const CUSTOMERS = 20

/** Makes customers in a folder, and checkpoints after the 5th and the 10th; answers the state after each number of them. */
export async function live(folder: string): Promise<string[]> {
  const sandbox = await serve('--data', folder)
  const states = [await stateOf(sandbox)]
  for (let made = 1; made <= CUSTOMERS; made += 1) {
    await post(sandbox, '/sandbox/customers', { customer_id: `made-${made}` })
    states.push(await stateOf(sandbox))
    if (made === 5 || made === 10)
      await post(sandbox, '/sandbox/checkpoints', { name: `at-${made}` })
  }
  await sandbox.stop()
  return states
}

/** The state that a process serves from a folder. */
export async function stateServed(folder: string): Promise<string> {
  const sandbox = await serve('--data', folder)
  const state = await stateOf(sandbox)
  await sandbox.stop()
  return state
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

async function stateOf({ url }: Served): Promise<string> {
  return (await fetch(`${url}/sandbox/state`)).text()
}

async function post({ url }: Served, path: string, body: object): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${url}${path}`, request)
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
}
