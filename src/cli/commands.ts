/** Every command: its name, its summary, and its module. The one place to add one. */
import { groups } from '../operations/labels.ts'
import type { Configure } from './terminal/usage.ts'

/** What each command is for, by its heading in the help. */
const summaries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Run the sandbox': {
    serve: 'run the sandbox until it is stopped',
    exec: 'run a command with a new sandbox',
    init: 'write a first fixture, which serve then uses',
    scenario: 'print or test what customers pay in a scenario file',
    shrink: 'reduce a recording to the calls that reproduce a failure',
    move: 'move stored sandboxes after the number of processes changed',
    doctor: 'check a data folder for damage, and recover what it can',
    mcp: 'serve the sandbox as tools for coding agents (MCP)',
  },
  'Contracts and documents': {
    check: 'compare pacts with the closed OpenAPI document of /v1, without a call',
    verify: 'verify pacts with the Pact core',
    record: 'write a pact from the calls of a test run',
    learn: 'compare the assumptions with a recording of the real service',
    openapi: 'print the OpenAPI document of /v1 or of the control plane',
  },
  'Use a running sandbox': groups,
  Help: {
    completion: 'print the completion script for a shell',
    complete: 'print the completions of a command line',
  },
}

/** Commands are loaded when needed: some load the readers of pacts, others the control plane. */
const modules: Readonly<Record<string, () => Promise<Configure>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  exec: async () => (await import('./commands/exec.ts')).execCommand,
  init: async () => (await import('./commands/init.ts')).initCommand,
  scenario: async () => (await import('./commands/scenario.ts')).scenarioCommand,
  shrink: async () => (await import('./commands/shrink.ts')).shrinkCommand,
  move: async () => (await import('./commands/move.ts')).moveCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  check: async () => (await import('./pacts/pacts.ts')).checkCommand,
  verify: async () => (await import('./pacts/verify.ts')).verifyCommand,
  record: async () => (await import('./pacts/record.ts')).recordCommand,
  learn: async () => (await import('./pacts/learn.ts')).learnCommand,
  openapi: async () => (await import('./pacts/openapi.ts')).openapiCommand,
  completion: async () => (await import('./operations/completion.ts')).completionCommand,
  complete: async () => (await import('./operations/completion.ts')).completeCommand,
}

export const commands = Object.entries(summaries).flatMap(([heading, named]) =>
  Object.entries(named).map(([name, summary]) => {
    const group = async () => (await import('./operations/operation-command.ts')).groupCommand(name)
    return { name, summary, heading, load: modules[name] ?? group }
  }),
)
