#!/usr/bin/env node
/** The command line: finds the command and turns its failures into exit codes. */
import { CannotVerify } from '../contracts/failure.ts'
import { StartRefused } from '../server/start.ts'
import { StoreError } from '../store/store.ts'
import { tolerateClosedOutput } from './output.ts'
import { serve } from './serve.ts'
import { ExitCode, UsageError } from './usage.ts'

const commands: Readonly<Record<string, (args: string[]) => Promise<void>>> = {
  serve,
  // The others are loaded when they are asked for: they bring the readers of pacts and of YAML along.
  doctor: async (args) => (await import('./doctor.ts')).doctor(args),
  mcp: async (args) => (await import('./mcp.ts')).mcp(args),
  openapi: async (args) => (await import('./openapi.ts')).openapi(args),
  check: async (args) => (await import('./check.ts')).checkPacts(args),
  verify: async (args) => (await import('./verify.ts')).verify(args),
}

const usage = `usage: subscription-sandbox <command> [options]

  serve     run the sandbox          --port 4010 --host 127.0.0.1 --data DIR|memory
                                     --durability commit|batch --lock kernel|none
                                     --fixture starter --clock-start INSTANT|DATE|now --running
                                     --examples, makes what the OpenAPI documents name
                                     --quiet, no line for each request; --verbose, with bodies
                                     --allow-host NAME, --allow-origin ORIGIN (may be repeated)
                                     --control-token TOKEN, or SANDBOX_CONTROL_TOKEN, which ps
                                     does not show: what calls of the control plane must carry
                                     --expire DURATION, deletes sandboxes unused for so long
                                     --allow-webhook-host NAME (may be repeated)
  doctor    say what is damaged in a data folder, and what can be saved; writes nothing there
                                     --data DIR --json --lock kernel|none
                                     --save-to NEWDIR
  check     compare pacts with the OpenAPI document of /v1, without a call
                                     PACT... (files, folders, patterns, addresses)
                                     --reporter pretty|json|junit|github[=FILE] (may be repeated)
                                     --json
                                     --provider NAME|'*' (subscription-service), --filter TEXT
  verify    check pacts, and verify them with the Pact core against a sandbox of their own
                                     PACT... --reporter, --json, --provider, --filter as for check
                                     --url BASE, a server of sandboxes, where it gets one of its
                                     own, or the real service
                                     --sandbox ID, one of that server in place of its own
                                     --control-token TOKEN, or SANDBOX_CONTROL_TOKEN, of that server
                                     --header "NAME: VALUE" for each request (may be repeated)
                                     --states URL|none, where provider states are set up
                                     --diff BASE, lists where the two disagree
                                     --diff-states URL|none, --diff-header, the same for that
                                     --strict-documented, fails what rests on an assumption
                                     --timeout SECONDS for each request (30)
                                     --vary, which assumptions each interaction leans on
                                     --mutate, which changes of an answer go unnoticed
  mcp       tools for coding agents, over standard input and output
                                     --url BASE, a server that runs (SANDBOX_URL), in place of a
                                     sandbox of its own; --sandbox ID, --control-token TOKEN
  openapi   print the OpenAPI document of /v1   --json

`

async function main([name, ...args]: string[]): Promise<void> {
  if (name === '--help' || name === '-h') {
    process.stdout.write(usage)
    return
  }
  const isKnown = name !== undefined && Object.hasOwn(commands, name)
  const command = isKnown ? commands[name] : undefined
  if (command === undefined) {
    throw new UsageError(
      name === undefined ? 'A command is missing.' : `There is no command "${name}".`,
    )
  }
  await command(args)
}

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError || error instanceof StartRefused) return ExitCode.usage
  const isEnvironment = error instanceof StoreError || error instanceof CannotVerify
  return isEnvironment || (error as { syscall?: string }).syscall
    ? ExitCode.environment
    : ExitCode.no
}

tolerateClosedOutput()
main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(error instanceof UsageError ? `${error.message}\n\n${usage}` : '')
  const isUnexpected = exitCodeOf(error) === ExitCode.no
  if (!(error instanceof UsageError)) {
    process.stderr.write(`${isUnexpected ? error.stack : error.message}\n`)
  }
  process.exitCode = exitCodeOf(error)
})
