/**
 * Live: the newest requests on /v1, the lanes of the subscriptions that they touched, and the events; of this sandbox, or
 * of several that tests use side by side. Owns how much of each is read.
 */
import { createParser } from 'eventsource-parser'
import type { Child } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { isDocumented } from '../reading/log.ts'
import { MarkShapes } from '../timeline/drawing.tsx'
import { readTimeline } from '../timeline/read.ts'
import { LaneRows } from '../timeline/timeline.tsx'
import { findAll, searchOf } from '../ui/form-state.ts'
import { recordPath, Switch } from '../ui/links.tsx'
import { CurrentPage, type PageContext, pageIn, type View } from '../ui/page-context.ts'
import { Section, Table } from '../ui/table.tsx'
import { type ColumnOf, column } from '../ui/values.tsx'
import { newestEvents } from './events.tsx'
import { answerColumn, answeredColumn } from './requests.tsx'

type Request = Schemas['Request']

/** How many requests and lanes are shown, and how many sandboxes are read. */
const REQUESTS = 15
const LANES = 10
const SANDBOXES = 10

/** How many requests of a sandbox are read at a time for that: most are on /v1. */
const READ = 50

/** Tells a page in a browser which requests may have changed it, by their numbers, after the newest one that it shows. */
async function changesPage({ c, send, query }: PageContext): Promise<Response> {
  const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' }
  // It wants the headers only, and nobody would ever close a stream for it.
  if (c.req.method === 'HEAD') return new Response(null, { headers })
  const isOfRequests = query('of') === 'requests'
  const concerns = ({ refusal }: Request) => isOfRequests || refusal === null
  const after = c.req.header('Last-Event-ID') ?? query('after')
  const { body } = await send(`/sandbox/requests/stream?${searchOf({ after })}`)
  const texts = (body as ReadableStream | null)?.pipeThrough(new TextDecoderStream())
  const notices = texts?.pipeThrough(noticesOf(concerns)).pipeThrough(new TextEncoderStream())
  return new Response((notices as ReadableStream | undefined) ?? null, { headers })
}

/** A notice in place of each event that concerns the page; signs of life stay. */
function noticesOf(concerns: (logged: Request) => boolean) {
  let parser: ReturnType<typeof createParser>
  return new TransformStream<string, string>({
    start: (out) => {
      parser = createParser({
        onEvent: ({ id, data }) =>
          concerns(JSON.parse(data)) && out.enqueue(`id: ${id}\ndata: changed\n\n`),
        onComment: () => out.enqueue(':\n\n'),
      })
    },
    transform: (piece) => parser.feed(piece),
  })
}

export const livePages: PageTable = {
  live: { show: livePage },
  changes: { show: changesPage },
}

/** A request, its sandbox, and the subscription that it touched. */
type Call = Awaited<ReturnType<typeof callsIn>>[number]

async function livePage(page: PageContext): Promise<View> {
  const isAll = page.query('all') !== undefined
  const calls = isAll ? await callsOfSeveral(page) : await callsIn(page)
  const groups = await groupsOf(page, calls)
  const body = [
    <Switch
      label="Whose requests"
      options={[
        ['This sandbox', page.to('live'), !isAll],
        ['All sandboxes', page.to('live', { all: 'true' }), isAll],
      ]}
    />,
    <Table
      title="Requests"
      caption="Requests, newest first"
      rows={calls}
      columns={isAll ? [sandboxColumn, ...columns] : columns}
      empty={
        'No request on /v1 yet.\nPoint your application to this server: [Sandboxes](sandboxes) shows the keys.'
      }
    />,
    // Of the others it hears nothing, so it is loaded again and again.
    isAll && (
      <p class="hint" data-again>
        {`Of this sandbox and of the ${SANDBOXES} newest, each with its own clock. While this page is open, these do not expire. Tests of vitest and pytest delete their sandboxes when they end; what a failed one leaves is in the folder .sandbox.`}
      </p>
    ),
    <MarkShapes />,
    groups,
  ]
  return { title: 'Live', actions: '[All requests](requests)', body, live: 'requests' }
}

