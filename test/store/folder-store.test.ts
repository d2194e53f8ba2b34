import { mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { temporaryFolder } from '../support/process.ts'
import { storeIn } from '../support/store.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let store: Store
let warnings: string[]

beforeEach(async () => {
  folder = await temporaryFolder()
  warnings = []
  store = await storeIn(folder.path, { warnings })
})

afterEach(async () => {
  await store.close()
  await folder.remove()
})

const file = (name: string) => join(folder.path, 'default', name)

/** Keeps a document and then some entries, as a sandbox does. */
async function keep(document: object, ...entries: readonly object[]): Promise<void> {
  const kept = await store.open('default')
  await kept.read()
  await kept.replace(document)
  for (const entry of entries) await kept.append(entry)
  await kept.close()
}

async function read() {
  return (await store.open('default')).read()
}

it('holds nothing until something is kept', async () => {
  expect(await read()).toBeNull()
})

it('reads back the whole and what was appended since', async () => {
  await keep({ answer: 42 }, { a: 1 }, { b: 2 })
  expect(await read()).toEqual({ document: { answer: 42 }, entries: [{ a: 1 }, { b: 2 }] })
})

it('writes a state that a person can read, which ends the entries before it', async () => {
  await keep({ answer: 42 }, { a: 1 })
  await keep({ answer: 43 }, { c: 3 })
  expect(await read()).toEqual({ document: { answer: 43 }, entries: [{ c: 3 }] })
  expect(await readFile(file('state.json'), 'utf8')).toContain('\n "answer": 43\n')
})

it('passes over entries that the state includes, which a crash between two writes leaves', async () => {
  await keep({ answer: 42 }, { a: 1 }, { b: 2 })
  const journal = await readFile(file('journal.ndjson'))
  await keep({ answer: 44 })
  await writeFile(file('journal.ndjson'), journal)
  expect(await read()).toEqual({ document: { answer: 44 }, entries: [] })
})

it('drops a torn last line with a warning that names it', async () => {
  await keep({ answer: 42 }, { a: 1 }, { b: 2 })
  await truncate(file('journal.ndjson'), (await readFile(file('journal.ndjson'))).length - 1)
  expect(await read()).toEqual({ document: { answer: 42 }, entries: [{ a: 1 }] })
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('journal.ndjson:2 was cut short')
})

describe('what cannot be used is refused, and left as it is', () => {
  const damages = [
    {
      what: 'a flipped byte in the state',
      name: 'state.json',
      change: flip('42'),
      why: /json:2-\d+ does not match/,
    },
    {
      what: 'a state cut short',
      name: 'state.json',
      change: (bytes: Buffer) => bytes.subarray(0, -5),
      why: /json:\d+ is cut short/,
    },
    {
      what: 'an empty state',
      name: 'state.json',
      change: () => Buffer.alloc(0),
      why: /json:1 is not the head/,
    },
    {
      what: 'a state of a newer version',
      name: 'state.json',
      change: newer,
      why: /json:1 has format 3, which a newer/,
    },
    {
      what: 'a flipped byte in the journal',
      name: 'journal.ndjson',
      change: flip('"a"'),
      why: /journal\.ndjson:1/,
    },
  ]

  it.each(damages)('$what', async ({ name, change, why }) => {
    await keep({ answer: 42 }, { a: 1 }, { b: 2 })
    const bytes = change(await readFile(file(name)))
    await writeFile(file(name), bytes)
    await expect(read()).rejects.toThrow(why)
    expect(await readFile(file(name))).toEqual(bytes)
  })

  it('a journal that is missing', async () => {
    await keep({ answer: 42 }, { a: 1 })
    await rm(file('journal.ndjson'))
    await expect(read()).rejects.toThrow('journal.ndjson is missing, and state.json needs it')
  })

  it('a journal without its state', async () => {
    await keep({ answer: 42 }, { a: 1 })
    await rm(file('state.json'))
    await expect(read()).rejects.toThrow('the state.json before it is not')
  })
})

it('has replaced the state once it is in place, also where the journal cannot be emptied then', async () => {
  const kept = await store.open('default')
  await kept.replace({ answer: 42 })
  await kept.append({ a: 1 })
  const lines = await readFile(file('journal.ndjson'))
  await rm(file('journal.ndjson'))
  await symlink('/dev/full', file('journal.ndjson'))
  await kept.replace({ answer: 43 })
  await expect(kept.append({ c: 3 })).rejects.toThrow('cannot be written')

  await rm(file('journal.ndjson'))
  await writeFile(file('journal.ndjson'), lines)
  expect(await kept.read()).toEqual({ document: { answer: 43 }, entries: [] })
  await kept.append({ d: 4 })
  await kept.close()
  expect(await read()).toEqual({ document: { answer: 43 }, entries: [{ d: 4 }] })
})

it('reads back what was still being written when it was asked', async () => {
  const kept = await store.open('default')
  await kept.replace({ answer: 42 })
  const appended = kept.append({ a: 1 })
  expect(await kept.read()).toEqual({ document: { answer: 42 }, entries: [{ a: 1 }] })
  await appended
  await kept.append({ b: 2 })
  await kept.close()
  expect(await read()).toEqual({ document: { answer: 42 }, entries: [{ a: 1 }, { b: 2 }] })
})

it('writes nothing once it is closed, because the folder may be that of another sandbox by then', async () => {
  await keep({ answer: 42 }, { a: 1 })
  const closed = await store.open('default')
  await closed.read()
  await closed.close()
  for (const late of [closed.append({ b: 2 }), closed.replace({}), closed.fold({})]) {
    await expect(late).rejects.toThrow('is closed')
  }
  expect(await read()).toEqual({ document: { answer: 42 }, entries: [{ a: 1 }] })
})

it('leaves no gap after an entry that cannot be written down', async () => {
  const kept = await store.open('default')
  await kept.replace({ answer: 42 })
  const endless: { self?: object } = {}
  endless.self = endless
  expect(() => kept.append(endless)).toThrow(TypeError)
  await kept.append({ a: 1 })
  await kept.close()
  expect(await read()).toEqual({ document: { answer: 42 }, entries: [{ a: 1 }] })
})

it('lists its sandboxes, leaves other folders alone, and forgets what is removed', async () => {
  await mkdir(join(folder.path, 'lost+found'))
  for (const id of ['worker-2', 'default']) await (await store.open(id)).replace({ id })
  expect((await store.list()).sort()).toEqual(['default', 'worker-2'])
  await store.remove('worker-2')
  expect(await store.list()).toEqual(['default'])
})

it('lets one process at a time have the folder, and says which one has it', async () => {
  await expect(storeIn(folder.path)).rejects.toThrow(`is in use by process ${process.pid}`)
})

function flip(near: string): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const at = bytes.indexOf(near)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    return bytes
  }
}

function newer(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString().replace('"format":2', '"format":3'))
}
