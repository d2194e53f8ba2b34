/** What is printed: goes on when nobody reads it any more. Owns the errors of the standard streams. */
import { ExitCode } from './usage.ts'

/**
 * Has a closed pipe end nothing: a server goes on, and a command ends as it would have. What cannot be written for
 * another reason, such as a full disk, is said where it can be.
 */
export function tolerateClosedOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    process.exitCode = ExitCode.environment
    process.stderr.write(`The output cannot be written: ${error.message}\n`)
  })
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = ExitCode.environment
  })
}
