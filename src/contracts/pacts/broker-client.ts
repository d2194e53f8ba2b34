/**
 * Calls of a Pact Broker, with its credentials and through the proxies of the environment; and how it offers a pact. Paths
 * are those of the address that the user gave, so that the credentials go nowhere else.
 */
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { connect as tlsConnect } from 'node:tls'
import { getProxyForUrl } from 'proxy-from-env'
import * as z from 'zod'
import { MASK } from '../../masking/mask.ts'
import { CannotVerify, reasonOf } from '../common/failure.ts'
import { reasonIn } from '../common/json.ts'

/** How long the broker may take to answer. */
const TIMEOUT_MS = 30_000

export interface BrokerRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly body?: string
}

export interface BrokerAnswer {
  readonly status: number
  readonly type: string
  readonly text: string
}

export type Broker = ReturnType<typeof brokerAt>

/** How the broker lists a pact for verification. Older ones leave some of it out, which the core does not. */
export const Offered = z.object({
  shortDescription: z.string().default(''),
  verificationProperties: z
    .object({
      pending: z.boolean().default(false),
      notices: z.array(z.object({ when: z.string(), text: z.string() })).default([]),
    })
    .default({ pending: false, notices: [] }),
  _links: z.object({ self: z.object({ href: z.string() }) }),
})
export type Offered = z.output<typeof Offered>

/** A broker that gets this `Authorization`, or none. Calls go through the proxies of the environment. */
export function brokerAt(url: string, authorization: string | null) {
  const { origin } = new URL(url)
  const own = authorization === null ? {} : { Authorization: authorization }
  const shown = (text: string) =>
    authorization === null ? text : text.replaceAll(authorization.replace(/^\S+ /, ''), MASK)
  /** Rejects with `CannotVerify` where there is no answer. */
  const send = async ({ method, path, body }: BrokerRequest): Promise<BrokerAnswer> => {
    const headers = { ...own, Accept: 'application/hal+json, application/json' }
    const typed = body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const target = new URL(`${origin}${path}`)
      const open = target.protocol === 'https:' ? httpsRequest : httpRequest
      const connection = await connectionTo(target, signal)
      const sending = open(target, { method, headers: typed, signal, ...connection })
      sending.end(body)
      // What breaks off later is an error of the answer as well, where it is seen.
      sending.on('error', () => undefined)
      const [answer] = (await once(sending, 'response')) as [IncomingMessage]
      const { statusCode: status = 0, headers: answered } = answer
      return { status, type: answered['content-type'] ?? '', text: await textOf(answer) }
    } catch (error) {
      throw new CannotVerify(`${origin} cannot be reached: ${shown(reasonOf(error))}.`)
    }
  }
  /** Why an answer is no success, without the credentials. */
  const refusal = ({ method, path }: BrokerRequest, { status, text }: BrokerAnswer) => {
    const isUnknown = [401, 403].includes(status)
    const who = isUnknown ? ' It asks who calls: PACT_BROKER_TOKEN, or broker.token in a test.' : ''
    const reason = text.trim() === '' ? '.' : `: ${shown(reasonIn(text))}`
    return new CannotVerify(`${method} ${origin}${path} was answered ${status}${reason}${who}`)
  }
  return { url, send, refusal }
}

/** The connection for a request, where a proxy leads to its target. Nothing on this machine is behind one. */
async function connectionTo(target: URL, signal: AbortSignal) {
  const { href, hostname } = target
  const isHere = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
  const proxy = isHere ? '' : getProxyForUrl(href)
  if (proxy === '') return {}
  const socket = await openTunnel(new URL(proxy), target, signal)
  const secured = target.protocol === 'https:' && tlsConnect({ socket, servername: hostname })
  const defaultPort = secured ? 443 : 80
  return { createConnection: () => secured || socket, defaultPort }
}

/** Has a proxy connect to a target. */
async function openTunnel(proxy: URL, target: URL, signal: AbortSignal): Promise<Socket> {
  const { username, password, hostname } = proxy
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const basic = `Basic ${Buffer.from(user).toString('base64')}`
  const port = target.port || (target.protocol === 'https:' ? '443' : '80')
  const open = proxy.protocol === 'https:' ? httpsRequest : httpRequest
  const asking = open({
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port,
    method: 'CONNECT',
    path: `${target.hostname}:${port}`,
    headers: username === '' ? {} : { 'Proxy-Authorization': basic },
    signal,
  }).end()
  const [{ statusCode }, socket] = (await once(asking, 'connect')) as [IncomingMessage, Socket]
  if (statusCode === 200) return socket
  socket.destroy()
  throw new Error(`its proxy answered ${statusCode}`)
}
