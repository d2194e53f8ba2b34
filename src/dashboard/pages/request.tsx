/** One request: its answer and the reasons for it, and the command that sends it again. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { curlCommand, variablesOf } from '../reading/curl.ts'
import { type Column, factsOf, instant, sentence, text } from '../ui/columns.tsx'
import { linkWith, PageLink } from '../ui/links.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { emptyText, Facts, Heading, Section, Table } from '../ui/table.tsx'
import { Badge, CodeBlock, Nothing, Text } from '../ui/values.tsx'
import { eventColumns } from './events.tsx'

type Request = Schemas['Request']

/** The status of an answer, and its code if it is a refusal. */
export const answerColumn: Column<Pick<Request, 'answer' | 'refusal'>> = {
  name: 'Answer',
  cell: ({ answer: { status }, refusal }) => (
    <Badge tone={status !== null && status < 400 ? 'good' : 'bad'}>
      {status ?? 'closed'}
      {refusal !== null && ` ${refusal.code}`}
    </Badge>
  ),
}

/** The log of requests names no more of one. */
const EVENTS_SHOWN = 100

const all = <PageLink to="requests">All requests</PageLink>

export async function requestPage(page: PageContext): Promise<View> {
  const title = `Request ${page.id}`
  const kept = await page.sandbox.requests.list()
  const request = kept.find(({ request_id: each }) => each === page.id)
  if (request === undefined) {
    const body = (
      <>
        <Heading title={title} />
        {emptyText(
          'It is not in the log of requests: the newest 250 are kept, in memory, until a reset.',
          all,
        )}
      </>
    )
    return { title, body, live: 'nothing' }
  }
  const { answer, refusal, nearest } = request
  const assumptions = request.assumptions.length === 0 ? [] : await page.sandbox.assumptions()
  const shaped = assumptions.filter(({ slug }) => request.assumptions.includes(slug))
  const events = await eventsOf(page, request)
  const body = (
    <>
      <Heading
        title={`${request.request.method} ${request.request.path}`}
        note={answerColumn.cell(request)}
      >
        {all}
      </Heading>
      <Facts facts={factsOf(request, facts)} />
      {refusal !== null && (
        <Section title="Why it was refused">
          <div class="refusal">
            <p>
              <code>{refusal.code}</code> {refusal.message}
            </p>
          </div>
        </Section>
      )}
      {nearest !== null && <Nearest nearest={nearest} />}
      <Curl origin={new URL(page.c.req.url).origin} request={request.request} />
      <Exchange request={request.request} answer={answer} />
      {shaped.length > 0 && <Assumptions settings={page.to('settings')} assumptions={shaped} />}
      <Section title="Events">
        <Table caption="Events" rows={events} columns={eventColumns} empty={<p>No event.</p>} />
        {request.events.length >= EVENTS_SHOWN &&
          linkWith({ after: (request.events[0]?.seq ?? 1) - 1 }, 'Show all', 'events')}
      </Section>
    </>
  )
  return { title, body, live: 'nothing' }
}

/** The request as it was sent, and its answer. */
const Exchange: FC<Pick<Request, 'request' | 'answer'>> = ({ request, answer }) => (
  <>
    <Section title="Request">
      <Table
        caption="Headers that were sent"
        rows={Object.entries(request.headers)}
        columns={[
          { name: 'Header', cell: ([name]) => name },
          { name: 'Value', wraps: true, cell: ([, value]) => value },
        ]}
      />
      <Body {...request} label="Body that was sent" />
    </Section>
    <Section title="Answer">
      {answer.status === null ? (
        <p>Nothing: a fault closed the connection.</p>
      ) : (
        <p>
          {answer.status} <Text value={answer.content_type} />
        </p>
      )}
      <Body {...answer} label="Body of the answer" />
    </Section>
  </>
)

const facts: readonly Column<Request>[] = [
  text('Request id', 'request_id'),
  text('Operation', 'operation_id'),
  text('Consumer', 'consumer'),
  instant('Virtual time', 'at'),
  { name: 'Duration', cell: ({ duration_ms: duration }) => `${duration.toFixed(1)} ms` },
  {
    name: 'Fault',
    cell: ({ fault }) => (fault === null ? <Nothing /> : <PageLink to="faults">{fault}</PageLink>),
  },
]

const Nearest: FC<{ nearest: NonNullable<Request['nearest']> }> = ({
  nearest: { operation_id: id, method, path, differs },
}) => (
  <Section title="No operation matches">
    <p>
      The nearest is {id}, <code>{`${method} ${path}`}</code>: the {differs.join(' and the ')}{' '}
      {differs.length > 1 ? 'differ' : 'differs'}.
    </p>
  </Section>
)

const Curl: FC<{ origin: string; request: Request['request'] }> = ({ origin, request }) => {
  const command = curlCommand(request, origin)
  const isLost = request.body === null && Number(request.headers['content-length'] ?? 0) > 0
  const variables = variablesOf(request).map(({ variable, holds }) => `${variable} to ${holds}`)
  const isMasked = `${request.path}${request.body}`.includes('[masked]')
  const copy = (
    <button type="button" data-copy={command}>
      Copy as curl
    </button>
  )
  return (
    <Section title="Send it again" actions={copy}>
      <CodeBlock text={command} label="Command" />
      <p class="hint">
        {variables.length > 0 && `Secrets are not printed: set ${variables.join(', and ')} first.`}
        {isMasked && ' Put the others where it says [masked].'}
        {isLost && ' The body was not kept: it is not in the command.'}
      </p>
    </Section>
  )
}

const Body: FC<{ label: string; body: string | null; bytes: number | null }> = ({
  label,
  body,
  bytes,
}) => {
  if (body !== null && body !== '') return <CodeBlock text={indented(body)} label={label} />
  if (bytes !== null && bytes > 0) {
    return <p class="hint">{`The body, ${bytes} bytes, is too long to be kept.`}</p>
  }
  return <p class="hint">{bytes === null ? 'No body was read.' : 'Without a body.'}</p>
}

/** JSON over several lines; anything else as it is. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const Assumptions: FC<{ settings: string; assumptions: readonly Schemas['Assumption'][] }> = ({
  settings,
  assumptions,
}) => (
  <Section title="Assumptions">
    <Table
      caption="Assumptions that shaped the answer"
      rows={assumptions}
      columns={[
        { name: 'Assumption', cell: ({ slug }) => <a href={`${settings}#${slug}`}>{slug}</a> },
        sentence('Question', 'question'),
        sentence('What we do', 'choice'),
      ]}
    />
  </Section>
)

/** The events that it caused: they are numbered one after another. */
async function eventsOf(page: PageContext, { events, request_id: id }: Request) {
  const [first] = events
  if (first === undefined) return []
  const query = { after: first.seq - 1, limit: EVENTS_SHOWN }
  const { data } = await page.list('/sandbox/events', query)
  return data.filter(({ cause }) => cause.request_id === id)
}
