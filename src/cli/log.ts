/**
 * The log of a process that serves, on stderr: a line for each request to a sandbox, and what goes wrong. In a terminal
 * lines are for people; anywhere else each is a JSON object. Owns that nobody has to read it: lines are buffered, and dropped
 * where too many wait.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { maskedBody, maskedTarget } from '../http/masking.ts'
import type { Observer } from '../http/request/context.ts'
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
  const { warn, info } = sink.isTTY ? linesFor(sink) : entriesFor(buffer.write)
  const observer: Observer = (noted, sandbox) => {
    info({ ...lineOf(noted, sandbox), ...(detail === 'bodies' ? bodiesOf(noted) : {}) })
  }
  return {
    warn,
    observer: detail === 'quiet' ? undefined : observer,
    end: async () => {
      buffer.flush()
      const endsAt = performance.now() + END_MS
      while (sink.writableLength > 0 && performance.now() < endsAt) await pause(10)
      return sink.writableLength === 0
    },
  }
}

/** Where messages and requests are written. */
interface Writers {
  readonly warn: (message: string) => void
  readonly info: (line: Line) => void
}

/** Each entry as a JSON object, for programs. */
function entriesFor(write: (line: string) => void): Writers {
  const log = (level: string, fields: object) =>
    write(`${JSON.stringify({ level, time: new Date().toISOString(), ...fields })}\n`)
  return { warn: (msg) => log('warn', { msg }), info: (line) => log('info', line) }
}

/** Each entry at once, for people. */
function linesFor(sink: Sink): Writers {
  return { warn: (message) => sink.write(`${message}\n`), info: (line) => sink.write(textOf(line)) }
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

type Line = ReturnType<typeof lineOf> & Partial<ReturnType<typeof bodiesOf>>

function bodiesOf({ sent, answered }: RequestLogEntry) {
  return { request: shown(sent), answer: shown(answered) }
}

function shown(content: Content): string | null {
  const text = bodyTextOf(content)
  if (text !== null) return maskedBody(text, content.mediaType)
  const bytes = bytesOf(content)
  return bytes === null || bytes === 0 ? null : `${bytes} bytes`
}

function textOf({ method, path, sandbox, status, ms, ...rest }: Line): string {
  const { refusal, message, fault, request, answer } = rest
  const parts = [`${method} ${path}`, sandbox, status ?? 'no answer', refusal, fault, `${ms} ms`]
  const more = [message, labelled('>', request), labelled('<', answer)]
  return [present(parts).join('  '), ...present(more).map((each) => `  ${each}`)]
    .map((each) => `${visible(each)}\n`)
    .join('')
}

function present<Value>(values: readonly (Value | null | undefined)[]): Value[] {
  return values.filter((each) => each !== undefined && each !== null)
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
