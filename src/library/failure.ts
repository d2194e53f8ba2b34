/**
 * What a failed test leaves: a report to print, and a folder with its sandbox as it was. Owns the names of the files, and
 * which folder a test has.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { amountsIn } from './amounts.ts'
import type { Sandbox, Schemas } from './sandbox.ts'

/** The folder of all bundles, in the working folder. It keeps itself out of version control. */
const BUNDLES = '.sandbox'

/** The most events and requests that are shown. */
const SHOWN_MAX = 30

const NAME_MAX = 80

/** A test with its sandbox, whose failure is reported. */
export interface FailedTest {
  readonly sandbox: Sandbox
  /** The default sandbox of the server, which logs what belongs to no sandbox. */
  readonly server: Sandbox
  /** The number of its newest request when the test began. */
  readonly since: number
  /** The folder of the test. */
  readonly folder: string
  /** The diffs of its failed assertions, expected and found. */
  readonly diffs: readonly string[]
}

/** A test or a suite of vitest, as far as its name takes it. */
interface Task {
  readonly name: string
  readonly suite?: TaskGroup | undefined
}
interface TaskGroup extends Task {
  readonly tasks: readonly Task[]
}
interface TestTask extends Task {
  readonly file: TaskGroup & { readonly projectName?: string | undefined }
}

/**
 * The project and the file of a test, its suites and its own name; where several beside each other have one name, as in a
 * loop, which of them it is.
 */
export function testName(test: TestTask): string {
  const { file } = test
  const names: string[] = []
  for (let each: Task | undefined = test; each !== undefined; each = each.suite) {
    const { name, suite = file } = each
    const place = suite.tasks.filter((other) => other.name === name).indexOf(each)
    names.unshift(place > 0 ? `${name} \0${place + 1}` : name)
  }
  return [file.projectName, file.name, ...names].filter(Boolean).join(' ')
}

/** The folder of a test, by its name: no two tests have the same. */
export function bundleFolder(test: string): string {
  const words = test.replace(/[^\w.-]+/g, '-').slice(0, NAME_MAX)
  const digest = createHash('sha256').update(test).digest('hex').slice(0, 8)
  return join(BUNDLES, `${words}-${digest}`)
}

/**
 * Removes what an earlier failure of a test left. It goes in one step, because runs of the same tests at one time, such as
 * those of `exec --matrix`, have the same folders.
 */
export async function removeBundle(folder: string): Promise<void> {
  const removed = passingFolder()
  if (await isMoved(folder, removed, 'ENOENT')) await rm(removed, { recursive: true })
}

/** A folder that nobody else uses. */
function passingFolder(): string {
  return join(BUNDLES, `.${randomUUID()}`)
}

/** Moves a folder, and says whether it could; throws for another reason than one that is expected. */
async function isMoved(from: string, to: string, ...expected: string[]): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (expected.includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** The number of the newest request that a sandbox logged; 0 before the first. */
export async function newestRequest({ requests }: Sandbox): Promise<number> {
  const [newest] = await requests.list()
  return newest?.number ?? 0
}

/** Writes the bundle of a failed test. Returns the report to print: what happened, newest last, and where the bundle is. */
export async function reportFailure({
  sandbox,
  server,
  since,
  folder,
  diffs,
}: FailedTest): Promise<string> {
  const [now, events, requests, ofServer, invoices, charges] = await Promise.all([
    sandbox.clock.now(),
    sandbox.events.list(),
    sandbox.requests.list(),
    server.requests.list(),
    sandbox.invoices.list(),
    sandbox.charges.list(),
  ])
  const amounts = amountsIn(diffs, [...invoices, ...charges])
  const lost = ofServer
    .toReversed()
    .filter(({ number, request }) => number > since && /\/v1(?:[/?]|$)/.test(request.path))
  const report = [
    `Sandbox ${sandbox.id} at ${now}`,
    ...(amounts.length === 0 ? [] : section('amounts', amounts)),
    ...section(
      'events',
      events.map(({ at, type, subject }) => `${at}  ${type}  ${subject.id}`),
    ),
    ...section('requests', requests.toReversed().map(lineOfRequest)),
    ...(lost.length === 0
      ? []
      : section('requests that did not reach it, for their key', lost.map(lineOfRequest))),
  ]
  const text = [
    ...report,
    `  The sandbox as it was is in ${folder}. To look at it, run this and open /dashboard:`,
    `    npx subscription-sandbox serve --data memory --fixture ${folder}/fixture.json`,
  ].join('\n')
  const files = {
    'report.txt': `${text}\n`,
    'requests.json': JSON.stringify([...requests, ...lost], null, 2),
  }
  await writeBundle(folder, { ...files, ...(await storedOf(sandbox)) })
  return text
}

/** The sandbox as a fixture, and its recording as data and as a script; or why it has none. */
async function storedOf(sandbox: Sandbox): Promise<Record<string, string>> {
  const fixture = JSON.stringify(await sandbox.exportFixture())
  try {
    const [json, curl] = [await sandbox.recording('json'), await sandbox.recording('curl')]
    return { 'fixture.json': fixture, 'recording.json': json, 'recording.sh': curl }
  } catch (error) {
    return { 'fixture.json': fixture, 'recording.txt': `${(error as Error).message}\n` }
  }
}

async function writeBundle(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const written = passingFolder()
  await mkdir(written, { recursive: true })
  try {
    await writeFile(join(BUNDLES, '.gitignore'), '*\n')
    for (const [name, text] of Object.entries(files)) await writeFile(join(written, name), text)
    // Another run may put one there meanwhile.
    do await removeBundle(folder)
    while (!(await isMoved(written, folder, 'ENOTEMPTY', 'EEXIST')))
  } finally {
    await rm(written, { recursive: true, force: true })
  }
}

function section(name: string, lines: readonly string[]): string[] {
  const more = lines.length > SHOWN_MAX ? `, the last ${SHOWN_MAX} of ${lines.length}` : ''
  const shown = lines.slice(-SHOWN_MAX).map((line) => `    ${line}`)
  return [`  ${lines.length === 0 ? 'no ' : ''}${name}${more}`, ...shown]
}

function lineOfRequest({ request, answer, refusal, assumptions }: Schemas['Request']): string {
  const { method, path } = request
  const said = refusal === null ? '' : `  ${refusal.code}: ${refusal.message}`
  const rests = assumptions.length === 0 ? '' : `  (${assumptions.join(', ')})`
  return `${method} ${path}  ${answer.status ?? 'no answer'}${said}${rests}`
}
