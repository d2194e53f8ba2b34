/** The log of requests to this sandbox with their answers, newest first. */
import type { Schemas } from '../../library/sandbox.ts'
import type { PageContext } from '../page-context.ts'
import { listPage } from '../page-kinds/list-page.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { type Column, text } from '../ui/columns.tsx'
import { PageLink, recordPath } from '../ui/links.tsx'
import { countOf, Text } from '../ui/values.tsx'
import { answerColumn, requestPage } from './request.tsx'

type Request = Schemas['Request']

const columns: readonly Column<Request>[] = [
  {
    name: 'Request',
    cell: ({ request_id: id, request: { method, path } }) => (
      <PageLink to={recordPath('requests', id)} as="call">
        {method} {path}
      </PageLink>
    ),
  },
  answerColumn,
  {
    name: 'Operation',
    cell: ({ operation_id: id, nearest }) =>
      id ?? (nearest === null ? 'none' : `none; nearest ${nearest.operation_id}`),
  },
  // What shaped an answer beside the interface.
  {
    name: 'Assumptions',
    cell: ({ assumptions: { length }, fault }) => {
      const parts = [fault && `fault ${fault}`, length > 0 && countOf(length, 'assumption')]
      return <Text value={parts.filter(Boolean).join(', ')} />
    },
  },
  { name: 'Events', cell: ({ events }) => String(events.length), isNumber: true },
  text('Consumer', 'consumer'),
]

export const requestPages: PageTable = {
  requests: listPage({
    path: 'requests',
    title: 'Requests',
    caption: 'Requests, newest first',
    find: found,
    actions: (
      <>
        <PageLink to="coverage">Coverage</PageLink>
        <PageLink to="faults">Faults</PageLink>
        <PageLink to="webhooks">Webhooks</PageLink>
      </>
    ),
    filter: {
      label: 'Which requests',
      fields: (shown) => [
        { name: 'operation_id', suggest: operationsIn(shown) },
        { name: 'status', kind: 'integer' },
        { name: 'consumer' },
        { name: 'refused', label: 'Only refused', kind: 'check' },
        { name: 'unmatched', label: 'Only unmatched', kind: 'check' },
      ],
    },
    columns,
    empty: {
      none: 'Nobody has asked for anything yet.',
      unmatched: 'No request matches the filter.',
      next: (
        <>
          Point your application to this server with the key of this sandbox, which{' '}
          <PageLink to="sandboxes">Sandboxes</PageLink> shows.
        </>
      ),
    },
    below: () => (
      <p class="hint">
        Requests on /v1, and on the control plane those that may change something. Secrets are
        masked. The newest 250 are kept, until a reset.
      </p>
    ),
    live: 'requests',
  }),
  'requests/:id': { show: requestPage },
}

/** The sandbox keeps a few hundred: of those that were refused, one page has all. */
async function found(page: PageContext, { refused, ...query }: { refused?: string }) {
  if (refused === undefined) return page.list('/sandbox/requests', query)
  const filter: object = page.queryOf('unmatched', 'operation_id', 'status', 'consumer')
  const all = await page.sandbox.requests.list(filter)
  return { data: all.filter(({ refusal }) => refusal !== null), next_after: null }
}

function operationsIn(requests: readonly Request[]): string[] {
  return [...new Set(requests.flatMap(({ operation_id: id }) => id ?? []))].sort()
}
