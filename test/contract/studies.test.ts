import { readFile } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import { type PactStudy, README, studyPacts, studyRow } from '../../scripts/pact-studies.ts'
import { variableSlugs } from '../../src/assumptions/register.ts'
import { assumedPacts, documentedPacts } from './support/published.ts'

/** Some five thousand requests of the core where all are studied, on a machine that may be busy. */
const PATIENCE_MS = 900_000

/** Which assumption an interaction of an assumed pact is there to pin: the first line that fits. */
const pins: readonly (readonly [interaction: RegExp, slug: string])[] = [
  [/^assuming-json-client: JSON that (?!creates)/, 'json-bodies'],
  [/^assuming-coupon-client: .* which (?:has expired|comes after|is )/, 'coupon-refusals'],
  [/^assuming-coupon-client: .* which does not exist$/, 'error-codes'],
  [/^assuming-form-client: a request without a body that cancels/, 'immediate-cancel-parameter'],
  [/^assuming-form-client: .* pauses|while paused$/, 'paused-status-name'],
  [/^assuming-token-client: .* with an access token$/, 'access-tokens-on-subscription-calls'],
  [/^assuming-token-client: .* the new refresh token$/, 'refresh-rotation'],
  [/^assuming-token-client: .* token that is/, 'invalid-grant-status'],
  [/^assuming-token-client: /, 'refresh-error-statuses'],
  [/^assuming-refusal-client: .* field that nothing documents$/, 'unknown-fields'],
  [/^assuming-refusal-client: |written as text$/, 'error-codes'],
  [/^assuming-(?:form|coupon)-client: /, 'subscription-fields'],
]

/** All of them take a minute: `STUDIES=all` has them studied, and otherwise two documented ones and one assumed are. */
const isAll = process.env['STUDIES'] === 'all'
const some = (paths: readonly string[], names: RegExp) =>
  paths.filter((path) => isAll || names.test(path))

let documented: PactStudy[]
let assumed: PactStudy[]

beforeAll(async () => {
  const paths = some(documentedPacts, /-(?:json|token)-client/)
  const studies = await studyPacts([...paths, ...some(assumedPacts, /-json-client/)])
  documented = studies.slice(0, paths.length)
  assumed = studies.slice(paths.length)
}, PATIENCE_MS)

const interactionsOf = (studies: readonly PactStudy[]) =>
  studies.flatMap(({ interactions }) => interactions)

it('holds every documented interaction under every variation', () => {
  expect(interactionsOf(documented)).toHaveLength(isAll ? 28 : 10)
  for (const { name, restsOn } of interactionsOf(documented)) expect(restsOn, name).toEqual([])
  for (const { tried } of documented) expect(tried).toEqual(variableSlugs)
})

it('fails every assumed interaction under the variation of what it pins', () => {
  expect(interactionsOf(assumed)).toHaveLength(isAll ? 62 : 5)
  for (const { name, restsOn } of interactionsOf(assumed)) {
    const slug = pins.find(([interaction]) => interaction.test(name))?.[1]
    expect(restsOn, name).toContain(slug)
  }
})

it('has the page of the contracts say what came of both studies of each pact', async () => {
  const page = await readFile(README, 'utf8')
  for (const study of [...documented, ...assumed]) expect(page).toContain(studyRow(study))
})
