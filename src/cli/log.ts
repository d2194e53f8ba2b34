/**
 * The log of a process that serves, on stderr: a line for each request to a sandbox, and what goes wrong. In a terminal
 * lines are for people; anywhere else each is a JSON object. Owns that nobody has to read it: lines are buffered, and dropped
 * where too many wait.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Level, pino } from 'pino'
import { maskedBody, maskedTarget } from '../http/masking.ts'
import type { Observer } from '../http/request-context.ts'
import { bodyTextOf, bytesOf, type Content, type RequestLogEntry } from '../sandbox/request-log.ts'
import { visible } from './terminal.ts'

/** How much is logged: what goes wrong, a line for each request too, or its bodies as well. */
export type LogDetail = 'quiet' | 'lines' | 'bodies'

export interface ProcessLog {
  readonly warn: (message: string) => void
  /** Undefined where no requests are logged. */
  readonly observer: Observer | undefined
  /** Writes what was buffered; answers whether somebody took it. */
  readonly end: () => Promise<boolean>
}

/** Where lines go: stderr, or what stands for it. */
type Sink = Pick<NodeJS.WriteStream, 'write' | 'writableLength' | 'isTTY'>

/** How long lines are buffered: each write costs as much as a short call. */
const GATHERED_MS = 20

/** How long `end` waits for a reader. */
const END_MS = 1000

/** The most bytes that wait for a reader. */
const WAITING_MAX_BYTES = 1_048_576

export function processLog(detail: LogDetail, sink: Sink): ProcessLog {
  const buffer = bufferFor(sink)
  const write = sink.isTTY ? linesFor(sink) : buffer.write
  const logger = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    { write },
  )
  const observer: Observer = (noted, sandbox) => {
    const bodies = detail === 'bodies' ? bodiesOf(noted) : {}
    logger.info({ ...lineOf(noted, sandbox), ...bodies })
  }
  return {
    warn: (message) => logger.warn(message),
    observer: detail === 'quiet' ? undefined : observer,
    end: async () => {
      buffer.flush()
      const endsAt = performance.now() + END_MS
      while (sink.writableLength > 0 && performance.now() < endsAt) await pause(10)
      return sink.writableLength === 0
    },
  }
}

/** What is said of a request: never a secret. */
function lineOf(noted: RequestLogEntry, sandbox: string) {
  const { requestId, method, target, status, refusal, fault, durationMs } = noted
  return {
    request_id: requestId,
    method,
    path: maskedTarget(target),
    sandbox,
    status,
    ...(refusal === null ? {} : { refusal: refusal.code, message: refusal.message }),
    ...(fault === null ? {} : { fault }),
    ms: Math.round(durationMs * 100) / 100,
  }
}

type Line = ReturnType<typeof lineOf>

function bodiesOf({ sent, answered }: RequestLogEntry) {
  return { request: shown(sent), answer: shown(answered) }
}

function shown(content: Content): string | null {
  const text = bodyTextOf(content)
  if (text !== null) return maskedBody(text, content.mediaType)
  const bytes = bytesOf(content)
  return bytes === null || bytes === 0 ? null : `${bytes} bytes`
}

/** An entry as pino writes it. */
interface Entry extends Partial<Line>, Partial<ReturnType<typeof bodiesOf>> {
  readonly level: Level
  readonly time: string
  readonly msg?: string
}

/** Writes each line at once, for people. */
function linesFor(sink: Sink): (line: string) => void {
  return (line) => {
    const entry: Entry = JSON.parse(line)
    sink.write(entry.msg === undefined ? linesOf(entry) : `${entry.msg}\n`)
  }
}

function linesOf({ method, path, sandbox, status, ms, ...rest }: Entry): string {
  const { refusal, message, fault, request, answer } = rest
  const said = [
    `${method} ${path}`,
    sandbox,
    status ?? 'no answer',
    ...(refusal === undefined ? [] : [refusal]),
    ...(fault === undefined ? [] : [fault]),
    `${ms} ms`,
  ]
  const more = [message, labelled('>', request), labelled('<', answer)]
  const lines = more.filter((each) => each !== undefined && each !== null)
  return [said.join('  '), ...lines.map((each) => `  ${each}`)]
    .map((each) => `${visible(each)}\n`)
    .join('')
}

function labelled(label: string, body: string | null | undefined): string | null {
  return body === undefined || body === null ? null : `${label} ${body}`
}

/** Buffers lines for a program that may not read them. */
function bufferFor(sink: Sink) {
  let buffered = ''
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
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
    if (dropped > 0) {
      const msg = `${dropped} lines were dropped, because nobody read them.`
      buffered += `${JSON.stringify({ level: 'warn', msg })}\n`
      dropped = 0
    }
    buffered += line
    timer ??= setTimeout(flush, GATHERED_MS)
  }
  process.once('exit', flush)
  return { write, flush }
}
