/**
 * The receivers of webhooks: servers on this machine, unless the process was started for others. Owns which addresses
 * are allowed; they are checked when a webhook is created, and again at each connection.
 */
import { setMaxListeners } from 'node:events'
import { BlockList, isIP } from 'node:net'
import type { Receipt } from '../world/webhook.ts'
import type { Message } from './post.ts'

/** The addresses of this machine. */
const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

export class Receivers {
  readonly #allowed: ReadonlySet<string>

  /** `allowedHosts` are names and addresses of other machines. */
  constructor(allowedHosts: readonly string[] = []) {
    // As a URL has them: an address of IPv6 can be written in several ways.
    const hosts = allowedHosts.map((host) => (isIP(host) === 6 ? `[${host}]` : host))
    const urls = hosts.map((host) => `http://${host}`).filter((url) => URL.canParse(url))
    this.#allowed = new Set(urls.map((url) => hostOf(new URL(url))))
  }

  /** The rule that a URL breaks; null for an allowed URL. */
  ruleFor(text: string): string | null {
    const url = URL.canParse(text) ? new URL(text) : null
    if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an http or https URL'
    if (url.username !== '' || url.password !== '') return 'must have no user name and no password'
    const host = hostOf(url)
    if (host === 'localhost' || isLoopback(host) || this.#allowed.has(host)) return null
    const others = [...this.#allowed].map((name) => `, or ${name}`).join('')
    return `must have the host localhost, an address of 127.0.0.0/8, or [::1]${others} (others: serve --allow-webhook-host)`
  }

  /** Makes one attempt. Null if it was ended by the signal. */
  async deliver(message: Message, timeoutMs: number, signal: AbortSignal): Promise<Receipt | null> {
    const rule = this.ruleFor(message.url)
    if (rule !== null) return { isDelivered: false, reason: `url ${rule}`, isHanging: false }
    const ended = new AbortController()
    const end = () => ended.abort()
    const timer = setTimeout(end, timeoutMs)
    // One for each webhook, of which Node would take eleven for a leak.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    try {
      // Loaded on demand: most processes never deliver.
      const { post } = await import('./post.ts')
      const isNamed = this.#allowed.has(hostOf(new URL(message.url)))
      const status = await post(message, isNamed ? null : isLoopback, ended.signal)
      if (status >= 200 && status < 300) return { isDelivered: true }
      return { isDelivered: false, reason: `answered ${status}`, isHanging: false }
    } catch (error) {
      if (signal.aborted) return null
      const isHanging = ended.signal.aborted
      const reason = isHanging ? `no answer within ${timeoutMs} ms` : failureOf(error)
      return { isDelivered: false, reason, isHanging }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    }
  }
}

function isLoopback(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

function hostOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** By its code: a message may contain sent data. Throws what is not a failure of the connection. */
function failureOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  if (code.startsWith('HPE_')) return 'the answer is not HTTP'
  return `connection failed (${code})`
}
