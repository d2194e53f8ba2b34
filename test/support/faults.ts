/**
 * Faults of the disk: has a part of what the store asks of the system fail, late, or only in part done. What it cannot
 * fail is the kernel's own business; full and read-only disks are tried for real in test/crash.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'

const real = {
  fdatasync: fs.fdatasync,
  writeSync: fs.writeSync,
  rename: fs.promises.rename,
  open: fs.promises.open,
}

/** How many of a thousand calls fail while faults are on. */
const PER_THOUSAND = 20

export interface Faults {
  /** Does work during which nothing fails. */
  readonly without: <Value>(work: () => Promise<Value>) => Promise<Value>
  /** Gives the system its own calls back. */
  readonly remove: () => void
}

/** Puts faults in place, in this process. */
export function withFaults(): Faults {
  let isOn = true
  const strikes = () => isOn && Math.random() * 1000 < PER_THOUSAND
  const fail = (code: string) => Object.assign(new Error(`${code}: injected`), { code })
  const faulty = {
    fdatasync: (file: number, done: (error: Error | null) => void) => {
      const failure = strikes() ? fail('EIO') : null
      real.fdatasync(file, (error) => {
        setTimeout(() => done(error ?? failure), Math.random() * 6)
      })
    },
    writeSync: (...[file, bytes, from, size, at]: [number, Buffer, number, number, number]) => {
      const part = Math.max(1, Math.floor(size * Math.random()))
      if (!strikes()) return real.writeSync(file, bytes, from, isOn ? part : size, at)
      real.writeSync(file, bytes, from, part, at)
      throw fail('ENOSPC')
    },
    rename: async (from: string, to: string) => {
      if (strikes()) throw fail('ENOSPC')
      await real.rename(from, to)
    },
    open: async (path: string, flags: string) => {
      if (strikes()) throw fail('EMFILE')
      const handle = await real.open(path, flags)
      const write = handle.writeFile.bind(handle)
      handle.writeFile = async (content) => {
        if (strikes()) throw fail('ENOSPC')
        await pause(Math.random() * 2)
        await write(content)
      }
      return handle
    },
  }
  put(faulty)
  return {
    without: async (work) => {
      isOn = false
      try {
        return await work()
      } finally {
        isOn = true
      }
    },
    remove: () => put(real),
  }
}

function put({ fdatasync, writeSync, rename, open }: object & Record<keyof typeof real, unknown>) {
  Object.assign(fs, { fdatasync, writeSync })
  Object.assign(fs.promises, { rename, open })
  syncBuiltinESMExports()
}
