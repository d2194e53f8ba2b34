/** A sandbox for the length of one command: in memory, on a free port, seen by nobody else. */
import { type Started, start } from '../http/start.ts'

/** Starts one from the fixture `starter`. */
export function startOwn(): Promise<Started> {
  return start({
    host: '127.0.0.1',
    allowedHosts: [],
    port: 0,
    folder: null,
    durability: 'commit',
    fixture: 'starter',
    clockStart: null,
    running: false,
    log: (line) => process.stderr.write(`${line}\n`),
    onLost: () => undefined,
  })
}
