/** The workflows of src/openapi/workflows.arazzo.yaml, run by a common runner against a real server, as it serves them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Listener, listen } from '../../src/server/listen.ts'
import { openShop } from '../support/control.ts'
import { runProgram } from '../support/process.ts'

const redocly = fileURLToPath(new URL('./node_modules/.bin/redocly', import.meta.url))
let server: Listener
let folder: string

beforeAll(async () => {
  const { app } = await openShop()
  server = await listen(app, { host: '127.0.0.1', port: 0 })
  folder = await mkdtemp(join(tmpdir(), 'subscription-sandbox-workflows-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the workflows, after a change of their text. */
async function respected(change: (text: string) => string = (text) => text) {
  const served = await fetch(`${server.url}/workflows.arazzo.yaml`)
  await writeFile(join(folder, 'workflows.arazzo.yaml'), change(await served.text()))
  const environment = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const run = runProgram([redocly, 'respect', 'workflows.arazzo.yaml'], environment, folder)
  return { code: await run.ended, output: run.output() + run.errors() }
}

it('runs every workflow, and the sandboxes that they made are gone', async () => {
  const { code, output } = await respected()
  expect(output).toMatch(/Workflows: 4 passed, 4 total/)
  expect(code).toBe(0)
  const { data } = (await (await fetch(`${server.url}/sandboxes`)).json()) as {
    data: { sandbox_id: string }[]
  }
  expect(data.map(({ sandbox_id: id }) => id)).toEqual(['default'])
})

it('fails where a step does not hold', async () => {
  const { code, output } = await respected((text) => text.replace("== 'past_due'", "== 'expired'"))
  expect(output).toMatch(/Workflows: 3 passed, 1 failed, 4 total/)
  expect(code).toBe(1)
})
