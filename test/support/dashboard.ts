/** The dashboard as a browser without scripts uses it: pages are read, forms are sent. */
import { afterEach, it as base, beforeEach } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/index.ts'

/** What a page answered: its text without tags, and where it leads on. */
export interface Visited {
  readonly status: number
  readonly html: string
  /** What a reader sees of it, with single spaces. */
  readonly text: string
  readonly location: string | null
}

/** Somebody who uses the pages of one sandbox. */
export interface Visitor {
  /** Opens a page; `path` is what follows /dashboard/{sandbox}/. */
  readonly open: (path: string) => Promise<Visited>
  /** Sends a form; a field may come more than once in a list of pairs. */
  readonly send: (path: string, fields?: SentFields) => Promise<Visited>
}

type SentFields = Readonly<Record<string, string>> | [name: string, value: string][]

/** A connection that is kept may be closed just as it is used again, where a test works for longer than it is kept. */
const once = { Connection: 'close' }

/** A visitor of the server at `url`, who follows no redirect by himself. */
export function visitor(url: string, sandbox = 'default'): Visitor {
  const base = `${url}/dashboard/${sandbox}/`
  return {
    open: async (path) => {
      return visited(await fetch(`${base}${path}`, { redirect: 'manual', headers: once }))
    },
    send: async (path, fields = {}) => {
      const headers = { ...once, Origin: url, 'Sec-Fetch-Site': 'same-origin' }
      const body = new URLSearchParams(fields)
      const order = { method: 'POST', redirect: 'manual', headers, body } as const
      return visited(await fetch(`${base}${path}`, order))
    },
  }
}

/** `it`, whose tests get a sandbox of their own that begins at `now`, and a visitor of its pages. */
export function itAt(now: string) {
  return base.extend<{ sandbox: Sandbox; me: Visitor }>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what is needed.
    sandbox: async ({}, use) => {
      await using sandbox = await startSandbox({ now })
      await use(sandbox)
    },
    me: ({ sandbox }, use) => use(visitor(sandbox.url)),
  })
}

/** What a test of pages works with. */
export interface Opened {
  readonly sandbox: Sandbox
  readonly me: Visitor
  /** Calls the service as a client does, with a form where there are fields. */
  readonly call: (
    path: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>
}

/** Opens a sandbox for each test of a file, for the functions that its tests share. */
export function openForEach(
  ready: (opened: Opened) => void | Promise<void>,
  now = '2027-01-01T00:00:00.000Z',
): void {
  let sandbox: Sandbox
  beforeEach(async () => {
    sandbox = await startSandbox({ now })
    await ready({ sandbox, me: visitor(sandbox.url), call: callerOf(sandbox) })
  })
  afterEach(() => sandbox.close())
}

function callerOf({ url, apiKey }: Sandbox): Opened['call'] {
  return (path, fields, more) => {
    const headers = { Authorization: `Bearer ${apiKey}`, ...more }
    const form = fields && { method: 'POST', body: new URLSearchParams(fields) }
    return fetch(`${url}${path}`, { ...form, headers })
  }
}

async function visited(answer: Response): Promise<Visited> {
  const html = await answer.text()
  return {
    status: answer.status,
    html,
    text: textOf(html),
    location: answer.headers.get('location'),
  }
}

const characters: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  '#39': "'",
}

function textOf(html: string): string {
  return (
    html
      .replace(/<(head|datalist)\b.*?<\/\1>/gs, ' ')
      // The names of the API beside labels.
      .replace(/ *<code class="api">.*?<\/code>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/&(\w+|#39);/g, (whole, name) => characters[name] ?? whole)
      .replace(/\s+/g, ' ')
      .trim()
  )
}

/** Opens the page of the sandbox `default` that an answer leads to. */
export function follow(me: Visitor, location: string | null): Promise<Visited> {
  return me.open(location?.replace('/dashboard/default/', '') ?? '')
}

/** Subscribes cus_ada to basic, with a trial of 14 days, and answers the id. */
export async function subscribeToTrial({ subscriptions }: Sandbox): Promise<string> {
  const order = { customer_id: 'cus_ada', plan: 'basic', trial_period_days: 14 }
  return (await subscriptions.create(order)).subscription_id
}
