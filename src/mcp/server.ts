/** The MCP server: lists the tools, and answers a call of one with what the sandbox answered. */
import { readFile } from 'node:fs/promises'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  type Tool as ListedTool,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { reasonOf } from '../contracts/failure.ts'
import { buildFolder, VERSION } from '../version.ts'
import { type Called, callOperation, missingInPath, type ToolAnswer } from './call.ts'
import {
  choicesText,
  inputOf,
  operationNamed,
  operationsByIdOf,
  type ToolOperation,
} from './input.ts'
import { type Choice, instructions, type Tool, tools } from './tools.ts'

type Operations = ReadonlyMap<string, ToolOperation>
type Args = Readonly<Record<string, unknown>>

/** A server of tools for one sandbox, not connected yet. */
export async function mcpServer(called: Called): Promise<Server> {
  const operations = await readOperations()
  const server = new Server(
    { name: 'subscription-sandbox', version: VERSION },
    { capabilities: { tools: {} }, instructions },
  )
  const listed = tools.map((tool) => listedTool(tool, operations))
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (tool === undefined) {
      throw new McpError(ErrorCode.InvalidParams, `There is no tool "${params.name}"`)
    }
    return callTool(tool, params.arguments ?? {}, { called, operations })
  })
  return server
}

/** Every operation of both surfaces, as the build has drawn them. */
async function readOperations(): Promise<Operations> {
  const documents = await Promise.all(
    ['control-3.1', 'v1-3.1'].map((name) =>
      readFile(new URL(`openapi/${name}.json`, buildFolder), 'utf8'),
    ),
  )
  return new Map(documents.flatMap((text) => operationsByIdOf(JSON.parse(text))))
}

function listedTool(tool: Tool, operations: Operations): ListedTool {
  const { name, hint, calls, changesNothing = false } = tool
  const ids = typeof calls === 'string' ? [calls] : Object.values(calls.operations)
  const called = ids.map((id) => operationNamed(id, operations))
  const says =
    typeof calls === 'string'
      ? called.map(({ declared }) => `${declared.summary}. ${declared.description}`)
      : []
  const choices = typeof calls === 'string' ? [] : [choicesText(calls, operations)]
  return {
    name,
    description: [...says, hint, ...choices].filter(Boolean).join('\n'),
    inputSchema: inputOf(tool, operations) as ListedTool['inputSchema'],
    annotations: {
      readOnlyHint: changesNothing || called.every(({ method }) => method === 'get'),
      destructiveHint: /^(reset|delete)/.test(name),
      openWorldHint: false,
    },
  }
}

interface Surroundings {
  readonly called: Called
  readonly operations: Operations
}

async function callTool(
  { calls, defaults = {} }: Tool,
  args: Args,
  { called, operations }: Surroundings,
): Promise<CallToolResult> {
  const by = typeof calls === 'string' ? null : calls.by
  const id = operationIdOf(calls, args)
  if (id === null) return refusedChoice(calls as Choice, args)
  const operation = operationNamed(id, operations)
  const taken = Object.entries({ ...defaultsFor(operation, defaults), ...args })
  const fields = Object.fromEntries(taken.filter(([name]) => name !== by))
  const missing = missingInPath(operation, fields)
  if (missing.length > 0) return refused(`${missing.join(', ')} must be a string.`)
  try {
    return resultOf(operation, await callOperation(called, operation, fields), called)
  } catch (error) {
    return refused(`${reasonOf(error)}.`)
  }
}

/** The operation that a call of a tool means; null where its choice is none. */
function operationIdOf(calls: Tool['calls'], args: Args): string | null {
  if (typeof calls === 'string') return calls
  const chosen = String(args[calls.by])
  return (Object.hasOwn(calls.operations, chosen) && calls.operations[chosen]) || null
}

function refusedChoice({ by, operations }: Choice, args: Args): CallToolResult {
  const choices = Object.keys(operations).join(', ')
  return refused(`${by} must be one of ${choices}; got ${JSON.stringify(args[by])}.`)
}

/** The defaults that an operation has a place for. */
function defaultsFor({ inQuery }: ToolOperation, defaults: NonNullable<Tool['defaults']>): Args {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => inQuery.includes(name)))
}

function resultOf(
  { declared }: ToolOperation,
  { isRefused, body }: ToolAnswer,
  { url }: Called,
): CallToolResult {
  // Where the sandbox is found belongs to what it is.
  const isDescription = declared.operationId === 'describeSandbox' && !isRefused
  const shown = isDescription ? { url, ...(body as object) } : body
  const text = typeof shown === 'string' ? shown : JSON.stringify(shortened(shown))
  return { content: [{ type: 'text', text: text || 'Done.' }], isError: isRefused }
}

function refused(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

/** As many events of one advance as an agent reads; `list_records` has them all. */
const ENTRIES_SHOWN = 50

/** An answer whose long lists are cut, and say so; but not a page, which is as long as was asked for. */
function shortened(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === 'data' ? each : cut(each)]),
  )
}

function cut(value: unknown): unknown {
  if (!Array.isArray(value)) return shortened(value)
  const left = value.length - ENTRIES_SHOWN
  const shown = value.slice(0, ENTRIES_SHOWN).map(cut)
  return left > 0 ? [...shown, `${left} more are left out here`] : shown
}
