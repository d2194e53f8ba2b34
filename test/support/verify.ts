/** `verify` as tests run it: with a server, a folder for each test, and the report that it prints. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { Report } from '../../src/contracts/common/report-shape.ts'
import { run, type ServedHere, serveHere } from './command-line.ts'
import { temporaryFolder } from './folders.ts'
import { writePact } from './pacts.ts'

/** Has the tests of a file share a server, and each have a folder. */
export function verifyScene() {
  let sandbox: ServedHere
  let place: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    sandbox = await serveHere()
  })
  afterAll(() => sandbox.stop())
  beforeEach(async () => {
    place = await temporaryFolder()
  })
  afterEach(() => place.remove())
  return {
    /** Where the server is. */
    url: () => sandbox.url,
    folder: () => place.path,
    /** Writes a pact into the folder; answers its path. */
    write: (text: string, name = 'web.json') => writePact(place.path, name, text),
  }
}

/** Runs `verify`, and reads the report that it prints. */
export async function verify(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const verifying = run(['verify', ...args, '--json'], environment)
  const code = await verifying.ended
  if (verifying.output() === '') throw new Error(`It reports nothing: ${verifying.errors()}`)
  const report = Report.parse(JSON.parse(verifying.output()))
  return { code, report, interactions: report.pacts.flatMap((pact) => pact.interactions) }
}
