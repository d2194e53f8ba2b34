/** The log of requests: what was asked of this sandbox and what it answered, newest first. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { page } from '../page.tsx'
import { asked, Filter } from '../ui/filter.tsx'
import { CheckField, TextField } from '../ui/form.tsx'
import { recordAddress } from '../ui/links.tsx'
import { Empty, Heading, Pager, Table } from '../ui/table.tsx'
import { Text } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import { AnswerBadge, requestPage } from './request.tsx'

type Request = Schemas['Request']
type RequestList = Schemas['RequestList']

const ROWS = 50

const none: RequestList = { data: [], has_more: false, next_after: null }

export function requestPages(pages: Hono): void {
  pages.get('/requests', page(requestsPage))
  pages.get('/requests/:id', page(requestPage))
}

function filterOf({ given }: Visit) {
  return given('unmatched', 'operation_id', 'status', 'consumer')
}

/** The sandbox keeps a few hundred: of those that were refused, one page has all. */
async function list(visit: Visit): Promise<RequestList> {
  const filter = filterOf(visit) as object
  if (visit.query('refused') !== undefined) {
    const all = await visit.sandbox.requests.list(filter)
    return { ...none, data: all.filter(({ refusal }) => refusal !== null) }
  }
  const query: object = { ...filter, ...visit.cursor(ROWS) }
  return answered(visit.control.GET('/sandbox/requests', { params: { query } }))
}

async function requestsPage(visit: Visit): Promise<View> {
  const { found, sent } = await asked(visit, { find: () => list(visit), otherwise: none })
  const body = (
    <>
      <Heading title="Requests">
        <a href={visit.to('coverage')}>Coverage</a>
        <a href={visit.to('faults')}>Faults</a>
        <a href={visit.to('webhooks')}>Webhooks</a>
      </Heading>
      <Filter visit={visit} path="requests" sent={sent} label="Which requests">
        <TextField
          name="operation_id"
          label="Operation"
          suggestions={operationsIn(found.data)}
          sent={sent}
        />
        <TextField name="status" label="Status" type="number" sent={sent} />
        <TextField name="consumer" label="Consumer" sent={sent} />
        <CheckField name="refused" label="Only refused" sent={sent} />
        <CheckField name="unmatched" label="Only unmatched" sent={sent} />
      </Filter>
      <RequestTable visit={visit} requests={found.data} />
      <Pager visit={visit} path="requests" query={filterOf(visit)} next={found.next_after} />
      <p class="hint">
        Requests on /v1, and on the control plane those that may change something. Secrets are
        masked. The newest 250 are kept, until a reset.
      </p>
    </>
  )
  // A list that is refused is a request too: showing it again would never end.
  return { title: 'Requests', body, live: sent.refusal === null ? 'requests' : 'nothing' }
}

function operationsIn(requests: readonly Request[]): string[] {
  const found = requests.flatMap(({ operation_id: id }) => (id === null ? [] : [id]))
  return [...new Set(found)].sort()
}

const RequestTable: FC<{ visit: Visit; requests: readonly Request[] }> = ({ visit, requests }) => (
  <Table
    caption="Requests, newest first"
    rows={requests}
    columns={[
      { name: 'Request', cell: (request) => <RequestLink visit={visit} request={request} /> },
      { name: 'Answer', cell: ({ answer, refusal }) => <AnswerBadge {...{ answer, refusal }} /> },
      {
        name: 'Operation',
        cell: ({ operation_id: id, nearest }) => <Text value={id ?? meantOf(nearest)} />,
      },
      { name: 'Assumptions', cell: (request) => <Shaped request={request} /> },
      { name: 'Events', cell: ({ events }) => String(events.length), isNumber: true },
      { name: 'Consumer', cell: ({ consumer }) => <Text value={consumer} /> },
    ]}
    empty={
      visit.here === visit.to('requests') ? (
        <Empty>
          <p>Nobody has asked for anything yet.</p>
          <p>
            Point your application to this server with the key of this sandbox, which{' '}
            <a href={visit.to('sandboxes')}>Sandboxes</a> shows.
          </p>
        </Empty>
      ) : (
        <Empty>
          No request matches the filter. <a href={visit.to('requests')}>Show all</a>
        </Empty>
      )
    }
  />
)

const RequestLink: FC<{ visit: Visit; request: Request }> = ({ visit, request }) => {
  const { request_id: id, request: sent } = request
  return (
    <a href={recordAddress(visit, 'requests', id)} class="call">
      {sent.method} {sent.path}
    </a>
  )
}

function meantOf(nearest: Request['nearest']): string {
  return nearest === null ? 'none' : `none; nearest ${nearest.operation_id}`
}

/** What had a part in an answer beside the interface. */
const Shaped: FC<{ request: Request }> = ({ request: { assumptions, fault } }) => {
  const { length } = assumptions
  const parts = [
    ...(fault === null ? [] : [`fault ${fault}`]),
    ...(length === 0 ? [] : [`${length} ${length === 1 ? 'assumption' : 'assumptions'}`]),
  ]
  return parts.length === 0 ? <Text value={null} /> : <span>{parts.join(', ')}</span>
}
