/** The guide for coding agents: its settings start the tools, its command prints what it says, and it has every tool and prompt. */
import { readFile } from 'node:fs/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, it } from 'vitest'
import { fillPrompt, listedPrompts } from '../../src/mcp/prompts.ts'
import { commandLine, serve } from '../support/process.ts'
import { played } from '../support/transcript.ts'
import { toolNames } from './agent.ts'

const path = 'docs/guides/coding-agents.md'
const guide = await readFile(path, 'utf8')

interface Settings {
  readonly mcpServers: {
    readonly billing: { command: string; args: string[]; env?: Record<string, string> }
  }
}

it('names every tool and prompt once', () => {
  const table = guide.split('\n').filter((line) => line.startsWith('| `'))
  const named = table.flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)])
  const names = [...toolNames, ...listedPrompts.map(({ name }) => name)]
  expect(named.map(([, name]) => name).sort()).toEqual(names.sort())
})

it('has no agent install a package of this name from a registry', async () => {
  const prompt = JSON.stringify(fillPrompt('write_test', { behaviour: 'a trial ends' }))
  for (const text of [guide, await readFile('llms.txt', 'utf8'), prompt]) {
    const [first, ...others] = text.match(/npx\W+(no\W+)?subscription-sandbox/g) ?? []
    for (const command of [first, ...others]) expect(command).toMatch(/^npx\W+--no\W/)
  }
})

it('prints what it says', async () => {
  const server = await serve('--data', 'memory')
  const { printed, promised } = await played(path, server.url)
  await server.stop()
  expect(printed).toEqual(promised)
})

it('shows settings that start the tools', async () => {
  const server = await serve('--data', 'memory')
  await fetch(`${server.url}/sandboxes/my-branch`, { method: 'PUT' })
  const blocks = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => json)
  const sandboxes: unknown[] = []
  for (const block of blocks) {
    const { mcpServers } = JSON.parse(
      block.replace('http://127.0.0.1:4010', server.url),
    ) as Settings
    const { command, args, env = {} } = mcpServers.billing
    expect([command, ...args.slice(0, 2)]).toEqual(['npx', '--no', 'subscription-sandbox'])
    const [program, ...installed] = commandLine
    const client = new Client({ name: 'agent', version: '1' })
    const all = [...installed, ...args.slice(2)]
    await client.connect(new StdioClientTransport({ command: program, args: all, env }))
    const { content } = await client.callTool({ name: 'describe_sandbox' })
    const [{ text } = { text: '' }] = content as { text: string }[]
    sandboxes.push(JSON.parse(text).sandbox_id)
    await client.close()
  }
  await server.stop()
  expect(sandboxes).toEqual(['default', 'my-branch'])
})
