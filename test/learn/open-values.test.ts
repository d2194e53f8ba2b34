/** Of values that nobody can list, a report says that others may fit. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { learn } from '../../src/learn/learn.ts'
import { readRecording } from '../../src/learn/recording.ts'
import { prettyText } from '../../src/learn/report-texts.ts'
import { Fixture } from '../../src/sandbox/fixture-format.ts'
import { historyFixture, ownRecording } from '../support/own-recording.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'retries-'))
  await writeFile(join(folder, 'shop.json'), JSON.stringify(historyFixture))
})
afterAll(() => rm(folder, { recursive: true }))

async function learned(retrySchedule: string[]): Promise<string> {
  const text = await ownRecording(join(folder, 'shop.json'), { retrySchedule }, ['failing'])
  const fixture = Fixture.parse(historyFixture)
  const options = { fixture, settings: {}, onProgress: () => undefined }
  return prettyText(await learn(readRecording('own.ndjson', text), options))
}

it('says of what is confirmed that there are values which were not tried', async () => {
  const text = await learned(['P1D', 'P3D', 'P5D', 'P7D'])
  expect(text).toMatch(/^confirmed {5}success-status: .*; other values may fit as well$/m)
  expect(text).toMatch(/^confirmed {5}subscription-fields: .* would differ otherwise$/m)
})
