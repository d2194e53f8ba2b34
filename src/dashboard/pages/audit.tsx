/** The audit: whether the books are in order, and what breaks which rule. */
import type { Child } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { countText } from '../../wire/common/text.ts'
import type { PageRow } from '../page-kinds/page-row.tsx'
import { button, SubjectLink } from '../ui/links.tsx'
import { Table } from '../ui/table.tsx'
import { Badge, column, field, Verdict, wordsColumn } from '../ui/values.tsx'

export const auditPage: PageRow = {
  show: async (page) => ({
    title: 'Audit',
    actions: button('Run it again', 'audit'),
    body: findingsOf(await page.sandbox.audit()),
    live: 'nothing',
  }),
}

const rule = wordsColumn('invariant', 'Rule')

export function findingsOf({ ok, checked, invariants, violations }: Schemas['Audit']): Child {
  const counts = Object.entries(checked).map(([kind, count]) => countText(count, kind.slice(0, -1)))
  const found = ok
    ? `The books are in order: ${counts.join(', ')}.`
    : `The books are not in order: ${countText(violations.length, 'violation')} in ${counts.join(', ')}.`
  return [
    <Verdict isGood={ok} text={found} />,
    <Table
      title="What is wrong"
      rows={violations}
      columns={[
        { name: 'Record', cell: ({ id }) => <SubjectLink subject={subjectOf(id)} /> },
        rule,
        field('message', 'How it is broken'),
      ]}
      empty={null}
    />,
    <Table
      title="Rules"
      rows={invariants}
      columns={[
        rule,
        field('promise', 'Description'),
        column('Holds', ({ invariant: own }: { invariant: string }) => {
          const count = violations.filter(({ invariant }) => invariant === own).length
          return <Badge tone={count ? 'bad' : 'good'}>{count ? `broken: ${count}` : 'yes'}</Badge>
        }),
      ]}
    />,
  ]
}

/** The kind of a record, by the beginning of its id. */
function subjectOf(id: string) {
  const kinds = ['subscription', 'invoice', 'customer']
  return { kind: kinds.find((each) => id.startsWith(`${each.slice(0, 3)}_`)) ?? '', id }
}
