/** Contracts: the shipped pacts, the published ones, and checking any other pact. */
import type { Child } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { countText } from '../../wire/common/text.ts'
import type { WirePublishedPact } from '../../wire/pacts/pact.ts'
import { fieldsFrom } from '../forms/field.ts'
import { Form } from '../forms/form.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { type FormValues, searchOf } from '../ui/form-state.ts'
import { linkWith, Paragraph } from '../ui/links.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { type ListPart, Section, Table } from '../ui/table.tsx'
import { Badge, type ColumnOf, column, field, StatusBadge, Text, Verdict } from '../ui/values.tsx'

type CheckReport = Schemas['ContractCheckReport']

export const contractPages: PageTable = {
  contracts: { show: contractsPage },
  'contracts/check': { act: checkPact },
  'contracts/shipped': { show: shippedPage },
}

const fields = fieldsFrom({
  pact: {
    label: 'Pact file',
    kind: 'file',
    isRequired: true,
    hint: 'As the tests of a client wrote it: JSON, version 2, 3 or 4. It stays on this machine.',
  },
  live: {
    label: 'Also replay it',
    kind: 'check',
    hint: 'Against a sandbox made for it; this takes a second or more.',
  },
})

const ALL = '[All contracts](contracts)'

/** The findings are shown at once: a check leaves nothing behind that could be opened again. */
async function checkPact({ send }: PageContext, values: FormValues): Promise<View> {
  const file = values.file('pact')
  const path = `/sandbox/contracts/check${values.has('live') ? '?live=true' : ''}`
  const headers = { 'Content-Type': 'application/json' }
  const answer = await send(path, { method: 'POST', headers, body: (await file?.text()) ?? '' })
  const body = pactFindings((await answer.json()) as CheckReport)
  const heading = file?.name || 'The pact'
  return { title: 'What was found', heading, actions: ALL, body, live: 'nothing' }
}

const interaction = { ...field('description', 'Interaction'), wraps: true }

async function shippedPage(page: PageContext): Promise<View> {
  const { contracts } = page.sandbox
  const file = page.query('file') ?? ''
  const pact = await contracts.get(file)
  const report = await contracts.check(pact as Schemas['PactDocument'])
  const statesOf = ({ providerStates: states = [] }: (typeof pact.interactions)[number]) => (
    <Text value={states.map(({ name }) => name).join('; ')} />
  )
  const body = [
    pactFindings(report),
    <Table
      title="Interactions"
      rows={pact.interactions}
      columns={[interaction, { name: 'Provider states', wraps: true, cell: statesOf }]}
    />,
  ]
  return { title: file, actions: ALL, body, live: 'nothing' }
}

async function contractsPage(page: PageContext): Promise<View> {
  const { sandbox, form, send } = page
  const [shipped, answer] = await Promise.all([
    sandbox.contracts.list(),
    send(`/sandbox/broker/pacts?${searchOf(page.cursor())}`),
  ])
  // The operations of the broker are those of its protocol, and have no typed calls.
  const published = (await answer.json()) as ListPart<WirePublishedPact>
  const body = [
    <Form title="Check a pact" to="contracts/check" form={form} fields={fields} submit="Check" />,
    <Table
      title="Published to this sandbox"
      caption="Published pacts"
      rows={published}
      columns={publishedColumns}
      empty={
        "No pact was published.\nA client's build publishes them with the command line of the Pact Broker, to `/sandbox/broker` on this server."
      }
    />,
    <Section title="Shipped with the sandbox">
      <Paragraph text="Those in assumed/ rely on assumptions of this sandbox; the others only on the documented interface." />
      <Table caption="Pacts that come with the sandbox" rows={shipped} columns={shippedColumns} />
    </Section>,
  ]
  return { title: 'Contracts', body }
}

const publishedColumns: readonly ColumnOf<WirePublishedPact>[] = [
  'consumer',
  'version',
  'provider',
  column('Branches and tags', ({ branches, tags }) => (
    <Text value={[...branches, ...tags].join(', ')} />
  )),
  field('at', 'Published at'),
  column('Verified', ({ results }) => {
    const last = results.at(-1)
    if (last === undefined) return 'not yet'
    const { success, provider_version: version, verified_by: verifier } = last
    return (
      <>
        <StatusBadge status={success ? 'verified' : 'failed'} /> with {version}
        {verifier !== null && <span class="hint"> by {verifier}</span>}
      </>
    )
  }),
]

const shippedColumns: readonly ColumnOf<Schemas['ShippedPact']>[] = [
  column('File', ({ file }) => linkWith({ file }, file, 'contracts/shipped')),
  'consumer',
  'interactions',
  'specification',
]

/** As much of the verifier's report as is shown. */
interface Replayed {
  readonly totals?: { readonly interactions: number; readonly failed: number }
  readonly pacts?: readonly { readonly problems: Problem[]; readonly interactions: Replay[] }[]
}
type Problem = { readonly message: string; readonly at?: string }
type Replay = Readonly<Record<'description' | 'result', string>> &
  Readonly<Record<'findings' | 'mismatches', Problem[]>> & { readonly hints: readonly string[] }

/** The findings of a check as a list, errors first, and the result of a replay. */
function pactFindings({ ok, findings, more_findings: more, verification }: CheckReport): Child {
  const errorsFirst = findings.toSorted(
    (one, other) => Number(one.severity !== 'error') - Number(other.severity !== 'error'),
  )
  const verdict =
    verification === null
      ? `It ${ok ? 'fits' : 'does not fit'} the documented interface.`
      : `Its replay ${ok ? 'passed' : 'failed'}, which has the last word.`
  return [
    <Verdict isGood={ok} text={verdict} />,
    <Table
      {...{ title: 'What was found', rows: errorsFirst, columns: findingColumns, more }}
      empty={null}
    />,
    verification !== null && replaySection(verification.report as Replayed),
  ]
}

const findingColumns: readonly ColumnOf<CheckReport['findings'][number]>[] = [
  column('Severity', ({ severity }) => (
    <Badge tone={severity === 'error' ? 'bad' : 'waiting'}>{severity}</Badge>
  )),
  column('Interaction', ({ interaction }) => interaction ?? 'the whole file', { wraps: true }),
  'message',
  column('Where', ({ path }) => path && <code>{path}</code>, { wraps: true }),
]

const problemsOf = ({ findings, mismatches, hints }: Replay) =>
  [...findings, ...mismatches, ...hints.map((message): Problem => ({ message }))].map(
    ({ at, message }) => <p>{`${at ? `${at}: ` : ''}${message}`}</p>,
  )

function replaySection({ pacts = [], totals }: Replayed): Child {
  const messages = pacts.flatMap(({ problems }) => problems)
  return (
    <Section title="Replay">
      {totals && (
        <p>{`${countText(totals.interactions, 'interaction')}, ${totals.failed} failed.`}</p>
      )}
      {messages.map(({ message }) => (
        <p class="wrong">{message}</p>
      ))}
      <Table
        caption="Interactions that were replayed"
        rows={pacts.flatMap(({ interactions }) => interactions)}
        columns={[
          interaction,
          { name: 'Result', cell: ({ result }) => <StatusBadge status={result} /> },
          column('What differs', problemsOf, { wraps: true }),
        ]}
        empty="Nothing was replayed."
      />
    </Section>
  )
}
