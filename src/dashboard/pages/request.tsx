/** One request: what was sent, what was answered and why, and the command that sends it again. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { curlCommand, variablesOf } from '../curl.ts'
import { CodeBlock } from '../ui/code.tsx'
import { Empty, Facts, Heading, Section, Table } from '../ui/table.tsx'
import { At, Nothing, Text } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import { EventTable } from './events.tsx'

type Request = Schemas['Request']

/** The log of requests names no more of one. */
const EVENTS_SHOWN = 100

export async function requestPage(visit: Visit): Promise<View> {
  const id = visit.id
  const kept = await visit.sandbox.requests.list()
  const request = kept.find(({ request_id: each }) => each === id)
  if (request === undefined) return gonePage(visit, id)
  const assumptions = request.assumptions.length === 0 ? [] : await visit.sandbox.assumptions()
  const body = (
    <>
      <Heading
        title={`${request.request.method} ${request.request.path}`}
        note={<AnswerBadge answer={request.answer} refusal={request.refusal} />}
      >
        <a href={visit.to('requests')}>All requests</a>
      </Heading>
      <About visit={visit} request={request} />
      <Refusal refusal={request.refusal} />
      <Nearest nearest={request.nearest} />
      <Curl visit={visit} request={request} />
      <WhatWasSent request={request} />
      <WhatWasAnswered request={request} />
      <Assumptions
        visit={visit}
        assumptions={assumptions.filter(({ slug }) => request.assumptions.includes(slug))}
      />
      <Events visit={visit} request={request} events={await eventsOf(visit, request)} />
    </>
  )
  return { title: `Request ${id}`, body, live: 'nothing' }
}

function gonePage(visit: Visit, id: string): View {
  const body = (
    <>
      <Heading title={`Request ${id}`} />
      <Empty>
        <p>It is not in the log of requests: the newest 250 are kept, in memory, until a reset.</p>
        <p>
          <a href={visit.to('requests')}>All requests</a>
        </p>
      </Empty>
    </>
  )
  return { title: `Request ${id}`, body, live: 'nothing' }
}

/** The status of an answer, and its code where it was refused. */
export const AnswerBadge: FC<Pick<Request, 'answer' | 'refusal'>> = ({ answer, refusal }) => {
  const isWell = answer.status !== null && answer.status < 400
  return (
    <span class={`status ${isWell ? 'good' : 'bad'}`}>
      {answer.status ?? 'closed'}
      {refusal !== null && ` ${refusal.code}`}
    </span>
  )
}

const About: FC<{ visit: Visit; request: Request }> = ({ visit, request }) => (
  <Facts
    facts={[
      ['Request id', request.request_id],
      ['Operation', <Text value={request.operation_id} />],
      ['Consumer', <Text value={request.consumer} />],
      ['Virtual time', <At instant={request.at} />],
      ['Duration', `${request.duration_ms.toFixed(1)} ms`],
      [
        'Fault',
        request.fault === null ? <Nothing /> : <a href={visit.to('faults')}>{request.fault}</a>,
      ],
    ]}
  />
)

const Refusal: FC<Pick<Request, 'refusal'>> = ({ refusal }) => {
  if (refusal === null) return null
  return (
    <Section title="Why it was refused">
      <div class="refusal">
        <p>
          <code>{refusal.code}</code> {refusal.message}
        </p>
      </div>
    </Section>
  )
}

const Nearest: FC<Pick<Request, 'nearest'>> = ({ nearest }) => {
  if (nearest === null) return null
  const { operation_id: id, method, path, differs } = nearest
  return (
    <Section title="No operation matches">
      <p>
        The nearest is {id}, <code>{`${method} ${path}`}</code>: the {differs.join(' and the ')}{' '}
        {differs.length > 1 ? 'differ' : 'differs'}.
      </p>
    </Section>
  )
}

const Curl: FC<{ visit: Visit; request: Request }> = ({ visit, request: { request } }) => {
  const command = curlCommand(request, new URL(visit.c.req.url).origin)
  const isLost = request.body === null && Number(request.headers['content-length'] ?? 0) > 0
  const variables = variablesOf(request).map(({ variable, holds }) => `${variable} to ${holds}`)
  const isMasked = `${request.path}${request.body}`.includes('[masked]')
  return (
    <Section
      title="Send it again"
      actions={
        <button type="button" data-copy={command}>
          Copy as curl
        </button>
      }
    >
      <CodeBlock text={command} label="Command" />
      <p class="hint">
        {variables.length > 0 && `Secrets are not printed: set ${variables.join(', and ')} first.`}
        {isMasked && ' Put the others where it says [masked].'}
        {isLost && ' The body was not kept: it is not in the command.'}
      </p>
    </Section>
  )
}

const WhatWasSent: FC<{ request: Request }> = ({ request: { request } }) => (
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
)

const WhatWasAnswered: FC<{ request: Request }> = ({ request: { answer } }) => (
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
)

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
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const Assumptions: FC<{
  visit: Visit
  assumptions: readonly Schemas['Assumption'][]
}> = ({ visit, assumptions }) => {
  if (assumptions.length === 0) return null
  return (
    <Section title="Assumptions">
      <Table
        caption="Assumptions that shaped the answer"
        rows={assumptions}
        columns={[
          {
            name: 'Assumption',
            cell: ({ slug }) => <a href={`${visit.to('settings')}#${slug}`}>{slug}</a>,
          },
          { name: 'Question', wraps: true, cell: ({ question }) => question },
          { name: 'What we do', wraps: true, cell: ({ choice }) => choice },
        ]}
      />
    </Section>
  )
}

/** Those that it led to: they are numbered one after another. */
async function eventsOf({ control }: Visit, { events, request_id: id }: Request) {
  const [first] = events
  if (first === undefined) return []
  const params = { query: { after: first.seq - 1, limit: EVENTS_SHOWN } }
  const { data } = await answered(control.GET('/sandbox/events', { params }))
  return data.filter(({ cause }) => cause.request_id === id)
}

const Events: FC<{
  visit: Visit
  request: Request
  events: readonly Schemas['Event'][]
}> = ({ visit, request, events }) => (
  <Section title="Events">
    <EventTable visit={visit} events={events} empty={<p>No event.</p>} />
    {request.events.length >= EVENTS_SHOWN && (
      <a href={visit.to('events', { after: (request.events[0]?.seq ?? 1) - 1 })}>Show all</a>
    )}
  </Section>
)
