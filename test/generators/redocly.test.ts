/** The documents under a common linter, and the workflows of src/openapi/workflows.arazzo.yaml, run by a common runner, as a real server serves them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { controlDocument } from '../../src/openapi/control.ts'
import { toForm } from '../../src/openapi/derive-form.ts'
import { documentForms } from '../../src/openapi/forms.ts'
import { v1Document } from '../../src/openapi/v1.ts'
import { type Listener, listen } from '../../src/server/listen.ts'
import { packageRoot, VERSION } from '../../src/version.ts'
import { openShop } from '../support/control.ts'
import { runProgram } from '../support/process.ts'

const program = fileURLToPath(new URL('./node_modules/.bin/redocly', import.meta.url))
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

/** Runs a command of Redocly in the folder. It is told to send nothing. */
async function redocly(...args: string[]) {
  const environment = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const run = runProgram([program, ...args], environment, folder)
  return { code: await run.ended, output: run.output() + run.errors() }
}

/** Runs the workflows, after a change of their text. */
async function respected(change: (text: string) => string = (text) => text) {
  const served = await fetch(`${server.url}/workflows.arazzo.yaml`)
  await writeFile(join(folder, 'workflows.arazzo.yaml'), change(await served.text()))
  return redocly('respect', 'workflows.arazzo.yaml')
}

it('finds that every form of both documents keeps the recommended rules', async () => {
  const documents = { v1: v1Document(VERSION), control: controlDocument(controlRoutes, VERSION) }
  const names: string[] = []
  for (const surface of ['v1', 'control'] as const) {
    for (const [index, form] of documentForms.entries()) {
      const name = `${surface}-${index}.json`
      names.push(name)
      await writeFile(join(folder, name), JSON.stringify(toForm(surface, documents[surface], form)))
    }
  }
  const config = fileURLToPath(new URL('redocly.yaml', packageRoot))
  const { code, output } = await redocly('lint', ...names, '--config', config)
  expect(output.match(/: validated in/g)).toHaveLength(2 * documentForms.length)
  expect(output).toMatch('Your API descriptions are valid.')
  expect(output).not.toMatch(/You have|\d+ warning/)
  expect(code).toBe(0)
})

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
