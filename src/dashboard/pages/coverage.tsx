/** Coverage: which part of the documented surface was called, and first of all which was not. */
import type { Child } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { countText } from '../../wire/common/text.ts'
import { measureNames } from '../../wire/sandbox/coverage.ts'
import type { PageRow } from '../page-kinds/page-row.tsx'
import { assumptionLink, Hint, linkWith } from '../ui/links.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { Facts, Table } from '../ui/table.tsx'
import { type Column, type ColumnOf, column, wordsColumn } from '../ui/values.tsx'

type Coverage = Schemas['Coverage']
type Consumer = Coverage['consumers'][number]

export const coveragePage: PageRow = { show: coverageView }

async function coverageView(page: PageContext): Promise<View> {
  const { consumer } = page.queryOf('consumer')
  const coverage = await page.sandbox.coverage({ ...(consumer !== undefined && { consumer }) })
  const { calls, unmatched, seen, unseen } = coverage
  const body = [
    <p>
      Calls on /v1 by {consumer ?? 'all consumers'}: {countText(calls, 'call')}
      {unmatched > 0 && `, and ${countText(unmatched, 'request')} that no operation matches`}. What
      was not called yet is listed first. Calls that a fault had a part in do not count.
    </p>,
    <Facts
      facts={measureNames.map((name) => {
        const { seen: some, of: all, percent } = coverage.measures[name]
        const share = <span class="hint">{percent.toFixed(1)} %</span>
        return [name.replaceAll('_', ' '), [`${some} of ${all} `, share]]
      })}
    />,
    operationTable(coverage),
    <Table
      title="Status transitions"
      rows={[...unseen.transitions.map((each) => ({ ...each, times: 0 })), ...seen.transitions]}
      columns={[
        wordsColumn('from', 'From'),
        wordsColumn('trigger', 'By'),
        wordsColumn('to', 'To'),
        { name: 'Times', isNumber: true, cell: ({ times }) => timesCell(times) },
      ]}
    />,
    <div class="columns">
      {countTable(
        'Error code',
        unseen.error_codes,
        seen.error_codes.map(({ code, calls }) => [code, calls]),
      )}
      {countTable(
        'Assumption',
        unseen.assumptions.map(assumptionLink),
        seen.assumptions.map(({ slug, calls }) => [assumptionLink(slug), calls]),
      )}
    </div>,
    consumer === undefined && (
      <Table
        title="By consumer"
        caption="What each consumer asked for, in percent of what there is"
        rows={coverage.consumers}
        columns={consumerColumns}
        empty="Nobody yet."
      />
    ),
    <Hint text="Clients name themselves by the header Sandbox-Consumer. Counted in memory since the server started, also through resets." />,
  ]
  const actions = `${consumer === undefined ? '' : '[Of all consumers](coverage) '}[Requests](requests)`
  return { title: 'Coverage', actions, body, live: 'requests' }
}

function timesCell(times: number): Child {
  return times === 0 ? <span class="hint">not yet</span> : String(times)
}

function operationTable({ seen, unseen }: Coverage): Child {
  const statuses = [...seen.answers, ...unseen.statuses].map(({ status }) => status)
  const names = [...unseen.operations, ...new Set(seen.answers.map((each) => each.operation_id))]
  const columnOf = (status: number): Column<{ id: string }> => {
    const cell = ({ id }: { id: string }) => {
      const isThis = (each: { operation_id: string; status: number }) =>
        each.operation_id === id && each.status === status
      const calls = seen.answers.filter(isThis).reduce((sum, each) => sum + each.calls, 0)
      return calls > 0 || unseen.statuses.some(isThis) ? timesCell(calls) : ''
    }
    return column(String(status), cell, { isNumber: true })
  }
  return (
    <Table
      title="Operations and statuses"
      rows={names.map((id) => ({ id }))}
      columns={[
        { name: 'Operation', cell: ({ id }) => id },
        ...[...new Set(statuses)].sort((one, two) => one - two).map(columnOf),
      ]}
    />
  )
}

/** How often each was seen, beginning with those that were not. */
function countTable(
  what: string,
  unseen: readonly Child[],
  seen: readonly (readonly [name: Child, calls: number])[],
): Child {
  return (
    <Table
      title={`${what}s`}
      rows={[...unseen.map((name) => [name, 0] as const), ...seen]}
      columns={[
        { name: what, cell: ([name]) => name },
        { name: 'Calls', isNumber: true, cell: ([, calls]) => timesCell(calls) },
      ]}
    />
  )
}

const consumerColumns: readonly ColumnOf<Consumer>[] = [
  column('Consumer', ({ kind, consumer }) => {
    if (kind === 'others') return 'all others'
    if (consumer === null) return 'without a name'
    return linkWith({ consumer }, consumer, 'coverage')
  }),
  'calls',
  ...(['operations', 'statuses', 'error_codes', 'transitions'] as const).map((name) =>
    column(
      `${name.replaceAll('_', ' ')} %`,
      (row: Consumer) => row.measures[name].percent.toFixed(1),
      { isNumber: true },
    ),
  ),
]
