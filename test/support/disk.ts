/** A sandbox on a disk of its own: what a process would find there that started now. */
import { stateOf } from './crash-call.ts'
import { temporaryFolder } from './folders.ts'
import { runBeside, type Served, serve } from './process.ts'

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
