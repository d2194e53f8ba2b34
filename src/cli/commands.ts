/** Every command: its name, what it is for, and where it is. The one place to add one. */
import { groups } from '../operations/labels.ts'
import type { Configure } from './usage.ts'

export interface CommandEntry {
  readonly name: string
  readonly summary: string
  /** The heading that it stands under in the help; null where it is for programs. */
  readonly heading: string | null
  /** Commands are loaded when they are asked for: some bring the readers of pacts along, others the control plane. */
  readonly load: () => Promise<Configure>
}

const running = 'Run the sandbox'
const contracts = 'Contracts and documents'

export const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'run the sandbox until it is stopped',
    heading: running,
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'exec',
    summary: 'run a command with a sandbox of its own',
    heading: running,
    load: async () => (await import('./exec.ts')).execCommand,
  },
  {
    name: 'init',
    summary: 'write a fixture to begin with, which serve then uses',
    heading: running,
    load: async () => (await import('./init.ts')).initCommand,
  },
  {
    name: 'doctor',
    summary: 'say what is damaged in a data folder, and save what can be saved',
    heading: running,
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'check',
    summary: 'compare pacts with the OpenAPI document of /v1, without a call',
    heading: contracts,
    load: async () => (await import('./pacts.ts')).checkCommand,
  },
  {
    name: 'verify',
    summary: 'verify pacts with the Pact core',
    heading: contracts,
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
  {
    name: 'mcp',
    summary: 'give coding agents the sandbox as tools',
    heading: running,
    load: async () => (await import('./mcp.ts')).mcpCommand,
  },
  {
    name: 'openapi',
    summary: 'print the OpenAPI document of /v1',
    heading: contracts,
    load: async () => (await import('./openapi.ts')).openapiCommand,
  },
  ...Object.entries(groups).map(([name, summary]) => ({
    name,
    summary,
    heading: 'Talk to a sandbox that runs',
    load: async () => (await import('./operation-command.ts')).groupCommand(name),
  })),
  {
    name: 'completion',
    summary: 'print what a shell needs to complete commands',
    heading: 'Help',
    load: async () => (await import('./completion.ts')).completionCommand,
  },
  {
    name: 'complete',
    summary: 'print how a command can go on',
    heading: null,
    load: async () => (await import('./completion.ts')).completeCommand,
  },
]
