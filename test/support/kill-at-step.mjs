/**
 * Preloaded into a real process: kills it, with the signal that nobody can catch, at one step of what it asks of the
 * disk. Steps are counted, and noted, once the file `KILL_MARK` is there; its first line says which step, and how many
 * milliseconds after that.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

const { KILL_MARK: mark = '' } = process.env
const { appendFileSync, existsSync, readFileSync } = fs

function count() {
  if (!existsSync(mark)) return
  appendFileSync(mark, '.')
  const [when = '', steps = ''] = readFileSync(mark, 'utf8').split('\n')
  const [step, afterMs] = when.split(' ').map(Number)
  if (steps.length !== step) return
  const kill = () => process.kill(process.pid, 'SIGKILL')
  // Without a delay the step is not begun; with one it is cut off, or what comes after it.
  if (afterMs === 0) kill()
  else setTimeout(kill, afterMs)
}

function countCalls(owner, names) {
  for (const name of names) {
    const real = owner[name]
    owner[name] = function (...args) {
      count()
      return real.apply(this, args)
    }
  }
}

/** Removes file by file, each a step: the system's own removal of a folder would be a single one. */
function rmInSteps(real) {
  return async function rm(path, options) {
    const isFolder = fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
    const names = isFolder && options?.recursive ? fs.readdirSync(path) : []
    for (const name of names) await rm(join(path, name), options)
    count()
    await real(path, options)
  }
}

const handle = await fs.promises.open('/dev/null')
countCalls(Object.getPrototypeOf(handle), ['write', 'writeFile', 'truncate', 'sync'])
await handle.close()
countCalls(fs.promises, ['open', 'mkdir', 'rename'])
fs.promises.rm = rmInSteps(fs.promises.rm)
countCalls(fs, ['fdatasync', 'writeSync'])
syncBuiltinESMExports()