/** The newest requests on /v1 of one sandbox. */
async function callsIn(page: PageContext) {
  const found: Request[] = []
  let after: number | null | undefined
  do {
    const part = await page.list('/sandbox/requests', { limit: READ, after })
    found.push(...part.data.filter(isDocumented))
    after = part.next_after
  } while (found.length < REQUESTS && after !== null)
  return found.slice(0, REQUESTS).map((each) => {
    const id = `${page.sandbox.id} ${each.number}`
    return { id, ...each, page, subscription: subscriptionOf(each) }
  })
}

async function callsOfSeveral(page: PageContext): Promise<Call[]> {
  // The control plane lists the oldest first.
  const readable = (await page.sandbox.siblings()).filter(({ now }) => now !== null)
  const newest = readable.slice(-SANDBOXES).map((each) => each.sandbox_id)
  const ids = [...new Set([page.sandbox.id, ...newest])]
  const pageOf = (id: string) => (id === page.sandbox.id ? page : pageIn(page, id))
  // One may have been deleted since.
  const found = await findAll(ids, async (id) => callsIn(await pageOf(id)))
  const calls = found.flat()
  calls.sort((one, other) => Date.parse(other.answered_at) - Date.parse(one.answered_at))
  return calls.slice(0, REQUESTS)
}

/** The subscription that the path or the answer names. */
function subscriptionOf({ request, answer }: Request): string | null {
  const [, inPath] = /\/subscriptions\/([^/?]+)/.exec(request.path) ?? []
  const [, inAnswer] = /"subscription_?id":"([^"]+)"/i.exec(answer.body ?? '') ?? []
  return inPath ?? inAnswer ?? null
}

const sandboxColumn = column<Call>('Sandbox', ({ page }) => (
  <a href={page.to('live')}>{page.sandbox.id}</a>
))

const columns: readonly ColumnOf<Call>[] = [
  answeredColumn,
  // It leads to its mark.
  column('Virtual time', ({ page, at, subscription: lane }) => {
    const shown = <time datetime={at}>{at.slice(0, 10)}</time>
    return lane === null ? shown : <a href={`${page.to('live', { lane, at })}#mark`}>{shown}</a>
  }),
  column('Request', ({ page, request_id: id, request: { method, path } }) => (
    <a href={page.to(recordPath('requests', id))}>
      <code>{`${method} ${path}`}</code>
    </a>
  )),
  column('Answer', (row) => [answerColumn.cell(row), ' ', row.refusal?.message], { wraps: true }),
  'consumer',
]

/** What the requests to each sandbox touched. */
async function groupsOf(own: PageContext, calls: readonly Call[]): Promise<Child[]> {
  const lane = own.query('lane')
  const touched = new Map<PageContext, Set<string>>([[own, new Set(lane && [lane])]])
  let left = LANES
  for (const { page, subscription } of calls) {
    const ids = touched.get(page) ?? new Set()
    if (subscription === null || ids.has(subscription) || left === 0) continue
    touched.set(page, ids.add(subscription))
    left -= 1
  }
  const groups = [...touched].filter(([page, ids]) => page === own || ids.size > 0)
  return Promise.all(groups.map(([page, ids]) => groupOf(page, [...ids])))
}

async function groupOf(page: PageContext, ids: readonly string[]): Promise<Child> {
  const name = page.query('all') === undefined ? null : page.sandbox.id
  const title = name === null ? 'Events' : `Events of ${name}`
  const subscriptions = await findAll(ids, page.sandbox.subscriptions.get)
  const [timeline, events] = await Promise.all([
    readTimeline(page, { subscriptions, path: 'live' }),
    newestEvents(page, {}, { title, empty: 'Nothing has happened yet.' }),
  ])
  return (
    <CurrentPage.Provider value={page}>
      {timeline.lanes.length > 0 && (
        <Section title={name ?? 'Subscriptions'} actions={<a href={page.to()}>Timeline</a>}>
          <LaneRows timeline={timeline} isStill />
        </Section>
      )}
      {events}
    </CurrentPage.Provider>
  )
}
