/**
 * The log of a process that serves, on stderr: a line for each request to a sandbox, and what goes wrong. In a terminal
 * lines are for people; anywhere else each is a JSON object. Owns that nobody has to read it: lines are buffered, and dropped
 * where too many wait.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Observer } from '../../http/request/context.ts'
import { maskBody, maskTarget } from '../../masking/mask.ts'
import {
  bodyTextOf,
  bytesOf,
  type Content,
  type RequestLogEntry,
} from '../../sandbox/request-log.ts'
import { withoutControls } from '../terminal/terminal.ts'

/** How much is logged: what goes wrong, a line for each request too, or its bodies as well. */
export type LogDetail = 'quiet' | 'lines' | 'bodies'

type Sink = Pick<NodeJS.WriteStream, 'write' | 'writableLength' | 'isTTY'>

/** How long lines are buffered: each write costs as much as a short call. */
const GATHERED_MS = 20

/** How long `end` waits for a reader. */
const END_MS = 1000

const WAITING_MAX_BYTES = 1_048_576

export function processLog(detail: LogDetail, sink: Sink) {
  const { write, flush } = bufferFor(sink)
  const log = (level: 'info' | 'warn', fields: object) => write(entryText(level, fields))
  const observer: Observer = (entry, { id }) => {
    const line = lineOf(entry, id, detail)
    if (sink.isTTY) sink.write(textOf(line))
    else log('info', line)
  }
  return {
    warn: (msg: string) => {
      if (sink.isTTY) sink.write(`${msg}\n`)
      else log('warn', { msg })
    },
    observer: detail === 'quiet' ? undefined : observer,
    /** Writes what was buffered; answers whether somebody took it. */
    end: async () => {
      flush()
      const endsAt = performance.now() + END_MS
      while (sink.writableLength > 0 && performance.now() < endsAt) await pause(10)
      return sink.writableLength === 0
    },
  }
}

function entryText(level: 'info' | 'warn', fields: object): string {
  return `${JSON.stringify({ level, time: new Date().toISOString(), ...fields })}\n`
}

/** The fields of a request, without secrets. */
function lineOf(entry: RequestLogEntry, sandbox: string, detail: LogDetail) {
  const { requestId, method, target, status, refusal, fault, durationMs, sent, answered } = entry
  return {
    request_id: requestId,
    method,
    path: maskTarget(target),
    sandbox,
    ...(entry.byAddress && { by_address: true }),
    status,
    ...(refusal && { refusal: refusal.code, message: refusal.message }),
    ...(fault && { fault }),
    ms: Math.round(durationMs * 100) / 100,
    ...(detail === 'bodies' && { request: contentText(sent), answer: contentText(answered) }),
  }
}

function contentText(content: Content): string | null {
  const text = bodyTextOf(content)
  if (text !== null) return maskBody(text, content.mediaType)
  return bytesOf(content) ? `${bytesOf(content)} bytes` : null
}

function textOf(line: ReturnType<typeof lineOf>): string {
  const { method, path, sandbox, status, refusal, fault, ms, message, request, answer } = line
  const place = line.by_address ? `${sandbox} by address` : sandbox
  const parts = [`${method} ${path}`, place, status ?? 'no answer', refusal, fault, `${ms} ms`]
  const labelled = (label: string, body?: string | null) =>
    typeof body === 'string' ? `${label} ${body}` : null
  const more = [message, labelled('>', request), labelled('<', answer)]
  const lines = [definedValues(parts).join('  '), ...definedValues(more).map((each) => `  ${each}`)]
  return lines.map((each) => `${withoutControls(each)}\n`).join('')
}

function definedValues<Value>(values: readonly (Value | null | undefined)[]): Value[] {
  return values.filter((each) => each !== undefined && each !== null)
}

/** Buffers lines for a program that may not read them. */
function bufferFor(sink: Sink) {
  let buffered = ''
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  const noteDropped = () => {
    if (dropped === 0) return
    const msg = `${dropped} lines were dropped, because nobody read them.`
    buffered += entryText('warn', { msg })
    dropped = 0
  }
  const flush = () => {
    noteDropped()
    clearTimeout(timer)
    timer = undefined
    if (buffered !== '') sink.write(buffered)
    buffered = ''
  }
  const write = (line: string) => {
    if (sink.writableLength + buffered.length > WAITING_MAX_BYTES) {
      dropped += 1
      return
    }
    noteDropped()
    buffered += line
    timer ??= setTimeout(flush, GATHERED_MS)
  }
  process.once('exit', flush)
  return { write, flush }
}
