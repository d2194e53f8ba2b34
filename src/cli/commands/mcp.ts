/** `mcp`: tools for coding agents, over standard input and output. */
import { once } from 'node:events'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Command } from 'commander'
import { SandboxError } from '../../library/sandbox-error.ts'
import { mcpServer } from '../../mcp/server.ts'
import { runScenarioFile } from '../../server/scenario-file.ts'
import { start } from '../../server/start.ts'
import { ask, type Connection, connectionReaders } from '../terminal/connection.ts'
import {
  addExamples,
  addReaders,
  CannotRun,
  type Configure,
  controlTokenOption,
  nameOf,
  readControlToken,
  UsageError,
  variableOption,
} from '../terminal/usage.ts'
import { addWorldOptions, type WorldValues, worldOptionsOf } from './serve-options.ts'

export const mcpCommand: Configure = (command) => {
  addExamples(command, 'mcp', 'mcp --url http://127.0.0.1:4010 --sandbox mine')
  addReaders(addWorldOptions(command), connectionReaders)
    .addOption(variableOption('--url <url>', 'the server (default: a new one in memory)'))
    .addOption(variableOption('--sandbox <id>', 'a sandbox of that server'))
    .addOption(controlTokenOption('what its control plane asks for'))
    .action(mcp)
}

/**
 * Serves the tools until the agent closes its end: for a sandbox in memory that listens on a free port, or for one of a
 * server that runs.
 */
async function mcp(
  { url, sandbox, controlToken, ...world }: Partial<Connection> & WorldValues,
  command: Command,
): Promise<void> {
  if (url === undefined && sandbox !== undefined) {
    throw new UsageError('--sandbox needs --url or SANDBOX_URL: a sandbox of its own has no other.')
  }
  const ofOwn = Object.keys(world).find((name) => command.getOptionValueSource(name) === 'cli')
  if (url !== undefined && ofOwn !== undefined) {
    throw new UsageError(`${nameOf(command, ofOwn)} is for a sandbox of its own, without --url.`)
  }
  const { called, close } = await (url === undefined
    ? startOwn(world)
    : find({ url, sandbox: sandbox ?? 'default', controlToken }))
  const server = await mcpServer(called, runScenarioFile)
  const left = Promise.race([
    once(process.stdin, 'end'),
    once(process.stdin, 'close'),
    once(process, 'SIGTERM'),
    once(process, 'SIGINT'),
  ])
  // The transport closes by itself where a message is too long; nobody would be answered any more.
  const broken = new Promise<never>((_, reject) => {
    let why = ''
    server.onerror = ({ message }) => {
      why = message
    }
    server.onclose = () =>
      reject(new CannotRun(`The messages of the agent cannot be read: ${why}.`))
  })
  try {
    await server.connect(new StdioServerTransport())
    await Promise.race([left, broken])
  } finally {
    await server.close()
    await close()
  }
}

async function startOwn(world: WorldValues) {
  const { url, registry, close } = await start(await worldOptionsOf(world))
  const { id, apiKey } = registry.default
  return { called: { url, sandboxId: id, apiKey, controlToken: null }, close }
}

/** Reads the key of the sandbox. Throws if nobody answers, or the sandbox does not exist. */
async function find(connection: Connection) {
  const { url, sandbox: sandboxId } = connection
  const controlToken = readControlToken(connection.controlToken)
  const path = `/sandboxes/${sandboxId}`
  const answer = await ask(connection, path).catch((failure: unknown) => {
    if (!(failure instanceof SandboxError)) throw failure
    throw new CannotRun(`${url}${path}: ${failure.message}`)
  })
  const { api_key: apiKey } = (await answer.json()) as { api_key: string }
  return { called: { url, sandboxId, apiKey, controlToken }, close: async () => {} }
}
