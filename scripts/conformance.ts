/**
 * `npm run conformance`: has tools that read OpenAPI call a sandbox with the examples, by both documents. `-- prism newman`
 * runs these two alone. Each tool is installed into a folder of its own, and each run has a sandbox of its own. Ends with 1
 * where a tool found something.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { start } from '../src/server/start.ts'
import { newman, prism } from './conformance/newman.ts'
import { schemathesis } from './conformance/schemathesis.ts'
import { specmatic } from './conformance/specmatic.ts'
import type { Tool } from './conformance/tool.ts'

const tools: Readonly<Record<string, Tool>> = { newman, prism, specmatic, schemathesis }
const { positionals } = parseArgs({ allowPositionals: true })
const results: string[] = []
for (const name of positionals.length === 0 ? Object.keys(tools) : positionals) {
  const tool = tools[name]
  if (tool === undefined)
    throw new Error(`tool must be one of ${Object.keys(tools).join(', ')}; got "${name}"`)
  await runTool(name, tool)
}
console.log(['', ...results].join('\n'))

async function runTool(name: string, tool: Tool): Promise<void> {
  const missing = tool.needs.filter((program) => spawnSync(program, ['--version']).status !== 0)
  if (missing.length > 0) {
    results.push(`${name}: not run: needs ${missing.join(' and ')}`)
    return
  }
  const folder = resolve('node_modules/.cache/conformance', name)
  mkdirSync(folder, { recursive: true })
  for (const [program, ...args] of tool.install(folder)) {
    const { status } = spawnSync(program, args, { stdio: 'inherit' })
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}.`)
  }
  for (const form of tool.forms) {
    for (const path of ['/openapi.json', '/sandbox/openapi.json']) {
      const address = `${path}?closed=${form === 'closed'}`
      const { url, close } = await start({ examples: true })
      const passes = await tool.passes({ url, document: `${url}${address}`, folder })
      await close()
      if (!passes) process.exitCode = 1
      results.push(`${name} ${address}: ${passes ? 'passed' : 'failed'}`)
    }
  }
}
