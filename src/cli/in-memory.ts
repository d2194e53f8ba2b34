/** A sandbox in memory on a free port, for commands that need one while they run. */
import { type Started, type StartOptions, start } from '../server/start.ts'

/** Starts it with the fixture `starter`, unless `world` names another; its warnings go to the error output. */
export function startInMemory(world: Partial<StartOptions> = {}): Promise<Started> {
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
    ...world,
  })
}
