/** The log of requests to this sandbox, newest first, and one of them: its answer, the reasons, and how to send it again. */
import type { Child, FC } from 'hono/jsx'
import { calledOperations } from '../../generated/operations.ts'
import type { Schemas } from '../../library/sandbox.ts'
import { LOGGED_MAX } from '../acts/clock-moves.ts'
import { sendAgain, whyNotResent } from '../acts/send-again.ts'
import { PostButton } from '../forms/form.tsx'
import { listPage } from '../page-kinds/lists-and-questions.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { curlCommand, variablesOf } from '../reading/curl.ts'
import { isDocumented } from '../reading/log.ts'
import { jsonOr } from '../ui/form-state.ts'
import {
  assumptionLink,
  eventsFrom,
  Hint,
  PageLink,
  Paragraph,
  prose,
  recordPath,
  Switch,
} from '../ui/links.tsx'
import { PAGE_LENGTH, type PageContext, type View, withNotice } from '../ui/page-context.ts'
import { Empty, Facts, Section, Table } from '../ui/table.tsx'
import {
  Badge,
  CodeBlock,
  type Column,
  type ColumnOf,
  column,
  factsOf,
  field,
  Nothing,
  Text,
  Verdict,
} from '../ui/values.tsx'
import { eventColumns } from './events.tsx'

type Request = Schemas['Request']

const isSuccess = ({ answer: { status } }: Pick<Request, 'answer'>) =>
  status !== null && status < 400

/** The status of an answer, its code if it is a refusal, and the fault that had a part in it. */
export const answerColumn: Column<Pick<Request, 'answer' | 'refusal' | 'fault'>> = column(
  'Answer',
  (row) => {
    const { answer, refusal, fault } = row
    const tone = fault === null ? 'good' : 'waiting'
    return (
      <span class="answer">
        <Badge tone={isSuccess(row) ? tone : 'bad'}>
          {`${answer.status ?? 'closed'} ${refusal?.code ?? ''}`.trim()}
        </Badge>
        {fault && ` fault ${fault}`}
      </span>
    )
  },
)

/** The time of day of an answer, in real time. */
export const answeredColumn: Column<Pick<Request, 'answered_at'>> = column(
  'Answered',
  ({ answered_at: at }) => (
    <time datetime={at} title={at}>
      {at.slice(11, 19)}
    </time>
  ),
)

const columns: readonly ColumnOf<Request>[] = [
  answeredColumn,
  field('at', 'Virtual time'),
  column('Request', ({ request_id: id, request: { method, path } }) => (
    <PageLink to={recordPath('requests', id)}>
      <code>{`${method} ${path}`}</code>
    </PageLink>
  )),
  answerColumn,
  column(
    'Operation',
    ({ operation_id: id, nearest }) =>
      id ?? (nearest === null ? 'none' : `none; nearest ${nearest.operation_id}`),
  ),
  column('Assumptions', ({ assumptions: { length } }) => <Text value={length || null} />),
  column('Events', ({ events: { length } }) => `${length}${length < EVENTS_SHOWN ? '' : '+'}`, {
    isNumber: true,
  }),
  'consumer',
]

const whichAreKept = `Requests on /v1, and on the control plane those that may change something. Secrets are masked. The newest ${LOGGED_MAX} are kept, until a reset.`

export const requestPages: PageTable = {
  requests: listPage({
    title: 'Requests',
    noun: 'request',
    find: findRequests,
    actions: (page) => [
      <Switch
        label="Which surface"
        options={[
          ['/v1', page.hereWith({ all: null, after: null }), page.query('all') === undefined],
          ['all', page.hereWith({ all: 'true', after: null }), page.query('all') !== undefined],
        ]}
      />,
      prose('[Coverage](coverage) [Faults](faults) [Webhooks](webhooks)'),
    ],
    filter: [
      { name: 'all', kind: 'hidden' },
      { name: 'operation_id', suggest: Object.keys(calledOperations).sort() },
      { name: 'status', kind: 'integer' },
      { name: 'consumer' },
      { name: 'refused', label: 'Only refused or failed', kind: 'check' },
      { name: 'unmatched', label: 'Only unmatched', kind: 'check' },
    ],
    columns,
    empty:
      'Nobody has asked for anything yet.\nPoint your application to this server with the key of this sandbox, which [Sandboxes](sandboxes) shows.',
    below: () => <Hint text={whichAreKept} />,
    live: 'requests',
  }),
  'requests/:id': { show: requestPage },
  'requests/:id/send': {
    isButton: true,
    act: async (page) => {
      const logged = await findLogged(page)
      if (logged === undefined) return page.above
      const id = await sendAgain(page, logged)
      return withNotice(page.to(recordPath('requests', id)), 'sent_again')
    },
  },
}

/** One page of those that are looked for: the control plane filters by other things. */
async function findRequests(page: PageContext, query: { refused?: string; all?: string }) {
  const { refused, all, ...others } = query
  const { data } = await page.list('/sandbox/requests', { ...others, limit: LOGGED_MAX })
  const wanted = data.filter(
    (each) =>
      (all !== undefined || isDocumented(each)) &&
      (refused === undefined || each.refusal !== null || !isSuccess(each)),
  )
  const shown = wanted.slice(0, PAGE_LENGTH)
  const next = wanted.length > PAGE_LENGTH ? shown.at(-1) : undefined
  return { data: shown, next_after: next?.number ?? null }
}

