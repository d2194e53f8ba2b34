/** The audit: whether the books are in order, and what breaks which promise where they are not. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { page } from '../page.tsx'
import { ButtonLink, SubjectLink } from '../ui/links.tsx'
import { Heading, Section, Table } from '../ui/table.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

type Audit = Schemas['Audit']

export function auditPages(pages: Hono): void {
  pages.get('/audit', page(auditPage))
}

async function auditPage(visit: Visit): Promise<View> {
  const audit = await visit.sandbox.audit()
  return { title: 'Audit', body: <Findings visit={visit} audit={audit} />, live: 'nothing' }
}

/** What an audit found. */
export const Findings: FC<{ visit: Pick<Visit, 'to'>; audit: Audit }> = ({ visit, audit }) => {
  const { checked, invariants, violations } = audit
  const counts = Object.entries(checked).map(([kind, count]) => `${count} ${kind}`)
  const broken = (name: string) => violations.filter(({ invariant }) => invariant === name).length
  return (
    <>
      <Heading title="Audit">
        <ButtonLink href={visit.to('audit')}>Run it again</ButtonLink>
      </Heading>
      <p class={audit.ok ? 'notice' : 'refusal'} role={audit.ok ? 'status' : 'alert'}>
        {audit.ok
          ? `The books are in order: ${counts.join(', ')}.`
          : `The books are not in order: ${violations.length} ${violations.length === 1 ? 'violation' : 'violations'} in ${counts.join(', ')}.`}
      </p>
      {!audit.ok && <Violations visit={visit} violations={violations} />}
      <Section title="Rules">
        <Table
          caption="Rules that are checked"
          rows={invariants}
          columns={[
            { name: 'Rule', cell: ({ invariant }) => invariant.replaceAll('_', ' ') },
            { name: 'Description', wraps: true, cell: ({ promise }) => promise },
            {
              name: 'Holds',
              cell: ({ invariant }) => {
                const count = broken(invariant)
                return (
                  <span class={`status ${count === 0 ? 'good' : 'bad'}`}>
                    {count === 0 ? 'yes' : `broken: ${count}`}
                  </span>
                )
              },
            },
          ]}
        />
      </Section>
    </>
  )
}

const Violations: FC<{ visit: Pick<Visit, 'to'>; violations: Audit['violations'] }> = ({
  visit,
  violations,
}) => (
  <Section title="What is wrong">
    <Table
      caption="Violations"
      rows={violations}
      columns={[
        {
          name: 'Record',
          cell: ({ id }) => <SubjectLink visit={visit} subject={{ kind: kindOf(id), id }} />,
        },
        { name: 'Rule', cell: ({ invariant }) => invariant.replaceAll('_', ' ') },
        { name: 'How it is broken', wraps: true, cell: ({ message }) => message },
      ]}
    />
  </Section>
)

/** What a record is, by the beginning of its id. */
function kindOf(id: string): string {
  if (id.startsWith('sub_')) return 'subscription'
  if (id.startsWith('inv_')) return 'invoice'
  return id.startsWith('cus_') ? 'customer' : ''
}
