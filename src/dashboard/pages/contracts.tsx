/** Contracts: the pacts that come with the sandbox, those that were published to it, and checking one's own. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import type { WirePublishedPact } from '../../wire/pact.ts'
import { formPage, page, submit } from '../page.tsx'
import type { Sent } from '../sent.ts'
import { CheckField, FileField, Form } from '../ui/form.tsx'
import { Empty, Heading, Pager, Section, Table } from '../ui/table.tsx'
import { At, Nothing, StatusBadge, Text } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import { PactFindings } from './contract-report.tsx'

const ROWS = 50

export function contractPages(pages: Hono): void {
  pages.get('/contracts', formPage(contractsPage))
  pages.post('/contracts/check', submit({ act: check, show: contractsPage }))
  pages.get('/contracts/shipped', page(shippedPage))
}

/** What was found is shown at once: a check leaves nothing behind that could be opened again. */
async function check(visit: Visit, { values }: Sent): Promise<View> {
  const file = values.file('pact')
  const answer = await visit.send(
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
      <Heading title={file?.name || 'The pact'}>
        <a href={visit.to('contracts')}>All contracts</a>
      </Heading>
      <PactFindings report={report} />
    </>
  )
  return { title: 'What was found', body, live: 'nothing' }
}

async function shippedPage(visit: Visit): Promise<View> {
  const { contracts } = visit.sandbox
  const file = visit.query('file') ?? ''
  const pact = await contracts.get(file)
  const report = await contracts.check(pact as Schemas['PactDocument'])
  const body = (
    <>
      <Heading title={file}>
        <a href={visit.to('contracts')}>All contracts</a>
      </Heading>
      <PactFindings report={report} />
      <Section title="Interactions">
        <Table
          caption="Interactions"
          rows={pact.interactions}
          columns={[
            { name: 'Interaction', wraps: true, cell: ({ description }) => description },
            {
              name: 'Provider states',
              wraps: true,
              cell: ({ providerStates: states = [] }) =>
                states.length === 0 ? <Nothing /> : states.map(({ name }) => name).join('; '),
            },
          ]}
        />
      </Section>
    </>
  )
  return { title: file, body, live: 'nothing' }
}

/** A page of those that were published. The broker's operations are those of its protocol, and have no typed calls. */
async function listOf(visit: Visit) {
  const query = new URLSearchParams({ limit: String(ROWS) })
  const after = visit.query('after')
  if (after !== undefined) query.set('after', after)
  const answer = await visit.send(`/sandbox/broker/pacts?${query}`)
  return (await answer.json()) as PublishedList
}

interface PublishedList {
  readonly data: readonly WirePublishedPact[]
  readonly next_after: string | null
}

async function contractsPage(visit: Visit, sent: Sent): Promise<View> {
  const [shipped, published] = await Promise.all([visit.sandbox.contracts.list(), listOf(visit)])
  const body = (
    <>
      <Heading title="Contracts" />
      <Section title="Check a pact">
        <Check visit={visit} sent={sent} />
      </Section>
      <Section title="Published to this sandbox">
        <PublishedPacts pacts={published.data} />
        <Pager visit={visit} path="contracts" next={published.next_after} />
      </Section>
      <Section title="Shipped with the sandbox">
        <Shipped visit={visit} pacts={shipped} />
      </Section>
    </>
  )
  return { title: 'Contracts', body }
}

const Check: FC<{ visit: Visit; sent: Sent }> = ({ visit, sent }) => (
  <Form action={visit.to('contracts/check')} sent={sent} submit="Check" hasFile>
    <FileField
      name="pact"
      label="Pact file"
      hint="As the tests of a client wrote it: JSON, version 2, 3 or 4. It stays on this machine."
      sent={sent}
    />
    <CheckField
      name="live"
      label="Also replay it"
      hint="Against a sandbox made for it; this takes a second or more."
      sent={sent}
    />
  </Form>
)

const PublishedPacts: FC<{ pacts: readonly WirePublishedPact[] }> = ({ pacts }) => (
  <Table
    caption="Published pacts, oldest first"
    rows={pacts}
    columns={[
      { name: 'Consumer', cell: ({ consumer }) => consumer },
      { name: 'Version', cell: ({ version }) => version },
      { name: 'Provider', cell: ({ provider }) => provider },
      {
        name: 'Branches and tags',
        cell: ({ branches, tags }) => <Text value={[...branches, ...tags].join(', ')} />,
      },
      { name: 'Published at', cell: ({ at }) => <At instant={at} /> },
      { name: 'Verified', cell: (pact) => <State pact={pact} /> },
    ]}
    empty={
      <Empty>
        <p>No pact was published.</p>
        <p>
          A client's build publishes them with the command line of the Pact Broker, to{' '}
          <code>/sandbox/broker</code> on this server.
        </p>
      </Empty>
    }
  />
)

/** What the last verifier found. */
const State: FC<{ pact: WirePublishedPact }> = ({ pact: { results } }) => {
  const last = results.at(-1)
  if (last === undefined) return <span>not yet</span>
  const { success, provider_version: version, verified_by: verifier } = last
  return (
    <>
      <StatusBadge status={success ? 'verified' : 'failed'} /> with {version}
      {verifier !== null && <span class="hint"> by {verifier}</span>}
    </>
  )
}

const Shipped: FC<{ visit: Visit; pacts: readonly Schemas['ShippedPact'][] }> = ({
  visit,
  pacts,
}) => (
  <>
    <p>
      Those in assumed/ rely on assumptions of this sandbox; the others only on the documented
      interface.
    </p>
    <Table
      caption="Pacts that come with the sandbox"
      rows={pacts}
      columns={[
        {
          name: 'File',
          cell: ({ file }) => <a href={visit.to('contracts/shipped', { file })}>{file}</a>,
        },
        { name: 'Consumer', cell: ({ consumer }) => consumer },
        { name: 'Interactions', isNumber: true, cell: ({ interactions }) => String(interactions) },
        { name: 'Version of Pact', cell: ({ specification }) => specification },
      ]}
    />
  </>
)
