import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { README, withStudyRows } from '../../scripts/pact-study-rows.ts'
import { variable } from '../../src/assumptions/register.ts'
import { Report } from '../../src/contracts/report/report.ts'
import { run } from '../support/process.ts'
import { assumedPacts, documentedPacts } from './support/published.ts'

/** Some three thousand replays, each of which is a request to the core, on a machine that may be busy. */
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

let report: Report

beforeAll(async () => {
  const studying = run([
    'verify',
    ...documentedPacts,
    ...assumedPacts,
    '--vary',
    '--mutate',
    '--json',
  ])
  await studying.ended
  report = Report.parse(JSON.parse(studying.output()))
}, PATIENCE_MS)

/** Every interaction with its consumer before it, and what it leans on. */
function leaning(paths: readonly string[]) {
  return (report.variations ?? [])
    .filter(({ source }) => paths.includes(source))
    .flatMap(({ source, interactions }) => {
      const consumer = basename(source).replace('-subscription-service.json', '')
      return interactions.map(({ description, leans_on }) => {
        return { name: `${consumer}: ${description}`, leansOn: leans_on }
      })
    })
}

it('holds every documented interaction under every variation', () => {
  const documented = leaning(documentedPacts)
  expect(documented).toHaveLength(28)
  for (const { name, leansOn } of documented) expect(leansOn, name).toEqual([])
  for (const { tried } of report.variations ?? []) expect(tried).toEqual(variable)
})

it('fails every assumed interaction under the variation of what it pins', () => {
  const assumed = leaning(assumedPacts)
  expect(assumed).toHaveLength(62)
  for (const { name, leansOn } of assumed) {
    const slug = pins.find(([interaction]) => interaction.test(name))?.[1]
    expect(leansOn, name).toContain(slug)
  }
})

it('has the page of the contracts say what came of both studies', async () => {
  const page = await readFile(README, 'utf8')
  expect(page).toBe(withStudyRows(page, report))
})
