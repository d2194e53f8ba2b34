/** One signed POST, according to Standard Webhooks. Follows no redirect, and reads no more of the answer than necessary. */
import { type LookupAddress, lookup } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { Webhook } from 'standardwebhooks'

/** The status alone acknowledges; a longer answer is not read. */
const ANSWER_BYTES_MAX = 65_536

/** The content and the destination of a POST. */
export interface Message {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly body: string
}

/** The addresses that a message may be sent to; null for any. */
export type IsAllowed = ((address: string) => boolean) | null

/** Sends a message and returns the status once the whole answer has arrived. */
export function post(message: Message, isAllowed: IsAllowed, signal: AbortSignal): Promise<number> {
  const url = new URL(message.url)
  // A new connection: a receiver that restarted may have closed an old one.
  const connection = { agent: false, lookup: isAllowed === null ? lookup : lookupAmong(isAllowed) }
  const options = { method: 'POST', headers: headersOf(message), ...connection, signal }
  return new Promise((resolve, reject) => {
    const onAnswer = (answer: IncomingMessage) => {
      const status = answer.statusCode ?? 0
      let bytes = 0
      answer.on('error', reject)
      answer.on('end', () => resolve(status))
      answer.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (bytes <= ANSWER_BYTES_MAX) return
        resolve(status)
        answer.destroy()
      })
    }
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const request = send(url, options, onAnswer)
    request.on('error', reject)
    request.end(message.body)
  })
}

/** In real time: receivers refuse old signatures. */
function headersOf({ id, secret, body }: Message): Record<string, string> {
  const now = new Date()
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'User-Agent': 'subscription-sandbox',
    'Sandbox-Assumptions': 'webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  }
}

/** Looks names up as usual, but returns only allowed addresses, so that none can change between check and use. */
function lookupAmong(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    const message = `${hostname} has no loopback address`
    const refused = Object.assign(new Error(message), { code: 'ENOTLOOPBACK' })
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = (found ?? []).filter(({ address }) => isAllowed(address))
      const [first] = addresses
      if (error !== null) callback(error, '')
      else if (first === undefined) callback(refused, '')
      else if (options.all) callback(null, addresses satisfies LookupAddress[])
      else callback(null, first.address, first.family)
    })
  }
}
