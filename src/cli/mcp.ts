/** `mcp`: tools for coding agents, over standard input and output. */
import { once } from 'node:events'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { Option } from 'commander'
import { reasonOf } from '../contracts/failure.ts'
import type { Called } from '../mcp/call.ts'
import { mcpServer } from '../mcp/server.ts'
import { startInMemory } from './in-memory.ts'
import {
  CannotRun,
  type Configure,
  controlTokenOption,
  examplesText,
  readControlToken,
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
    .action(mcp)
}

/**
 * Serves the tools until the agent closes its end: for a sandbox in memory that listens on a free port, or for one of a
 * server that runs.
 */
async function mcp({ url, sandbox, controlToken }: McpValues): Promise<void> {
  if (url === undefined && sandbox !== undefined) {
    throw new UsageError('--sandbox needs --url or SANDBOX_URL: a sandbox of its own has no other.')
  }
  const found =
    url === undefined
      ? await startOwn()
      : await find({
          url: readBase(url),
          sandboxId: sandbox ?? 'default',
          controlToken: readControlToken(controlToken),
        })
  const server = await mcpServer(found.called)
  const left = Promise.race([
    once(process.stdin, 'end'),
    once(process.stdin, 'close'),
    once(process, 'SIGTERM'),
    once(process, 'SIGINT'),
  ])
  await server.connect(new StdioServerTransport())
  await left
  await server.close()
  await found.close()
}

function readBase(url: string): string {
  if (URL.canParse(url) && /^https?:\/\//i.test(url)) return url.replace(/\/+$/, '')
  throw new UsageError(`--url must be an address such as http://127.0.0.1:4010; got "${url}".`)
}

interface Found {
  readonly called: Called
  readonly close: () => Promise<void>
}

async function startOwn(): Promise<Found> {
  const { url, registry, close } = await startInMemory()
  const { id, apiKey } = registry.default
  return { called: { url, sandboxId: id, apiKey, controlToken: null }, close }
}

/** Looks whether the sandbox is there, and what its key is. Throws where nobody answers, or there is none. */
async function find({ url, sandboxId, controlToken }: Omit<Called, 'apiKey'>): Promise<Found> {
  const headers = controlToken === null ? {} : { 'Sandbox-Control-Token': controlToken }
  const path = `/sandboxes/${encodeURIComponent(sandboxId)}`
  const response = await fetch(`${url}${path}`, { headers }).catch((error: Error) => {
    throw new CannotRun(`${url} does not answer: ${reasonOf(error)}`)
  })
  if (!response.ok) throw new CannotRun(`${url}${path} answered ${await response.text()}`)
  const { api_key: apiKey } = (await response.json()) as { api_key: string }
  return { called: { url, sandboxId, apiKey, controlToken }, close: async () => {} }
}
