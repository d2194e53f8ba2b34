/** A sandbox on a disk of its own: calls on it, and what a process would find there that started now. */
import { runBeside, type Served, serve, temporaryFolder } from './process.ts'

/** Posts JSON; answers the status and what problem was told, if any. */
export async function post({ url }: Served, path: string, body: object) {
  const headers = { 'Content-Type': 'application/json' }
  const request = { method: 'POST', body: JSON.stringify(body), headers }
  const response = await fetch(`${url}${path}`, request)
  const answer = (await response.json()) as { code?: string; detail?: string }
  return { status: response.status, body: answer }
}

/** What the sandbox holds in memory. */
export async function stateOf({ url }: Served): Promise<string> {
  return (await fetch(`${url}/sandbox/state`)).text()
}

/** What the disk holds, as a process would find it that started now on a copy. */
export async function stateOnDisk(sandbox: Served, folder: string): Promise<string> {
  const copy = await temporaryFolder()
  await runBeside(sandbox, `cp -r "${folder}/sandboxes" "${copy.path}/sandboxes"`)
  const other = await serve('--data', copy.path)
  const text = await stateOf(other)
  await other.stop()
  await copy.remove()
  return text
}
