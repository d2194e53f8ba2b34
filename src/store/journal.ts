/**
 * The journal: a file to which one line is appended for every committed command. Owns what a line looks like, its
 * checksum, and what a torn last line means; see journal-writer for how lines reach the disk.
 */
import { readFile } from 'node:fs/promises'
import { sumOf } from './files.ts'
import { StoreError } from './store.ts'

/** An entry as it stands in the file: numbered without a gap, so that one that is missing shows. */
export interface JournalLine {
  readonly n: number
  readonly entry: unknown
}

/** What a journal file holds, and how much of it, from its start, can be trusted. */
export interface JournalContent {
  readonly lines: readonly JournalLine[]
  readonly bytes: number
  /** Whether a last line was cut short; nobody was told that what it says happened. */
  readonly isTorn: boolean
}

/** A journal whose damage was looked for: the lines before it, and where it is. */
export interface JournalFinding extends JournalContent {
  /** How many whole lines the file has, those after the damage among them. */
  readonly linesInFile: number
  readonly damage: { readonly at: string; readonly reason: string } | null
}

/** Reads a journal, or its first bytes where no more can be trusted. Throws `StoreError` with file, line and reason for anything but a torn last line. */
export async function readJournal(path: string, trusted?: number): Promise<JournalContent | null> {
  const finding = await inspectJournal(path, trusted)
  if (finding === null || finding.damage === null) return finding
  throw new StoreError(`${finding.damage.at} ${finding.damage.reason}`)
}

/** Reads a journal up to the first line that is damaged. Throws `StoreError` only where the disk does not let it. */
export async function inspectJournal(
  path: string,
  trusted = Number.POSITIVE_INFINITY,
): Promise<JournalFinding | null> {
  const whole = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new StoreError(`${path} cannot be read: ${error.message}`)
  })
  if (whole === null) return null
  const content = whole.subarray(0, trusted)
  const bytes = content.lastIndexOf(0x0a) + 1
  const lines: JournalLine[] = []
  let damage: JournalFinding['damage'] = null
  let linesInFile = 0
  for (const text of textsOf(content.subarray(0, bytes))) {
    linesInFile += 1
    if (damage !== null) continue
    const read = readLine(text, lines.at(-1) ?? null)
    if (typeof read === 'string') damage = { at: `${path}:${linesInFile}`, reason: read }
    else lines.push(read)
  }
  return { lines, bytes, isTorn: bytes < content.length, linesInFile, damage }
}

/** One line after another: a journal may be longer than a string can be. */
function* textsOf(content: Buffer): Generator<string> {
  for (let from = 0; from < content.length; ) {
    const end = content.indexOf(0x0a, from)
    yield content.toString('utf8', from, end)
    from = end + 1
  }
}

/** What a line begins with, before its sum and before its body. */
const [BEFORE_SUM, BEFORE_BODY] = ['{"sum":"', '","body":']
const HEAD_BYTES = BEFORE_SUM.length + 8 + BEFORE_BODY.length
const TAIL = '}\n'

/** The lines of these bodies, each behind its checksum, which is drawn from the bytes as they will stand in the file. */
export function linesOf(bodies: readonly string[]): Buffer {
  const frame = HEAD_BYTES + TAIL.length
  const size = bodies.reduce((sum, body) => sum + frame + Buffer.byteLength(body), 0)
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const body of bodies) {
    const start = at + HEAD_BYTES
    const end = start + bytes.write(body, start)
    bytes.write(BEFORE_SUM + sumOf(bytes.subarray(start, end)) + BEFORE_BODY, at, 'latin1')
    at = end + bytes.write(TAIL, end, 'latin1')
  }
  return bytes
}

/** A line, or what is wrong with it. */
function readLine(text: string, before: JournalLine | null): JournalLine | string {
  const [, sum, body] = /^\{"sum":"([0-9a-f]{8})","body":(.*)\}$/s.exec(text) ?? []
  if (sum === undefined || body === undefined) return 'is not a journal entry'
  if (sumOf(body) !== sum) return 'does not match its checksum'
  const line = JSON.parse(body) as JournalLine
  if (before === null || line.n === before.n + 1) return line
  return `is entry ${line.n}, which does not follow ${before.n}`
}
