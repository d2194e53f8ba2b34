/**
 * Listens to state changes on their way to the provider and keeps what they were answered, because the core hides why
 * one failed. Every byte is passed on as it is.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'
import { reasonOf } from './failure.ts'

/** One state that was to be set up, and the answer. */
export interface StateCall {
  readonly state: string
  readonly status: number
  readonly body: string
}

export interface StateRecorder {
  /** Where the core sends state changes. */
  readonly url: string
  /** Setups in the order in which they were answered; taking down is passed on and not kept. */
  readonly calls: readonly StateCall[]
  readonly close: () => Promise<void>
}

const StateChange = z.object({ state: z.string(), action: z.string() })

/** Listens on loopback and passes everything on to `target`. */
export async function recordStates(target: string): Promise<StateRecorder> {
  const calls: StateCall[] = []
  const server = createServer((incoming, outgoing) => {
    passOn(incoming, outgoing, target).then(
      (call) => {
        if (call !== null) calls.push(call)
      },
      (error: unknown) => outgoing.destroy(error as Error),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${port}/`, calls, close }
}

async function passOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: string,
): Promise<StateCall | null> {
  const sent = await bytesOf(incoming)
  const answer = await answerTo(incoming, sent, target)
  const change = StateChange.safeParse(parsed(sent))
  outgoing.writeHead(answer.status, answer.headers).end(answer.body)
  if (!change.success || change.data.action !== 'setup') return null
  const { state } = change.data
  return { state, status: answer.status, body: answer.body.toString('utf8') }
}

interface Answer {
  readonly status: number
  /** Names and values, one after the other. */
  readonly headers: string[]
  readonly body: Buffer
}

async function answerTo(incoming: IncomingMessage, sent: Buffer, target: string): Promise<Answer> {
  const { protocol, host } = new URL(target)
  const ask = protocol === 'https:' ? secureRequest : request
  const headers = { ...incoming.headers, host }
  try {
    const passing = ask(target, { method: incoming.method ?? 'POST', headers }).end(sent)
    const [answer] = (await once(passing, 'response')) as [IncomingMessage]
    const { statusCode = 502, rawHeaders } = answer
    return { status: statusCode, headers: endToEnd(rawHeaders), body: await bytesOf(answer) }
  } catch (error) {
    const body = Buffer.from(`${target} cannot be reached: ${reasonOf(error)}`)
    return { status: 502, headers: ['Content-Type', 'text/plain'], body }
  }
}

/** Without what concerns the one connection only. */
function endToEnd(headers: readonly string[]): string[] {
  return headers.flatMap((name, index) => {
    const isName = index % 2 === 0
    const isOfConnection = /^(connection|keep-alive|transfer-encoding)$/i.test(name)
    return isName && !isOfConnection ? [name, headers[index + 1] ?? ''] : []
  })
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    // What is not JSON is no state change of the core's; the provider says so itself.
    return null
  }
}
