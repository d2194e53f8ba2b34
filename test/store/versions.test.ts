import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { snapshotFile } from '../../src/store/snapshot.ts'
import { bringUp, type Versions } from '../../src/store/versions.ts'

/** Format 1 had no unit, format 2 has one, and format 3 spells it out. */
const versions: Versions = {
  current: 3,
  steps: {
    1: (older) => ({ ...(older as object), unit: 'c' }),
    2: (older) => ({ ...(older as object), unit: 'cent' }),
  },
}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'subscription-sandbox-'))
})

afterEach(() => rm(folder, { recursive: true }))

it('walks from step to step up to the current version, and changes nothing that it was given', () => {
  const older = Object.freeze({ amount: 5 })
  expect(bringUp(older, 1, versions)).toEqual({ amount: 5, unit: 'cent' })
  expect(bringUp(older, 2, versions)).toEqual({ amount: 5, unit: 'cent' })
  expect(bringUp(older, 3, versions)).toBe(older)
})

it('refuses a newer version, and one that a step is missing for', () => {
  expect(() => bringUp({}, 4, versions)).toThrow(
    '4, which a newer version wrote; this one reads format 3',
  )
  expect(() => bringUp({}, 1, { current: 3, steps: { 1: (older) => older } })).toThrow(
    '1, which this version cannot read, for no step leads on from 2; it reads format 3',
  )
})

it('brings a snapshot up when it is read, and writes the newer file only when it is written', async () => {
  const path = join(folder, 'state.json')
  const snapshot = { entries: 7, document: { amount: 5 } }
  await snapshotFile(path, { versions: { current: 1, steps: {} } }).write(snapshot)
  const written = await readFile(path, 'utf8')
  const unit = (name: string) => (older: unknown) => {
    const { entries, document } = older as typeof snapshot
    return { entries, document: { ...document, unit: name } }
  }
  const file = snapshotFile(path, {
    versions: { current: 3, steps: { 1: unit('c'), 2: unit('cent') } },
  })

  const read = await file.read()
  expect(read).toEqual({ entries: 7, document: { amount: 5, unit: 'cent' } })
  expect(await readFile(path, 'utf8')).toBe(written)

  await file.write(read)
  expect(await readFile(path, 'utf8')).toMatch(/^\{"format":3,"entries":7,/)
  expect(await file.read()).toEqual(read)
})

it('refuses a snapshot that a step is missing for, with the file and the version', async () => {
  const path = join(folder, 'state.json')
  await snapshotFile(path, { versions: { current: 1, steps: {} } }).write({
    entries: 0,
    document: {},
  })
  await expect(snapshotFile(path).read()).rejects.toThrow(
    `${path}:1 has format 1, which this version cannot read, for no step leads on from 1; it reads format 2`,
  )
})

it('does not believe a step before the checksum', async () => {
  const path = join(folder, 'state.json')
  await snapshotFile(path, { versions: { current: 1, steps: {} } }).write({
    entries: 0,
    document: { a: 1 },
  })
  await writeFile(path, (await readFile(path, 'utf8')).replace('"a"', '"b"'))
  const file = snapshotFile(path, { versions: { current: 2, steps: { 1: (older) => older } } })
  await expect(file.read()).rejects.toThrow('does not match the checksum')
})
