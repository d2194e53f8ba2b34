/** The HAR that Chromium writes: `learn` reads it as it reads its own, and finds the same. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { learn } from '../../src/learn/learn.ts'
import { readRecording } from '../../src/learn/recording.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { type Answered, type Called, playHistory } from '../support/recorded-history.ts'
import { secondParts, secretsOfService } from '../support/second-recording.ts'
import { startSecondService, wanted } from '../support/second-service.ts'

/** Runs in the page: the calls of a shop without a server. */
const inPage = async ({ method, path, headers, body }: Called): Promise<Answered> => {
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
  const response = await fetch(path, { method, headers: sent, ...(body !== '' && { body }) })
  const answered = await response.text()
  return { status: response.status, headers: Object.fromEntries(response.headers), body: answered }
}

it.runIf(hasBrowser)('learns the same from a HAR of Chromium', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'learn-'))
  const path = join(folder, 'traffic.har')
  const service = await startSecondService()
  const browser = await openBrowser()
  const context = await browser.newContext({ recordHar: { path, content: 'embed' } })
  const page = await context.newPage()
  await page.goto(service.url)
  const call = (called: Called) => page.evaluate(inPage, called)
  await playHistory({ ...service, call }, secondParts)
  await context.close()
  await browser.close()
  await service.close()
  const recording = readRecording('traffic.har', await readFile(path, 'utf8'))
  await rm(folder, { recursive: true })
  expect(JSON.stringify(recording)).not.toMatch(secretsOfService)
  const options = { fixture: null, settings: {}, onProgress: () => undefined }
  const { unexplained, assumptions } = await learn(recording, options)
  expect(unexplained).toEqual([])
  const contradicted = assumptions.filter(({ verdict }) => verdict === 'contradicted')
  expect(contradicted.map(({ slug }) => slug).sort()).toEqual(wanted)
})
