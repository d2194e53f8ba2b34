/** The errors of the standard streams: a closed pipe ends nothing. */
import { ExitCode } from './usage.ts'

/**
 * Ignores a closed pipe: a server continues, and a command ends as usual. Reports other failures to write, such as a full
 * disk.
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
