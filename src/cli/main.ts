#!/usr/bin/env node
/** The command line: finds the command and turns its failures into exit codes. */
import { StartRefused } from '../http/start.ts'
import { StoreError } from '../store/store.ts'
import { doctor } from './doctor.ts'
import { openapi } from './openapi.ts'
import { serve } from './serve.ts'
import { ExitCode, UsageError } from './usage.ts'

const commands: Readonly<Record<string, (args: string[]) => Promise<void>>> = {
  serve,
  doctor,
  openapi,
}

const usage = `usage: subscription-sandbox <command> [options]

  serve     run the sandbox          --port 4010 --host 127.0.0.1 --data DIR|memory
                                     --durability commit|batch
                                     --fixture starter --clock-start INSTANT|now --running
                                     --allow-host NAME (may be repeated)
  doctor    say what is damaged in a data folder, and what can be saved; writes nothing there
                                     --data DIR --json
                                     --save-to NEWDIR --include-unverified
  openapi   print the OpenAPI document of /v1   --json

`

async function main([name, ...args]: string[]): Promise<void> {
  if (name === '--help' || name === '-h') {
    process.stdout.write(usage)
    return
  }
  const command = name === undefined ? undefined : commands[name]
  if (command === undefined) {
    throw new UsageError(
      name === undefined ? 'A command is missing.' : `There is no command "${name}".`,
    )
  }
  await command(args)
}

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError || error instanceof StartRefused) return ExitCode.usage
  const isEnvironment = error instanceof StoreError || (error as { syscall?: string }).syscall
  return isEnvironment ? ExitCode.environment : ExitCode.no
}

main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(error instanceof UsageError ? `${error.message}\n\n${usage}` : '')
  const isUnexpected = exitCodeOf(error) === ExitCode.no
  if (!(error instanceof UsageError)) {
    process.stderr.write(`${isUnexpected ? error.stack : error.message}\n`)
  }
  process.exitCode = exitCodeOf(error)
})
