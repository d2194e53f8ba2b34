/** `mcp`: tools for coding agents, over standard input and output. */
import { once } from 'node:events'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type Command, Option } from 'commander'
import type { Called } from '../mcp/call.ts'
import { mcpServer } from '../mcp/server.ts'
import { ask, type Connection, connectionOf } from './connection.ts'
import { startInMemory } from './in-memory.ts'
import { OperationRefused } from './refusal-text.ts'
import {
  CannotRun,
  type Configure,
  controlTokenOption,
  examplesText,
  UsageError,
  variableOption,
} from './usage.ts'

interface McpValues {
  readonly url?: string
  readonly sandbox?: string
  readonly controlToken?: string
}

/** Adds what `mcp` takes. */
export const mcpCommand: Configure = (command) => {
  command
    .addOption(variableOption('--url <url>', 'the server; one of its own in memory without it'))
    .addOption(new Option('--sandbox <id>', 'a sandbox of that server').env('SANDBOX_ID'))
    .addOption(controlTokenOption('what its control plane asks for'))
    .addHelpText('after', examplesText('mcp', 'mcp --url http://127.0.0.1:4010 --sandbox mine'))
    .action((values: McpValues) => mcp(command, values))
}

/**
 * Serves the tools until the agent closes its end: for a sandbox in memory that listens on a free port, or for one of a
 * server that runs.
 */
async function mcp(command: Command, values: McpValues): Promise<void> {
  const { url, sandbox = 'default' } = values
  if (url === undefined && values.sandbox !== undefined) {
    throw new UsageError('--sandbox needs --url or SANDBOX_URL: a sandbox of its own has no other.')
  }
  const connected =
    url === undefined
      ? await startOwn()
      : await find(connectionOf(command, { ...values, url, sandbox }))
  const server = await mcpServer(connected.called)
  const left = Promise.race([
    once(process.stdin, 'end'),
    once(process.stdin, 'close'),
    once(process, 'SIGTERM'),
    once(process, 'SIGINT'),
  ])
  await server.connect(new StdioServerTransport())
  await left
  await server.close()
  await connected.close()
}

interface ConnectedSandbox {
  readonly called: Called
  readonly close: () => Promise<void>
}

async function startOwn(): Promise<ConnectedSandbox> {
  const { url, registry, close } = await startInMemory()
  const { id, apiKey } = registry.default
  return { called: { url, sandboxId: id, apiKey, controlToken: null }, close }
}

/** Reads the key of the sandbox. Throws if nobody answers, or the sandbox does not exist. */
async function find(connection: Connection): Promise<ConnectedSandbox> {
  const { url, sandbox: sandboxId, controlToken } = connection
  const path = `/sandboxes/${sandboxId}`
  const answer = await ask(connection, { method: 'GET', path }).catch((failure: unknown) => {
    if (!(failure instanceof OperationRefused)) throw failure
    throw new CannotRun(`${url}${path}: ${failure.message}`)
  })
  const { api_key: apiKey } = (await answer.json()) as { api_key: string }
  return { called: { url, sandboxId, apiKey, controlToken }, close: async () => {} }
}
