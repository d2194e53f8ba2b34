/** A coding agent, as far as the sandbox sees one: the official client of the protocol. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { scenarioTool } from '../../src/mcp/scenario-tool.ts'
import { mcpServer } from '../../src/mcp/server.ts'
import { tools } from '../../src/mcp/tools.ts'
import { runScenarioFile } from '../../src/server/scenario-file.ts'
import { start } from '../../src/server/start.ts'

/** What an agent can call, in the order in which it is listed. */
export const toolNames: readonly string[] = [...tools.map(({ name }) => name), scenarioTool.name]

export interface Agent extends AsyncDisposable {
  readonly client: Client
  /** What a tool answers. Throws where it is refused. */
  readonly call: <Answer = Record<string, unknown>>(name: string, args?: object) => Promise<Answer>
  /** Why a tool is refused. Throws where it is not. */
  readonly refusal: (name: string, args?: object) => Promise<string>
}

/** Connects an agent to tools for a sandbox of its own, in this process. */
export async function startAgent(): Promise<Agent> {
  const { url, registry, close } = await start()
  const { id, apiKey } = registry.default
  const called = { url, sandboxId: id, apiKey, controlToken: null }
  const server = await mcpServer(called, runScenarioFile)
  const [end, otherEnd] = InMemoryTransport.createLinkedPair()
  await server.connect(otherEnd)
  const agent = await connected(end)
  return {
    ...agent,
    [Symbol.asyncDispose]: async () => {
      await agent[Symbol.asyncDispose]()
      await close()
    },
  }
}

/** Connects an agent to tools. */
export async function connected(transport: Transport): Promise<Agent> {
  const client = new Client({ name: 'agent', version: '1' })
  await client.connect(transport)
  const answer = async (name: string, given: object) => {
    const result = await client.callTool({ name, arguments: { ...given } })
    const [{ text } = { text: '' }] = result.content as { text: string }[]
    return { text, isRefused: result.isError === true }
  }
  return {
    client,
    call: async (name, given = {}) => {
      const { text, isRefused } = await answer(name, given)
      if (isRefused) throw new Error(`${name} was refused: ${text}`)
      return text.startsWith('{') ? JSON.parse(text) : text
    },
    refusal: async (name, given = {}) => {
      const { text, isRefused } = await answer(name, given)
      if (!isRefused) throw new Error(`${name} was not refused: ${text}`)
      return text
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}
