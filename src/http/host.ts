/**
 * The host that a client reached this server under. Owns where it is read: the URL of a request has that of an
 * absolute-form target, which may be any, and which no guard has looked at.
 */
import type { Context } from 'hono'
import { bindingsOf } from './request/context.ts'

/** The Host header, which the guard has checked; without one, the address that the socket is bound to. */
export function hostOf(c: Context): string {
  const host = c.req.header('host')
  if (host !== undefined) return host.toLowerCase()
  const { incoming } = bindingsOf(c)
  // Where nothing went through a socket, the URL is the caller's own.
  if (incoming === undefined) return new URL(c.req.url).host
  const { localAddress = '', localPort } = incoming.socket
  return localAddress.includes(':')
    ? `[${localAddress}]:${localPort}`
    : `${localAddress}:${localPort}`
}
