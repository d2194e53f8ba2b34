import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeLines } from '../../src/store/lines.ts'
import { temporaryFolder } from '../support/folders.ts'
import { keepAt, readAt } from '../support/journal.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let path: string

beforeEach(async () => {
  folder = await temporaryFolder()
  path = join(folder.path, 'journal-000001.ndjson')
  await writeLines(path, [])
})

afterEach(() => folder.remove())

const keep = (...entries: readonly object[]) => keepAt(path, entries)
const read = () => readAt(path)

it('drops a last line that was cut short, and goes on after the one before it', async () => {
  await keep({ a: 1 }, { b: 2 })
  const [, second = '', mark = ''] = (await readFile(path, 'utf8')).split('\n')
  await truncate(path, (await readFile(path)).length - mark.length - second.length + 5)
  expect(await read()).toMatchObject({ entries: [{ a: 1 }], ending: 'torn' })
})

describe('a journal that was tampered with', () => {
  it.each([1, 2, 3])('is refused with the line in which one byte was flipped: %i', async (line) => {
    await keep({ a: 1 }, { b: 2 }, { c: 3 })
    const text = await readFile(path, 'latin1')
    const changed = text.replace(`"${'_abc'[line]}"`, `"${'_xyz'[line]}"`)
    expect(changed).not.toBe(text)
    await writeFile(path, changed)
    await expect(read()).rejects.toThrow(`.ndjson:${line} does not match its checksum`)
  })

  it.each<[string, (lines: string[]) => string[], string]>([
    ['without a line', ([a = '', , c = '', end = '']) => [a, c, end], ':2 does not match'],
    ['with a line twice', ([a = '', b = '', ...rest]) => [a, b, b, ...rest], ':3 does not match'],
    ['in another order', ([a = '', b = '', ...rest]) => [b, a, ...rest], ':1 does not match'],
    ['without its last line', ([a = '', b = '', , end = '']) => [a, b, end], ':3 is not the entry'],
    ['with lines after its mark', ([...all]) => [...all, all.at(-1) ?? ''], 'after the end mark'],
    [
      'with another line',
      ([a = '', ...rest]) => [a, '{"hello":1}', ...rest],
      ':2 is not the entry',
    ],
  ])('is refused %s', async (_, change, reason) => {
    await keep({ a: 1 }, { b: 2 }, { c: 3 })
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    await writeFile(path, `${change(lines).join('\n')}\n`)
    await expect(read()).rejects.toThrow(reason)
  })

  it('shows that its end is missing, and that something was put after it', async () => {
    await keep({ a: 1 }, { b: 2 })
    const whole = await readFile(path, 'utf8')
    await writeFile(path, whole.split('\n').slice(0, 2).join('\n').concat('\n'))
    expect((await read()).ending).toBe('unmarked')
    await writeFile(path, whole)
    await appendFile(path, 'anything')
    expect((await read()).ending).toBe('trailed')
  })
})
