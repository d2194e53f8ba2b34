/** Coverage: what of the documented surface was asked for, and first of all what was not. */
import type { Hono } from 'hono'
import type { Child, FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { measureNames } from '../../wire/coverage.ts'
import { page } from '../page.tsx'
import { Facts, Heading, Section, Table } from '../ui/table.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

type Coverage = Schemas['Coverage']
type Answered = Coverage['seen']['answers'][number]

export function coveragePages(pages: Hono): void {
  pages.get('/coverage', page(coveragePage))
}

async function coveragePage(visit: Visit): Promise<View> {
  const consumer = visit.query('consumer')
  const query = { format: 'json', ...(consumer === undefined ? {} : { consumer }) } as const
  // In this format it is no text.
  const coverage = (await answered(
    visit.control.GET('/sandbox/coverage', { params: { query } }),
  )) as Coverage
  const { calls, unmatched, seen, unseen } = coverage
  const body = (
    <>
      <Heading title="Coverage">
        {consumer !== undefined && <a href={visit.to('coverage')}>Of all consumers</a>}
        <a href={visit.to('requests')}>Requests</a>
      </Heading>
      <p>
        Calls on /v1 by {consumer ?? 'all consumers'}: {countOf(calls, 'call')}
        {unmatched > 0 && `, and ${countOf(unmatched, 'request')} that no operation matches`}. What
        was not called yet is listed first.
      </p>
      <Measures coverage={coverage} />
      <Section title="Operations and statuses">
        <Operations coverage={coverage} />
      </Section>
      <Section title="Status transitions">
        <Moves coverage={coverage} />
      </Section>
      <div class="columns">
        <Section title="Error codes">
          <Counted
            what="Error code"
            unseen={unseen.error_codes}
            seen={seen.error_codes.map(({ code, calls }) => [code, calls])}
          />
        </Section>
        <Section title="Assumptions">
          <Counted
            what="Assumption"
            unseen={unseen.assumptions}
            seen={seen.assumptions.map(({ slug, calls }) => [slug, calls])}
            show={(slug) => <a href={`${visit.to('settings')}#${slug}`}>{slug}</a>}
          />
        </Section>
      </div>
      {consumer === undefined && <Consumers visit={visit} coverage={coverage} />}
      <p class="hint">
        Clients name themselves by the header Sandbox-Consumer. Counted in memory since the server
        started, also through resets.
      </p>
    </>
  )
  return { title: 'Coverage', body, live: 'requests' }
}

function countOf(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`}`
}

const Measures: FC<{ coverage: Coverage }> = ({ coverage }) => (
  <Facts
    facts={measureNames.map((name) => {
      const { seen, of, percent } = coverage.measures[name]
      return [
        name.replaceAll('_', ' '),
        <>
          {seen} of {of} <span class="hint">{percent.toFixed(1)} %</span>
        </>,
      ] as const
    })}
  />
)

/** Whether something was seen, in a word and a colour. */
const Times: FC<{ count: number }> = ({ count }) =>
  count === 0 ? <span class="hint">not yet</span> : <span>{String(count)}</span>

const Operations: FC<{ coverage: Coverage }> = ({ coverage: { seen, unseen } }) => {
  const known = [...seen.answers, ...unseen.statuses]
  const statuses = [...new Set(known.map(({ status }) => status))].sort((one, two) => one - two)
  const names = [...unseen.operations, ...new Set(seen.answers.map(({ operation_id: id }) => id))]
  const isUnseen = (id: string, code: number) =>
    unseen.statuses.some(({ operation_id, status }) => operation_id === id && status === code)
  return (
    <Table
      caption="Calls by operation and status of the answer"
      rows={names}
      columns={[
        { name: 'Operation', cell: (id) => id },
        ...statuses.map((status) => ({
          name: String(status),
          isNumber: true,
          cell: (id: string): Child => {
            const calls = callsOf(seen.answers, { id, status })
            return calls > 0 || isUnseen(id, status) ? <Times count={calls} /> : ''
          },
        })),
      ]}
    />
  )
}

function callsOf(answers: readonly Answered[], of: { id: string; status: number }): number {
  return answers
    .filter(({ operation_id: id, status }) => id === of.id && status === of.status)
    .reduce((sum, { calls }) => sum + calls, 0)
}

const Moves: FC<{ coverage: Coverage }> = ({ coverage: { seen, unseen } }) => (
  <Table
    caption="Status transitions"
    rows={[...unseen.transitions.map((move) => ({ ...move, times: 0 })), ...seen.transitions]}
    columns={[
      { name: 'From', cell: ({ from }) => from.replaceAll('_', ' ') },
      { name: 'By', cell: ({ trigger }) => trigger.replaceAll('_', ' ') },
      { name: 'To', cell: ({ to }) => to.replaceAll('_', ' ') },
      { name: 'Times', isNumber: true, cell: ({ times }) => <Times count={times} /> },
    ]}
  />
)

const Counted: FC<{
  what: string
  unseen: readonly string[]
  seen: readonly (readonly [name: string, calls: number])[]
  show?: (name: string) => Child
}> = ({ what, unseen, seen, show = (name) => name }) => (
  <Table
    caption={`${what}s`}
    rows={[...unseen.map((name) => [name, 0] as const), ...seen]}
    columns={[
      { name: what, cell: ([name]) => show(name) },
      { name: 'Calls', isNumber: true, cell: ([, calls]) => <Times count={calls} /> },
    ]}
  />
)

const shownOfConsumers = ['operations', 'statuses', 'error_codes', 'transitions'] as const

const Consumers: FC<{ visit: Visit; coverage: Coverage }> = ({ visit, coverage }) => (
  <Section title="By consumer">
    <Table
      caption="What each consumer asked for, in percent of what there is"
      rows={coverage.consumers}
      columns={[
        { name: 'Consumer', cell: (row) => <Consumer visit={visit} row={row} /> },
        { name: 'Calls', isNumber: true, cell: ({ calls }) => String(calls) },
        ...shownOfConsumers.map((name) => ({
          name: `${name.replaceAll('_', ' ')} %`,
          isNumber: true,
          cell: (row: Coverage['consumers'][number]) => row.measures[name].percent.toFixed(1),
        })),
      ]}
      empty={<p>Nobody yet.</p>}
    />
  </Section>
)

const Consumer: FC<{ visit: Visit; row: Coverage['consumers'][number] }> = ({
  visit,
  row: { kind, consumer },
}) => {
  if (kind === 'others') return <span>all others</span>
  if (consumer === null) return <span>without a name</span>
  return <a href={visit.to('coverage', { consumer })}>{consumer}</a>
}