async function findLogged({ id, sandbox }: PageContext): Promise<Request | undefined> {
  return (await sandbox.requests.list()).find((each) => each.request_id === id)
}

/** The log of requests names no more of one. */
const EVENTS_SHOWN = 100

async function requestPage(page: PageContext): Promise<View> {
  const title = `Request ${page.id}`
  const logged = await findLogged(page)
  if (logged === undefined) {
    const text = `It is not in the log of requests: the newest ${LOGGED_MAX} are kept, in memory, until a reset.`
    const body = <Empty text={`${text}\n[All requests](requests)`} />
    return { title, body, live: 'nothing' }
  }
  const { request, refusal } = logged
  const assumptions = logged.assumptions.length === 0 ? [] : await page.sandbox.assumptions()
  const events = await eventsOf(page, logged)
  const body = [
    <Facts facts={factsOf(logged, facts)} />,
    refusal !== null && (
      <Section title="Why it was refused">
        <Verdict isGood={false} text={[<code>{refusal.code}</code>, ` ${refusal.message}`]} />
      </Section>
    ),
    nearestText(logged),
    resendSection(new URL(page.c.req.url).origin, logged),
    exchange(logged),
    <Table
      title="Assumptions"
      rows={assumptions.filter(({ slug }) => logged.assumptions.includes(slug))}
      columns={assumptionColumns}
      empty={null}
    />,
    <Table title="Events" rows={events} columns={eventColumns} empty="No event.">
      {logged.events.length >= EVENTS_SHOWN && eventsFrom(logged.events[0]?.seq ?? 1, 'Show all')}
    </Table>,
  ]
  const heading = `${request.method} ${request.path}`
  const beside = { note: answerColumn.cell(logged), actions: '[All requests](requests)' }
  return { title, heading, ...beside, body, live: 'nothing' }
}

const exchange = ({ request, answer: { status, content_type: type, ...answer } }: Request) => [
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
  </Section>,
  <Section title="Answer">
    <p>
      {status === null ? 'Nothing: a fault closed the connection.' : `${status} `}
      {status !== null && <Text value={type} />}
    </p>
    <Body {...answer} label="Body of the answer" />
  </Section>,
]

const assumptionColumns: readonly ColumnOf<Schemas['Assumption']>[] = [
  column('Assumption', ({ slug }) => assumptionLink(slug)),
  'question',
  field('choice', 'What we do'),
]

const facts: readonly ColumnOf<Request>[] = [
  field('request_id', 'Request id'),
  'operation_id',
  'consumer',
  field('at', 'Virtual time'),
  field('answered_at', 'Answered, in real time'),
  column('Base address', ({ by_address: is }) => (is ? 'placed it' : <Nothing />)),
  column('Duration', ({ duration_ms: duration }) => `${duration.toFixed(1)} ms`),
  column('Fault', ({ fault }) => (fault ? prose(`[${fault}](faults)`) : <Nothing />)),
]

function nearestText({ nearest }: Request): Child {
  if (nearest === null) return null
  const { operation_id: id, method, path, differs } = nearest
  return (
    <Section title="No operation matches">
      <Paragraph
        text={`The nearest is ${id}, \`${method} ${path}\`: the ${differs.join(' and the ')} ${differs.length > 1 ? 'differ' : 'differs'}.`}
      />
    </Section>
  )
}

function resendSection(origin: string, logged: Request): Child {
  const command = curlCommand(logged.request, origin)
  const variables = variablesOf(logged.request)
  const obstacle = whyNotResent(logged)
  const actions = [
    obstacle === null && (
      <PostButton to={`${recordPath('requests', logged.request_id)}/send`}>Send again</PostButton>
    ),
    <button type="button" data-copy={command}>
      Copy as curl
    </button>,
  ]
  return (
    <Section title="Send it again" actions={actions}>
      <CodeBlock text={command} label="Command" />
      <p class="hint">
        {variables.length > 0 && `Secrets are not printed: set ${variables.join(', and ')} first. `}
        {obstacle === null
          ? 'The button sends it with the key of this sandbox, as the consumer dashboard.'
          : `It cannot be sent from here: ${obstacle}`}
      </p>
    </Section>
  )
}

/** A body, over several lines if it is JSON, or why it is not there. */
const Body: FC<{ label: string; body: string | null; bytes: number | null }> = (props) => {
  const { label, body, bytes } = props
  if (body) {
    const value = jsonOr(body)
    return <CodeBlock text={value === body ? body : JSON.stringify(value, null, 2)} label={label} />
  }
  if (bytes) return <Hint text={`The body, ${bytes} bytes, is too long to be kept.`} />
  return <Hint text={bytes === null ? 'No body was read.' : 'Without a body.'} />
}

/** The events that it caused: they are numbered one after another. */
async function eventsOf(page: PageContext, { events, request_id: id }: Request) {
  const [first] = events
  if (first === undefined) return []
  const query = { after: first.seq - 1, limit: EVENTS_SHOWN }
  const { data } = await page.list('/sandbox/events', query)
  return data.filter(({ cause }) => cause.request_id === id)
}
