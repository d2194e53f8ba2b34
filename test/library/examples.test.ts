/** The examples in the comments of public functions do what they show. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/index.ts'

const run = promisify(execFile)
let server: Sandbox

beforeAll(async () => {
  server = await startSandbox()
  await server.subscriptions.create({ customer_id: 'cus_grace', plan: 'basic' })
})
afterAll(() => server.close())

const files = [
  'index.ts',
  'client.ts',
  'fast-check.ts',
  'library/connect.ts',
  'library/sandbox.ts',
  'library/shrink.ts',
]

/** The lines behind each `@example` of a file. */
async function examplesIn(file: string): Promise<string[]> {
  const text = await readFile(`src/${file}`, 'utf8')
  const blocks = [...text.matchAll(/@example\n((?: +\* .*\n)+)/g)]
  return blocks.map(([, block = '']) => block.replace(/^ +\* /gm, ''))
}

it.each(files)('runs the examples of %s', async (file) => {
  const examples = await examplesIn(file)
  expect(examples.length).toBeGreaterThan(0)
  for (const example of examples) {
    const imports = [
      "import fc from 'fast-check'",
      "import { connect, shrink, startSandbox } from 'subscription-sandbox'",
      "import { createClient } from 'subscription-sandbox/client'",
      "import { histories } from 'subscription-sandbox/fast-check'",
      // Where an example begins with a sandbox, it is this one.
      ...(/ sandbox =/.test(example) ? [] : [`const sandbox = await connect('${server.url}')`]),
    ].join('\n')
    const source = `${imports}\n${example}`.replace('http://127.0.0.1:4010', server.url)
    const { code } = await transform(source, { loader: 'ts', format: 'esm', target: 'node20' })
    const error = 'if (typeof error === "object") throw new Error(JSON.stringify(error))'
    const checked = source.includes(', error }') ? `${code}\n${error}` : code
    await run(process.execPath, ['--input-type=module', '-e', checked])
  }
})
