/** A sandbox in memory on a free port, for commands that need one of their own for a while. */
import { type Started, start } from '../server/start.ts'

/** Starts it with the fixture `starter`; what it has to say of itself goes to the error output. */
export function startInMemory(): Promise<Started> {
  return start({
    host: '127.0.0.1',
    allowedHosts: [],
    port: 0,
    folder: null,
    durability: 'commit',
    lock: 'kernel',
    fixture: 'starter',
    clockStart: null,
    running: false,
    log: (line) => process.stderr.write(`${line}\n`),
  })
}
