/** A sandbox in memory on a free port, for commands that need one of their own for a while. */
import type { Settings } from '../assumptions/register.ts'
import { type Started, start } from '../server/start.ts'

/** Starts it with the fixture `starter`, varying what is named; what it has to say of itself goes to the error output. */
export function startInMemory(vary: Settings['vary'] = []): Promise<Started> {
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
    settings: { vary },
    log: (line) => process.stderr.write(`${line}\n`),
  })
}
