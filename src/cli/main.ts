#!/usr/bin/env node
import { commandIn, runTyped } from './program.ts'
/** The command line: does what was typed, and turns failures into exit codes. */
import { tolerateClosedOutput } from './standard-streams.ts'
import { ExitCode } from './usage.ts'

/** What failures mean to who called. By name: their modules are loaded by the commands that need them only. */
const exitCodes: Readonly<Record<string, ExitCode>> = {
  UsageError: ExitCode.usage,
  OperationRefused: ExitCode.no,
  StartRefused: ExitCode.usage,
  CannotRun: ExitCode.environment,
  StoreError: ExitCode.environment,
  CannotVerify: ExitCode.environment,
}

function exitCodeOf(error: Error): ExitCode | null {
  return exitCodes[error.name] ?? ('syscall' in error ? ExitCode.environment : null)
}

const typed = process.argv.slice(2)
tolerateClosedOutput()
runTyped(typed).catch((error: Error) => {
  const code = exitCodeOf(error)
  process.stderr.write(`${code === null ? error.stack : error.message}\n`)
  if (error.name === 'UsageError') process.stderr.write(`See: ${commandIn(typed)} --help\n`)
  process.exitCode = code ?? ExitCode.no
})
