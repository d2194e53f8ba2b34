/** `--follow`: what happens in a sandbox from now on, line by line, until somebody stops it. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { OperationCommand } from '../operations/naming.ts'
import { ask, type Connection } from './connection.ts'
import { lineOf } from './output.ts'
import type { Fields } from './tables.ts'

/** Prints each message of a stream; resolves at its end, and when nobody reads any more. */
export async function followStream(
  connection: Connection,
  path: string,
  { row, isJson }: { readonly row: OperationCommand; readonly isJson: boolean },
): Promise<void> {
  const { body } = await ask(connection, path)
  if (body === null) return
  const messages = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  // Nobody reads: there is nothing to wait for.
  process.stdout.once('error', () => void messages.cancel())
  for (;;) {
    const { done, value } = await messages.read()
    if (done) return
    if (value.event === 'end') {
      process.stderr.write(`The stream ended: ${value.data}\n`)
      return
    }
    const record = JSON.parse(value.data) as Fields
    process.stdout.write(`${isJson ? value.data : lineOf(record, row)}\n`)
  }
}
