/** Every command: its name, its summary, and its module. The one place to add one. */
import { groups } from '../operations/labels.ts'
import type { Configure } from './usage.ts'

/** What each command is for, by its heading in the help. */
const summaries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Run the sandbox': {
    serve: 'run the sandbox until it is stopped',
    exec: 'run a command with a sandbox of its own',
    init: 'write a fixture to begin with, which serve then uses',
    scenario: 'print what customers will pay, as a file asks, or test that it is so',
    shrink: 'cut a recording to the fewest calls that still show what matters',
    move: 'move stored sandboxes to where another number of processes has them',
    doctor: 'say what is damaged in a data folder, and save what can be saved',
    mcp: 'give coding agents the sandbox as tools',
  },
  'Contracts and documents': {
    check: 'compare pacts with the closed OpenAPI document of /v1, without a call',
    verify: 'verify pacts with the Pact core',
    record: 'write a pact of what the tests of an application did',
    learn: 'say which guesses a recording of the real service contradicts, or record one',
    openapi: 'print the OpenAPI document of /v1',
  },
  'Talk to a sandbox that runs': groups,
  Help: {
    completion: 'print what a shell needs to complete commands',
    complete: 'print how a command can go on',
  },
}

/** Commands are loaded when needed: some load the readers of pacts, others the control plane. */
const modules: Readonly<Record<string, () => Promise<Configure>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  exec: async () => (await import('./exec.ts')).execCommand,
  init: async () => (await import('./init.ts')).initCommand,
  scenario: async () => (await import('./scenario.ts')).scenarioCommand,
  shrink: async () => (await import('./shrink.ts')).shrinkCommand,
  move: async () => (await import('./move.ts')).moveCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  mcp: async () => (await import('./mcp.ts')).mcpCommand,
  check: async () => (await import('./pacts.ts')).checkCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  record: async () => (await import('./record.ts')).recordCommand,
  learn: async () => (await import('./learn.ts')).learnCommand,
  openapi: async () => (await import('./openapi.ts')).openapiCommand,
  completion: async () => (await import('./completion.ts')).completionCommand,
  complete: async () => (await import('./completion.ts')).completeCommand,
}

export const commands = Object.entries(summaries).flatMap(([heading, named]) =>
  Object.entries(named).map(([name, summary]) => {
    const group = async () => (await import('./operation-command.ts')).groupCommand(name)
    return { name, summary, heading, load: modules[name] ?? group }
  }),
)
