/** A coding agent, as far as the sandbox sees one: the official client of the protocol, over a process of its own. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { commandLine } from '../support/process.ts'

export interface Agent extends AsyncDisposable {
  readonly client: Client
  /** What a tool answers. Throws where it is refused. */
  readonly call: <Answer = Record<string, unknown>>(name: string, args?: object) => Promise<Answer>
  /** Why a tool is refused. Throws where it is not. */
  readonly refusal: (name: string, args?: object) => Promise<string>
}

/** Starts `mcp` and connects to it. */
export async function startAgent(
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Agent> {
  const [command, ...program] = commandLine
  const client = new Client({ name: 'agent', version: '1' })
  await client.connect(
    new StdioClientTransport({ command, args: [...program, 'mcp', ...args], env }),
  )
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
