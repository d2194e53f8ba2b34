/** A data folder with a sandbox in it, and what `doctor` says of it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DoctorReport } from '../../src/cli/commands/doctor.ts'
import { run } from './command-line.ts'
import { openShop } from './control.ts'
import { storeIn } from './store.ts'

/** How many customers are made; each is one line of the journal. */
export const CUSTOMERS = 20

/** Makes customers in a folder, and checkpoints and pacts after the 5th and the 10th; answers the state after each number of them. */
export async function live(folder: string): Promise<string[]> {
  const shop = await openShop({}, 10, { store: await storeIn(folder) })
  const states = [await shop.state()]
  for (let made = 1; made <= CUSTOMERS; made += 1) {
    await shop.post('/sandbox/customers', { customer_id: `made-${made}` })
    states.push(await shop.state())
    if (made !== 5 && made !== 10) continue
    await shop.post('/sandbox/checkpoints', { name: `at-${made}` })
    await shop.call('PUT', pactPath(`v${made}`), { json: pact })
  }
  await shop.registry.close()
  return states
}

/** Opens a folder as a start does; answers its state, its checkpoints, and the versions of the pacts that can be read. */
export async function contentsOf(folder: string) {
  const shop = await openShop({}, 10, { store: await storeIn(folder) })
  const state = await shop.state()
  const listed = await shop.get<{ data: { name: string }[] }>('/sandbox/checkpoints')
  const pacts: string[] = []
  for (const version of ['v5', 'v10']) {
    if ((await shop.get(pactPath(version))).status === 200) pacts.push(version)
  }
  await shop.registry.close()
  return { state, checkpoints: listed.body.data.map(({ name }) => name), pacts }
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
