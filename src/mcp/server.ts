/** The MCP server: lists tools and prompts, and answers a call of a tool with what the sandbox answered. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  GetPromptRequestSchema,
  type Tool as ListedTool,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { reasonOf } from '../contracts/common/failure.ts'
import { closedForm, readDocument, surfaces } from '../openapi/forms.ts'
import { operationNames } from '../operations/names.ts'
import { operationsOfTool } from '../operations/naming.ts'
import { printValue } from '../surface/refusals.ts'
import { VERSION } from '../version.ts'
import { errorResult, shortened, textResult, tooLong } from './answer.ts'
import { type Args, type Called, callOperation, problemsIn, wrong } from './call.ts'
import { choicesText, inputOf, type OpenTool, operationsByIdOf } from './input.ts'
import { fillPrompt, invalidParams, listedPrompts } from './prompts.ts'
import { callScenarioTool, type RunScenario, scenarioTool } from './scenario-tool.ts'
import { instructions, tools } from './tools.ts'

/** What the tools of one agent call: a sandbox, until the agent chooses another one of the same server. */
interface Session {
  called: Called
}

/** A server of tools that begin with one sandbox, not connected yet. */
export async function mcpServer(called: Called, runScenario: RunScenario): Promise<Server> {
  const opened = await openTools()
  const server = new Server(
    { name: 'subscription-sandbox', version: VERSION },
    { capabilities: { tools: {}, prompts: {} }, instructions },
  )
  const listed = [...opened.map(listedTool), scenarioTool]
  const session: Session = { called }
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }))
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: args = {} } }) => {
    if (name === scenarioTool.name) return callScenarioTool(args, runScenario)
    const tool = opened.find((each) => each.name === name)
    if (tool === undefined) {
      throw invalidParams(`There is no tool ${printValue(name)}; tools/list lists them`)
    }
    return callTool(tool, args, session)
  })
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: listedPrompts }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    fillPrompt(params.name, params.arguments ?? {}),
  )
  return server
}

/** The tools with their operations, as the build has drawn these. Throws where the documents do not have one. */
async function openTools(): Promise<OpenTool[]> {
  const documents = await Promise.all(
    surfaces.map((surface) => readDocument(surface, closedForm, 'json')),
  )
  const declared = new Map(documents.flatMap((text) => operationsByIdOf(JSON.parse(text))))
  return tools.map((tool) => {
    const chosen = Object.entries(operationsOfTool(operationNames, tool.name))
    const operations = chosen.map(([choice, id]) => {
      const operation = declared.get(id)
      if (operation === undefined) throw new Error(`The documents have no operation ${id}`)
      return [choice, operation] as const
    })
    return { ...tool, operations: new Map(operations) }
  })
}

function listedTool(tool: OpenTool): ListedTool {
  const { name, hint, by, operations, changesNothing = false } = tool
  const called = [...operations.values()]
  const says = called.map(({ declared }) => `${declared.summary}. ${declared.description}`)
  const lines = by === undefined ? [...says, hint] : [hint, choicesText(tool)]
  return {
    name,
    description: lines.filter((line) => line !== undefined).join('\n'),
    inputSchema: inputOf(tool) as ListedTool['inputSchema'],
    annotations: {
      readOnlyHint: changesNothing || called.every(({ method }) => method === 'get'),
      destructiveHint: name.startsWith('reset') || called.some(({ method }) => method === 'delete'),
      openWorldHint: false,
    },
  }
}

async function callTool(tool: OpenTool, args: Args, session: Session): Promise<CallToolResult> {
  const { by, operations, defaults = {} } = tool
  const operation = operations.get(by === undefined ? '' : (args[by] as string))
  if (operation === undefined) {
    return errorResult(wrong(`one of ${[...operations.keys()].join(', ')}`, args)(by ?? ''))
  }
  const { [by ?? '']: _, ...given } = args
  // The defaults that the operation has a place for.
  const apt = Object.entries(defaults).filter(([name]) => operation.inQuery.includes(name))
  const fields = { ...Object.fromEntries(apt), ...given }
  const problems = problemsIn(operation, fields)
  if (problems.length > 0) return errorResult(problems.join('\n'))
  try {
    const { called } = session
    const { isRefused, body, notes, request } = await callOperation(called, operation, fields)
    const { operationId } = operation.declared
    if (operationId === 'retrieveSandbox' && !isRefused) {
      const { sandbox_id, api_key } = body as { sandbox_id: string; api_key: string }
      session.called = { ...called, sandboxId: sandbox_id, apiKey: api_key }
    }
    // Where the sandbox is found belongs to what it is.
    const isDescription = operationId === 'describeSandbox' && !isRefused
    const shown = isDescription ? { url: called.url, ...(body as object) } : body
    const text = typeof shown === 'string' ? shown : JSON.stringify(shortened(shown))
    const refusedAsLong = tooLong(text, request, tool)
    if (refusedAsLong !== null) return errorResult(refusedAsLong)
    // The tools sent this key themselves; only /v1 answers so.
    const isKeyRefused = isRefused && Object(body).error === 'unauthorized'
    const others = 'the tool sandboxes lists and chooses others'
    const more = `\nunauthorized: the tools call the sandbox ${called.sandboxId}; is it deleted? ${others}.`
    const told = isRefused ? text.replaceAll('GET /sandboxes lists the sandboxes', others) : text
    const texts = [isKeyRefused ? told + more : told, ...notes]
    return textResult(texts, isRefused)
  } catch (error) {
    return errorResult(`${reasonOf(error)}.`)
  }
}
