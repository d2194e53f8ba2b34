import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { settingAssumptions } from '../../src/assumptions/register.ts'
import { type Served, serve, temporaryFolder } from '../support/process.ts'
import { otherSettings, serveAnotherProvider } from './support/another-provider.ts'
import { plantBreaks } from './support/breaks.ts'
import { assumedPacts, documentedPacts } from './support/published.ts'
import { verify } from './support/verification.ts'

let sandbox: Served
beforeAll(async () => {
  sandbox = await serve('--data', 'memory')
})
afterAll(() => sandbox.stop())

const everyPact = [...documentedPacts, ...assumedPacts]

async function sizeOf(file: string): Promise<number> {
  const { interactions } = JSON.parse(await readFile(file, 'utf8')) as { interactions: unknown[] }
  return interactions.length
}

it('keeps every published pact, as the official core sees it', async () => {
  const outcomes = await verify(sandbox.url, everyPact)
  expect(outcomes.flatMap(({ errors }) => errors)).toEqual([])
  expect(outcomes.every(({ isVerified }) => isVerified)).toBe(true)
  const sizes = await Promise.all(everyPact.map(sizeOf))
  expect(outcomes.map(({ interactions }) => interactions)).toEqual(sizes)
})

it('is told by name which interaction is broken, whichever way it is', async () => {
  const folder = await temporaryFolder()
  const planted = (
    await Promise.all(everyPact.map((source) => plantBreaks(source, folder.path)))
  ).flat()
  const outcomes = await verify(
    sandbox.url,
    planted.map(({ file }) => file),
  )
  await folder.remove()
  const told = outcomes.map(({ file, isVerified, failed }) => ({ file, isVerified, failed }))
  expect(told).toEqual(
    planted.map(({ file, broken }) => ({ file, isVerified: false, failed: [broken] })),
  )
})

it('documents nothing that a provider could do otherwise, and assumes nothing that it could not', async () => {
  const other = await serveAnotherProvider(sandbox.url)
  const documented = await verify(other.url, documentedPacts)
  const assumed = await verify(other.url, assumedPacts)
  other.close()
  expect(documented.flatMap(({ errors }) => errors)).toEqual([])
  expect(documented.every(({ isVerified }) => isVerified)).toBe(true)
  for (const { interactions, failed } of assumed) expect(failed).toHaveLength(interactions)
})

it('has that other provider decide every setting otherwise', () => {
  const initial = settingAssumptions.map(({ slug, fallback }) => [
    slug.replaceAll('-', '_'),
    fallback,
  ])
  expect(Object.keys(otherSettings).sort()).toEqual(initial.map(([name]) => name).sort())
  for (const [name, value] of initial) expect(otherSettings[String(name)]).not.toEqual(value)
})
