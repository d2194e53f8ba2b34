import { spawnSync } from 'node:child_process'
import { appendFile, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readJournal } from '../../src/store/journal.ts'
import { JournalWriter } from '../../src/store/journal-writer.ts'
import { temporaryFolder } from '../support/process.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let path: string

beforeEach(async () => {
  folder = await temporaryFolder()
  path = join(folder.path, 'journal.ndjson')
  await writeFile(path, '')
})

afterEach(() => folder.remove())

async function keep(...entries: readonly object[]): Promise<void> {
  const writer = new JournalWriter(path, 0, 'commit')
  for (const [index, entry] of entries.entries()) await writer.append({ n: index + 1, entry })
  await writer.close()
}

async function entries(): Promise<unknown[]> {
  return (await readJournal(path))?.lines.map(({ entry }) => entry) ?? []
}

it('reads back what was appended, one line for each entry', async () => {
  await keep({ a: 1 }, { b: 'ü\n' })
  expect(await entries()).toEqual([{ a: 1 }, { b: 'ü\n' }])
  expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(3)
})

it('keeps every entry and their order when many come at once', async () => {
  const writer = new JournalWriter(path, 0, 'commit')
  await Promise.all(
    Array.from({ length: 500 }, (_, n) => writer.append({ n: n + 1, entry: { n } })),
  )
  await writer.close()
  expect(await entries()).toEqual(Array.from({ length: 500 }, (_, n) => ({ n })))
})

it('has an entry on disk once its append resolves', async () => {
  const writer = new JournalWriter(path, 0, 'commit')
  for (let n = 1; n <= 20; n += 1) {
    await writer.append({ n, entry: { n } })
    expect(await entries()).toHaveLength(n)
  }
  await writer.close()
})

it('keeps the order of batches that are under way together', async () => {
  const writer = new JournalWriter(path, 0, 'commit')
  const kept: number[] = []
  const appended: Promise<void>[] = []
  for (let n = 1; n <= 50; n += 1) {
    appended.push(writer.append({ n, entry: { n } }).then(() => void kept.push(n)))
    if (n % 3 === 0) await nextTurn()
  }
  await Promise.all(appended)
  expect(kept).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  expect(await entries()).toHaveLength(50)
  await writer.close()
})

it('refuses every batch that comes after one that could not be synced', async () => {
  // What takes every byte and syncs none.
  await rm(path)
  await symlink('/dev/null', path)
  const writer = new JournalWriter(path, 0, 'commit')
  const appended: Promise<unknown>[] = []
  for (let n = 1; n <= 5; n += 1) {
    appended.push(writer.append({ n, entry: {} }).catch((error) => error.message))
    await nextTurn()
  }
  for (const message of await Promise.all(appended)) expect(message).toContain('cannot be written')
  await expect(writer.settled()).rejects.toThrow('cannot be written')
  expect(writer.bytes).toBe(0)
  await writer.close()
})

it.runIf(limitFiles('unlimited'))('leaves nothing in the file of what it refused', async () => {
  const writer = new JournalWriter(path, 0, 'commit')
  await writer.append({ n: 1, entry: { a: 1 } })
  const before = await readFile(path, 'utf8')
  // Room for two lines and half of a third.
  limitFiles(`${Math.round(before.length * 3.5)}`)
  const appended = [2, 3, 4, 5].map((n) => writer.append({ n, entry: { a: n } }))
  const outcomes = await Promise.allSettled(appended)
  limitFiles('unlimited')
  expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  expect(await readFile(path, 'utf8')).toBe(before)
  await writer.close()
})

/** Has no file of this process become longer than so many bytes; answers whether the system can do so. */
function limitFiles(bytes: string): boolean {
  return spawnSync('prlimit', ['--pid', `${process.pid}`, `--fsize=${bytes}:`]).status === 0
}

it('answers a batch at once, and has it on disk soon after', async () => {
  const writer = new JournalWriter(path, 0, 'batch')
  await writer.append({ n: 1, entry: {} })
  await writer.append({ n: 2, entry: {} })
  await writer.settled()
  expect(await entries()).toHaveLength(2)
  await writer.close()
})

it('drops a last line that was cut short, and goes on after the one before it', async () => {
  await keep({ a: 1 }, { b: 2 })
  await truncate(path, (await readFile(path)).length - 4)
  const content = await readJournal(path)
  expect(content).toMatchObject({ isTorn: true, lines: [{ n: 1, entry: { a: 1 } }] })
  const writer = new JournalWriter(path, content?.bytes ?? 0, 'commit')
  await writer.append({ n: 2, entry: { c: 3 } })
  await writer.close()
  expect(await entries()).toEqual([{ a: 1 }, { c: 3 }])
})

describe('a journal that was tampered with', () => {
  it.each([1, 2, 3])('is refused with the line in which one byte was flipped: %i', async (line) => {
    await keep({ a: 1 }, { b: 2 }, { c: 3 })
    const bytes = await readFile(path)
    const at = 30 + Math.floor(((line - 1) * bytes.length) / 3)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await writeFile(path, bytes)
    await expect(readJournal(path)).rejects.toThrow(`journal.ndjson:${line}`)
    expect(await readFile(path)).toEqual(bytes)
  })

  it('is refused with the line before which one is missing', async () => {
    await keep({ a: 1 }, { b: 2 }, { c: 3 })
    const lines = (await readFile(path, 'utf8')).split('\n')
    await writeFile(path, [lines[0], ...lines.slice(2)].join('\n'))
    await expect(readJournal(path)).rejects.toThrow('journal.ndjson:2 is entry 3')
  })

  it('is refused with the line that is no entry', async () => {
    await keep({ a: 1 })
    await appendFile(path, '{"hello":"world"}\n')
    await expect(readJournal(path)).rejects.toThrow('journal.ndjson:2 is not a journal entry')
  })
})

it('appends nothing any more after a write that failed', async () => {
  const writer = new JournalWriter(join(folder.path, 'gone', 'journal.ndjson'), 0, 'commit')
  await expect(writer.append({ n: 1, entry: {} })).rejects.toThrow('cannot be written')
  await expect(writer.append({ n: 2, entry: {} })).rejects.toThrow('cannot be written')
  await expect(writer.settled()).rejects.toThrow('cannot be written')
})
