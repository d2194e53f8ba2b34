/**
 * Faults of the disk: has a part of what the store asks of the system fail, late, or only in part done. What it cannot
 * fail is the kernel's own business; full and read-only disks are tried for real in test/crash.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'

const { fdatasync, fsync, writeSync } = fs
const { openSync, readSync, renameSync, mkdirSync, copyFileSync, ftruncateSync } = fs
const whole = { openSync, readSync, renameSync, mkdirSync, copyFileSync, ftruncateSync }
const real = { fdatasync, fsync, writeSync, ...whole }
const calls = ['open', 'rename', 'rm', 'mkdir', 'readdir', 'readFile', 'stat'] as const
const promised = { ...fs.promises }
const ofHandles = ['writeFile', 'write', 'read', 'truncate', 'sync'] as const

/** How many of a thousand calls fail while faults are on. */
const PER_THOUSAND = 50

export interface Faults {
  /** How many calls failed so far. */
  readonly count: () => number
  /** Does work during which nothing fails. */
  readonly without: <Value>(work: () => Promise<Value>) => Promise<Value>
  /** Gives the system its own calls back. */
  readonly remove: () => void
}

/** Puts faults in place, in this process. `random` answers numbers from 0 to 1, so that a seed can be repeated. */
export function withFaults(random: () => number): Faults {
  const state = { isOn: true, count: 0 }
  const strikes = () => {
    const isStruck = state.isOn && random() * 1000 < PER_THOUSAND
    if (isStruck) state.count += 1
    return isStruck
  }
  put(syncCalls(strikes, random), promisedCalls(strikes, random))
  return {
    count: () => state.count,
    without: async (work) => {
      state.isOn = false
      try {
        return await work()
      } finally {
        state.isOn = true
      }
    },
    remove: () => put(real, Object.fromEntries(calls.map((name) => [name, promised[name]]))),
  }
}

const fail = (code: string) => Object.assign(new Error(`${code}: injected`), { code })

function syncCalls(strikes: () => boolean, random: () => number) {
  const synced = (sync: 'fdatasync' | 'fsync') => {
    return (file: number, done: (error: Error | null) => void) => {
      const failure = strikes() ? fail('EIO') : null
      real[sync](file, (error) => {
        setTimeout(() => done(error ?? failure), random() * 4)
      })
    }
  }
  const done = Object.entries(whole).map(([name, call]) => {
    const faulty = (...args: unknown[]) => {
      if (strikes()) throw fail('EIO')
      return (call as (...args: unknown[]) => unknown)(...args)
    }
    return [name, faulty]
  })
  return {
    ...Object.fromEntries(done),
    fdatasync: synced('fdatasync'),
    fsync: synced('fsync'),
    writeSync: (...[file, bytes, from, size, at]: [number, Buffer, number, number, number]) => {
      const part = Math.max(1, Math.floor(size * random()))
      if (!strikes()) return real.writeSync(file, bytes, from, part, at)
      real.writeSync(file, bytes, from, part, at)
      throw fail('ENOSPC')
    },
  }
}

type Call = (...args: unknown[]) => Promise<unknown>

/** What may fail after it did all that was asked of it. */
const failLate: readonly string[] = ['sync', 'write', 'writeFile']

function promisedCalls(strikes: () => boolean, random: () => number): Record<string, Call> {
  const faulty = (name: string, call: Call): Call => {
    return async (...args) => {
      if (!strikes()) return call(...args)
      await pause(random() * 2)
      if (failLate.includes(name) && random() < 0.5) await call(...args)
      throw fail('EIO')
    }
  }
  const withHandle = async (...args: unknown[]) => {
    if (strikes()) throw fail('EMFILE')
    const handle = (await (promised.open as Call)(...args)) as Handle
    for (const name of ofHandles) handle[name] = faulty(name, handle[name].bind(handle))
    return handle
  }
  return Object.fromEntries(
    calls.map((name) => [
      name,
      name === 'open' ? withHandle : faulty(name, promised[name] as Call),
    ]),
  )
}

type Handle = Record<(typeof ofHandles)[number], Call>

function put(own: object, ofPromises: object): void {
  Object.assign(fs, own)
  Object.assign(fs.promises, ofPromises)
  syncBuiltinESMExports()
}
