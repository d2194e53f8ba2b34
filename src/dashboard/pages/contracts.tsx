/** Contracts: the shipped pacts, the published ones, and checking a pact of one's own. */
import type { Schemas } from '../../library/sandbox.ts'
import type { WirePublishedPact } from '../../wire/pact.ts'
import type { FieldDeclaration } from '../forms/field.ts'
import { Form } from '../forms/form.tsx'
import { PAGE_LENGTH } from '../page-kinds/list-page.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { type Column, count, instant, sentence, text } from '../ui/columns.tsx'
import type { FormState } from '../ui/form-state.ts'
import { linkWith, PageLink } from '../ui/links.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { emptyText, Heading, Pager, Section, Table } from '../ui/table.tsx'
import { StatusBadge, Text } from '../ui/values.tsx'
import { PactFindings } from './contract-report.tsx'

export const contractPages: PageTable = {
  contracts: { show: contractsPage },
  'contracts/check': { hasNoPage: true, show: contractsPage, act: check },
  'contracts/shipped': { show: shippedPage },
}

const fields: readonly FieldDeclaration[] = [
  {
    name: 'pact',
    label: 'Pact file',
    kind: 'file',
    hint: 'As the tests of a client wrote it: JSON, version 2, 3 or 4. It stays on this machine.',
  },
  {
    name: 'live',
    label: 'Also replay it',
    kind: 'check',
    hint: 'Against a sandbox made for it; this takes a second or more.',
  },
]

const all = <PageLink to="contracts">All contracts</PageLink>

/** The findings are shown at once: a check leaves nothing behind that could be opened again. */
async function check(page: PageContext, { values }: FormState): Promise<View> {
  const file = values.file('pact')
  const answer = await page.send(
    `/sandbox/contracts/check${values.isChecked('live') ? '?live=true' : ''}`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: (await file?.text()) ?? '',
    },
  )
  const report = (await answer.json()) as Schemas['ContractCheckReport']
  const body = (
    <>
      <Heading title={file?.name || 'The pact'}>{all}</Heading>
      <PactFindings report={report} />
    </>
  )
  return { title: 'What was found', body, live: 'nothing' }
}

async function shippedPage(page: PageContext): Promise<View> {
  const { contracts } = page.sandbox
  const file = page.query('file') ?? ''
  const pact = await contracts.get(file)
  const report = await contracts.check(pact as Schemas['PactDocument'])
  const body = (
    <>
      <Heading title={file}>{all}</Heading>
      <PactFindings report={report} />
      <Section title="Interactions">
        <Table
          caption="Interactions"
          rows={pact.interactions}
          columns={[
            sentence('Interaction', 'description'),
            {
              name: 'Provider states',
              wraps: true,
              cell: ({ providerStates: states = [] }) => (
                <Text value={states.map(({ name }) => name).join('; ')} />
              ),
            },
          ]}
        />
      </Section>
    </>
  )
  return { title: file, body, live: 'nothing' }
}

/** A page of the published pacts. The broker's operations are those of its protocol, and have no typed calls. */
async function publishedPacts(page: PageContext): Promise<PublishedList> {
  const { limit, ...after } = page.cursor(PAGE_LENGTH)
  const query = new URLSearchParams({ limit: String(limit), ...after })
  const answer = await page.send(`/sandbox/broker/pacts?${query}`)
  return (await answer.json()) as PublishedList
}

interface PublishedList {
  readonly data: readonly WirePublishedPact[]
  readonly next_after: string | null
}

async function contractsPage(page: PageContext, form: FormState): Promise<View> {
  const [shipped, published] = await Promise.all([
    page.sandbox.contracts.list(),
    publishedPacts(page),
  ])
  const body = (
    <>
      <Heading title="Contracts" />
      <Section title="Check a pact">
        <Form action={page.to('contracts/check')} form={form} fields={fields} submit="Check" />
      </Section>
      <Section title="Published to this sandbox">
        <Table
          caption="Published pacts, oldest first"
          rows={published.data}
          columns={publishedColumns}
          empty={emptyText(
            'No pact was published.',
            <>
              A client's build publishes them with the command line of the Pact Broker, to{' '}
              <code>/sandbox/broker</code> on this server.
            </>,
          )}
        />
        <Pager path="contracts" next={published.next_after} />
      </Section>
      <Section title="Shipped with the sandbox">
        <p>
          Those in assumed/ rely on assumptions of this sandbox; the others only on the documented
          interface.
        </p>
        <Table caption="Pacts that come with the sandbox" rows={shipped} columns={shippedColumns} />
      </Section>
    </>
  )
  return { title: 'Contracts', body }
}

const publishedColumns: readonly Column<WirePublishedPact>[] = [
  text('Consumer', 'consumer'),
  text('Version', 'version'),
  text('Provider', 'provider'),
  {
    name: 'Branches and tags',
    cell: ({ branches, tags }) => <Text value={[...branches, ...tags].join(', ')} />,
  },
  instant('Published at', 'at'),
  {
    name: 'Verified',
    cell: ({ results }) => {
      const last = results.at(-1)
      if (last === undefined) return 'not yet'
      const { success, provider_version: version, verified_by: verifier } = last
      return (
        <>
          <StatusBadge status={success ? 'verified' : 'failed'} /> with {version}
          {verifier !== null && <span class="hint"> by {verifier}</span>}
        </>
      )
    },
  },
]

const shippedColumns: readonly Column<Schemas['ShippedPact']>[] = [
  { name: 'File', cell: ({ file }) => linkWith({ file }, file, 'contracts/shipped') },
  text('Consumer', 'consumer'),
  count('Interactions', 'interactions'),
  text('Version of Pact', 'specification'),
]
