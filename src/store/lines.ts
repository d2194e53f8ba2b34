/**
 * The format of every file: one JSON value in each line, behind a checksum that continues the one before, and an end
 * mark with the number of lines. It detects a line that was changed, removed, doubled or moved, and a missing end.
 * Files are read and written in pieces, whatever their length.
 */
import { createReadStream, existsSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { openAndSync, requireRegularFile, syncPath, unreadableFile, writeWhole } from './files.ts'
import { StoreError } from './store.ts'

/** The number of lines and bytes before the mark, and the checksum of the last line. */
export interface Extent {
  readonly lines: number
  readonly bytes: number
  readonly sum: number
}

/** The start of a file's checksums, unless the caller gives one. */
const NOTHING: Extent = { lines: 0, bytes: 0, sum: 0 }

/**
 * How a file ended: with its mark; with the rest of a failed write after the mark; within a line, as a crash leaves it;
 * or between two lines without the mark, as no crash leaves it.
 */
export type FileEnding = 'marked' | 'trailed' | 'torn' | 'unmarked'

const PIECE_BYTES = 256 * 1024

/** The lines of one file as they are written. Its identity is the current checksum. */
export class LineChain {
  extent: Extent

  constructor(start = NOTHING) {
    this.extent = start
  }

  /** The line of an entry, with the checksum that continues the one before. */
  next(entry: object): Buffer {
    // Converted to bytes once, with the checksum: that is most of the cost of a write.
    const line = Buffer.from(`{"sum":"01234567","entry":${JSON.stringify(entry)}}\n`)
    const { lines, bytes, sum: before } = this.extent
    const sum = crc32(line.subarray(ENTRY_AT, -2), before)
    line.write(printSum(sum), SUM_AT, 'latin1')
    this.extent = { lines: lines + 1, bytes: bytes + line.length, sum }
    return line
  }

  /** The mark that ends the file here; the next line takes its place. */
  end(): Buffer {
    const { lines, sum } = this.extent
    return Buffer.from(`{"sum":"${printSum(crc32(String(lines), sum))}","end":${lines}}\n`)
  }
}

export async function writeLines(
  path: string,
  entries: Iterable<object>,
  start?: Extent,
): Promise<Extent> {
  const chain = new LineChain(start)
  const write = openAndSync(path, 'wx', async (descriptor) => {
    let piece: Buffer[] = []
    let written = 0
    for (const entry of entries) {
      piece.push(chain.next(entry))
      if (chain.extent.bytes - written < PIECE_BYTES) continue
      writeWhole(descriptor, Buffer.concat(piece), written)
      written = chain.extent.bytes
      piece = []
      await nextTurn()
    }
    writeWhole(descriptor, Buffer.concat([...piece, chain.end()]), written)
  })
  await write.catch(async (error) => {
    // On a full disk a partial file only takes space. A file that existed before is not ours.
    if (error.code !== 'EEXIST') await rm(path, { force: true }).catch(() => undefined)
    throw error
  })
  return chain.extent
}

export const UNFINISHED = '.new'

/** Replaces a file by a new one: after a crash, either the old one or the new one is there. */
export async function replaceLines(path: string, entries: Iterable<object>): Promise<void> {
  const unfinished = `${path}${UNFINISHED}`
  if (existsSync(unfinished)) await rm(unfinished, { force: true })
  await writeLines(unfinished, entries)
  renameSync(unfinished, path)
  await syncPath(dirname(path))
}

/** Reads the entries of one file. Its identity is its position. */
export class LineReader {
  readonly path: string
  ending: FileEnding = 'unmarked'
  /** The position, at the end of an entry. */
  extent: Extent
  /** A line that is invalid; a crash may have left it if nothing follows. */
  #misfit: Buffer | null = null

  constructor(path: string, start = NOTHING) {
    this.path = path
    this.extent = start
  }

  /** Each entry, in order; of the first `limit` bytes only. Throws `StoreError` with file, line and reason. */
  async *entries(limit = Number.POSITIVE_INFINITY): AsyncGenerator<unknown> {
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of this.#chunks(limit)) {
      const piece = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let from = 0
      for (let end = piece.indexOf(0x0a); end !== -1; end = piece.indexOf(0x0a, from)) {
        const body = this.#take(piece.subarray(from, end))
        if (body !== null) yield JSON.parse(body.toString('utf8'))
        from = end + 1
      }
      rest = piece.subarray(from)
    }
    // A mark that only lacks its line end is valid.
    if (rest.length > 0) this.#take(rest, WHOLE_MARK.test(rest.toString('latin1')))
    if (this.#misfit === null) return
    // A new line overwrites the mark from its beginning: no crash leaves a whole mark that is invalid.
    if (WHOLE_MARK.test(this.#misfit.toString('latin1'))) throw this.#error()
    this.ending = 'torn'
  }

  async *#chunks(limit: number): AsyncGenerator<Buffer> {
    if (limit === 0) return
    const end = Number.isFinite(limit) ? { end: limit - 1 } : {}
    try {
      requireRegularFile(this.path)
      yield* createReadStream(this.path, { highWaterMark: PIECE_BYTES, ...end })
    } catch (error) {
      throw error instanceof StoreError ? error : unreadableFile(this.path, error as Error)
    }
  }

  /** The body of an entry; null for the mark and for an invalid line. Nothing may follow an invalid line. */
  #take(line: Buffer, isWhole = true): Buffer | null {
    if (this.#misfit !== null) throw this.#error()
    const isEntry = line.toString('latin1', SUM_END, ENTRY_AT) === ENTRY
    const isMark = line.toString('latin1', SUM_END, END_AT) === END
    const body = line.subarray(isEntry ? ENTRY_AT : END_AT, -1)
    const sum = crc32(body, this.extent.sum)
    const isSound = line.toString('latin1', 0, SUM_END) === `{"sum":"${printSum(sum)}`
    const fits = isWhole && isSound && (isEntry || isMark) && line.at(-1) === 0x7d
    if (this.ending !== 'unmarked') {
      if (fits) throw new StoreError(`${this.#here()} stands after the end mark`)
      this.ending = 'trailed'
    } else if (!fits) this.#misfit = line
    else if (isMark) this.ending = 'marked'
    else {
      const { lines, bytes } = this.extent
      this.extent = { lines: lines + 1, bytes: bytes + line.length + 1, sum }
      return body
    }
    return null
  }

  #error(): StoreError {
    const isEntry = this.#misfit?.toString('latin1', SUM_END, ENTRY_AT) === ENTRY
    const reason = isEntry ? 'does not match its checksum' : 'is not the entry that should be here'
    return new StoreError(`${this.#here()} ${reason}`)
  }

  #here(): string {
    return `${this.path}:${this.extent.lines + 1}`
  }
}

/** The positions in a line: the checksum, and the body behind its name. */
const ENTRY = '","entry":'
const END = '","end":'
const SUM_AT = '{"sum":"'.length
const SUM_END = SUM_AT + '01234567'.length
const ENTRY_AT = SUM_END + ENTRY.length
const END_AT = SUM_END + END.length

const WHOLE_MARK = /\{"sum":"[0-9a-f]{8}","end":\d+\}$/

/** Reads a whole file, which must have this extent if one is given. Throws `StoreError` if it has another. */
export async function* readWhole(path: string, extent?: Extent): AsyncGenerator<unknown> {
  const reader = new LineReader(path)
  yield* reader.entries()
  if (reader.ending === 'trailed') throw new StoreError(`${path} goes on after its end mark`)
  if (reader.ending !== 'marked') throw new StoreError(`${path} is cut short`)
  const { lines, sum } = extent ?? reader.extent
  if (lines !== reader.extent.lines || sum !== reader.extent.sum) {
    throw new StoreError(`${path} is another file than the one that sandbox.json names`)
  }
}

function printSum(sum: number): string {
  return sum.toString(16).padStart(8, '0')
}
