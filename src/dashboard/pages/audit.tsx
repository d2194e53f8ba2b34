/** The audit: whether the books are in order, and what breaks which rule. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import type { PageRow } from '../page-kinds/page-row.tsx'
import { sentence, words } from '../ui/columns.tsx'
import { button, SubjectLink } from '../ui/links.tsx'
import { Heading, Section, Table } from '../ui/table.tsx'
import { Badge, countOf } from '../ui/values.tsx'

type Audit = Schemas['Audit']

export const auditPage: PageRow = {
  show: async (page) => ({
    title: 'Audit',
    body: <Findings audit={await page.sandbox.audit()} />,
    live: 'nothing',
  }),
}

/** What an audit found. */
export const Findings: FC<{ audit: Audit }> = ({
  audit: { ok, checked, invariants, violations },
}) => {
  const counts = Object.entries(checked).map(([kind, count]) => `${count} ${kind}`)
  const broken = (name: string) => violations.filter(({ invariant }) => invariant === name).length
  return (
    <>
      <Heading title="Audit">{button('Run it again', 'audit')}</Heading>
      <p class={ok ? 'notice' : 'refusal'} role={ok ? 'status' : 'alert'}>
        {ok
          ? `The books are in order: ${counts.join(', ')}.`
          : `The books are not in order: ${countOf(violations.length, 'violation')} in ${counts.join(', ')}.`}
      </p>
      {!ok && (
        <Section title="What is wrong">
          <Table
            caption="Violations"
            rows={violations}
            columns={[
              { name: 'Record', cell: ({ id }) => <SubjectLink subject={subjectOf(id)} /> },
              words('Rule', 'invariant'),
              sentence('How it is broken', 'message'),
            ]}
          />
        </Section>
      )}
      <Section title="Rules">
        <Table
          caption="Rules that are checked"
          rows={invariants}
          columns={[
            words('Rule', 'invariant'),
            sentence('Description', 'promise'),
            {
              name: 'Holds',
              cell: ({ invariant }) => {
                const count = broken(invariant)
                const tone = count === 0 ? 'good' : 'bad'
                return <Badge tone={tone}>{count === 0 ? 'yes' : `broken: ${count}`}</Badge>
              },
            },
          ]}
        />
      </Section>
    </>
  )
}

/** The kind of a record, by the beginning of its id. */
function subjectOf(id: string) {
  const kinds: Readonly<Record<string, string>> = {
    sub: 'subscription',
    inv: 'invoice',
    cus: 'customer',
  }
  return { kind: kinds[id.split('_', 1)[0] ?? ''] ?? '', id }
}
