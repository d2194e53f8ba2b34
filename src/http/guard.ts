/**
 * Guard rails against web pages: a page that had its own name point here, and a page that sends writes from another
 * site. The address that a call comes from shows neither, but its headers do.
 */
import { isIP } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { printValue, RefusalError } from '../surface/refusals.ts'
import { bindingsOf } from './request/context.ts'

/**
 * Refuses calls under a name that nobody started the server for. Addresses pass: a page can have its own name point
 * here, but no address. So do calls without a Host header, which never went through a socket.
 */
export function guardHost(hosts: readonly string[]): (c: Context) => void {
  const names = new Set(['localhost', ...hosts.map((host) => host.toLowerCase())])
  return (c) => {
    const host = c.req.header('host')
    if (host !== undefined && !isKnown(host, names)) {
      throw new RefusalError(
        'invalid_request',
        `Host must be an address or one of ${[...names].join(', ')}; got ${printValue(host)}. Allow further names with --allow-host or SANDBOX_ALLOW_HOST.`,
      )
    }
  }
}

/** Whether a method only reads, as HTTP calls it: safe. */
export function isSafeMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** Refuses what another site's page would have changed here, unless its origin is one of those that are allowed. */
export function guardWrites(c: Context, origins: readonly string[] = []): void {
  const foreign = isSafeMethod(c.req.method) || isAllowed(c, origins) ? null : foreignHeader(c)
  if (foreign !== null) {
    throw new RefusalError(
      'invalid_request',
      `${foreign} says that a page of another site sends this; only this server's own pages and programs may send changes. Allow further ones with --allow-origin.`,
    )
  }
}

/** Has browsers show answers to the pages of these origins, and of no others. */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler {
  const share = cors({ origin: [...origins], exposeHeaders: exposed, maxAge: 600 })
  return (c, next) => (isAllowed(c, origins) ? share(c, next) : next())
}

/** The headers of answers that a page may read beside those that every page may. */
const exposed = [
  ...['Location', 'Allow', 'Retry-After', 'WWW-Authenticate', 'Request-Id'],
  ...['Sandbox-Id', 'Sandbox-Time', 'Sandbox-Version', 'Sandbox-Assumptions'],
  ...['Sandbox-Warnings', 'Sandbox-Fault'],
]

function isAllowed(c: Context, origins: readonly string[]): boolean {
  return origins.includes(c.req.header('origin') ?? '')
}

function isKnown(host: string, names: ReadonlySet<string>): boolean {
  const name = host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
  const isAddress = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name)
  return names.has(name) || /^[a-z0-9._-]+\.localhost$/.test(name) || isAddress
}

/** The header that names another site; null without one. */
function foreignHeader(c: Context): string | null {
  if (c.req.header('sec-fetch-site') === 'cross-site') return 'Sec-Fetch-Site "cross-site"'
  const origin = c.req.header('origin')
  if (origin === undefined) return null
  const isOwn = URL.canParse(origin) && new URL(origin).host === hostOf(c)
  return isOwn ? null : `Origin ${printValue(origin)}`
}

/**
 * The host that a client reached this server under: the Host header, which the guard has checked; without one, the
 * address that the socket is bound to. The URL of a request has that of an absolute-form target, which may be any.
 */
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

/** What the start of a server can allow: what a URL has as its host, which an address with a scheme or a port never is. */
export const HOST_RULE = 'a host name or an IP address, without a port'

/** A name that ends with a number is meant for an address. */
export function isHost(text: string): boolean {
  const isName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(text) && !/(^|\.)\d+\.?$/.test(text)
  return isName || isIP(text.replace(/^\[(.*)\]$/, '$1')) !== 0
}
