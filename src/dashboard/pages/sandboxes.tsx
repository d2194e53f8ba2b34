/** The sandboxes of this server: making, forking, resetting and deleting them. */

import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { SandboxError } from '../../library/sandbox-error.ts'
import { answered, at } from '../../library/transport.ts'
import { addForm, submit, withNotice } from '../page.tsx'
import { addQuestion, type Question } from '../question.tsx'
import { nothingSent, type Sent } from '../sent.ts'
import { Form, SelectField, TextField } from '../ui/form.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Facts, Heading, Pager, Section, Table } from '../ui/table.tsx'
import { At, Text } from '../ui/values.tsx'
import type { View } from '../view.ts'
import { ALWAYS_THERE, addressOf, type Visit } from '../visit.ts'

const ROWS = 50

export function sandboxPages(pages: Hono): void {
  addForm(pages, '/sandboxes', { act: create, show: sandboxesPage })
  pages.post('/sandboxes/fork', submit({ act: fork, show: sandboxesPage }))
  addQuestion(pages, '/sandboxes/reset', { ask: askToReset, act: reset })
  addQuestion(pages, '/sandboxes/:id/delete', { ask: askToDelete, act: remove })
}

async function create({ sandbox }: Visit, { values }: Sent): Promise<string> {
  const order = { id: values.text('id'), fixture: values.text('fixture'), now: values.text('now') }
  const { id } = await sandbox.create(given(order))
  return withNotice(addressOf(id), 'created')
}

async function fork({ sandbox }: Visit, { values }: Sent): Promise<string> {
  const order = { id: values.text('fork_id'), checkpoint: values.text('checkpoint') }
  const { id } = await sandbox.fork(given(order))
  return withNotice(addressOf(id), 'forked')
}

async function reset({ sandbox, to }: Visit, { values }: Sent): Promise<string> {
  await sandbox.reset(given({ fixture: values.text('fixture') }))
  return withNotice(to(), 'reset')
}

async function remove(visit: Visit): Promise<string> {
  const { id } = visit
  await answered(visit.control.DELETE('/sandboxes/{sandbox_id}', at({ sandbox_id: id })))
  const left =
    id === visit.sandbox.id ? addressOf(ALWAYS_THERE, 'sandboxes') : visit.to('sandboxes')
  return withNotice(left, 'deleted')
}

function deleteAddress({ to }: Visit, id: string): string {
  return to(`sandboxes/${encodeURIComponent(id)}/delete`)
}

/** An order without what was left empty. */
function given<Fields extends Readonly<Record<string, string | undefined>>>(fields: Fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof Fields]?: string }
}

/** As the sandbox calls the fields of the forms. */
const paths = { id: ['sandbox_id'], fork_id: ['sandbox_id'], checkpoint: ['from.checkpoint'] }

async function sandboxesPage(visit: Visit, sent: Sent): Promise<View> {
  const [found, checkpoints] = await Promise.all([
    answered(visit.control.GET('/sandboxes', { params: { query: visit.cursor(ROWS) } })),
    visit.sandbox.checkpoints.list(),
  ])
  const [isFork, named] = [sent.values.has('fork_id'), { ...sent, paths }]
  const body = (
    <>
      <Heading title="Sandboxes" />
      <p>
        Each has its own records, clock, settings and key. Tests that run side by side take one
        each.
      </p>
      <SandboxTable visit={visit} rows={found.data} />
      <Pager visit={visit} path="sandboxes" next={found.next_after} />
      <Own visit={visit} />
      <div class="columns">
        <Create visit={visit} sent={isFork ? nothingSent : named} />
        <Fork visit={visit} sent={isFork ? named : nothingSent} checkpoints={checkpoints} />
      </div>
    </>
  )
  return { title: 'Sandboxes', body }
}

const SandboxTable: FC<{ visit: Visit; rows: readonly Schemas['SandboxRow'][] }> = ({
  visit,
  rows,
}) => (
  <Table
    caption="Sandboxes"
    rows={rows}
    columns={[
      {
        name: 'Sandbox',
        cell: ({ sandbox_id: id }) => (
          <span class="among">
            <a href={addressOf(id)}>{id}</a>
            {id === visit.sandbox.id && <span class="hint"> this one</span>}
          </span>
        ),
      },
      {
        name: 'Virtual now',
        cell: ({ now }) =>
          now === null ? <Text value="its data cannot be read" /> : <At instant={now} />,
      },
      { name: 'Key', cell: ({ api_key: key }) => <code>{key}</code> },
      {
        name: 'Actions',
        cell: ({ sandbox_id: id }) =>
          id === ALWAYS_THERE ? (
            <span class="hint">always exists</span>
          ) : (
            <a href={deleteAddress(visit, id)} aria-label={`Delete ${id}…`}>
              Delete…
            </a>
          ),
      },
    ]}
  />
)

const Own: FC<{ visit: Visit }> = ({ visit }) => (
  <Section
    title={`This sandbox: ${visit.sandbox.id}`}
    actions={<ButtonLink href={visit.to('sandboxes/reset')}>Reset…</ButtonLink>}
  >
    <Counts counts={visit.summary.counts} />
  </Section>
)

const Counts: FC<{ counts: Readonly<Record<string, number>> }> = ({ counts }) => (
  <Facts
    facts={Object.entries(counts).map(
      ([kind, count]) => [kind.replaceAll('_', ' '), String(count)] as const,
    )}
  />
)

const Create: FC<{ visit: Visit; sent: Sent }> = ({ visit, sent }) => (
  <Section title="New sandbox">
    <Form action={visit.to('sandboxes')} sent={sent} submit="Create sandbox">
      <TextField
        name="id"
        label="Sandbox id"
        hint="a-z, 0-9 and -; generated if empty"
        sent={sent}
      />
      <TextField
        name="fixture"
        label="Fixture"
        hint="The data it starts with; the default fixture if empty"
        sent={sent}
      />
      <TextField
        name="now"
        label="Start of its clock"
        hint="An instant such as 2027-01-01T00:00:00Z; that of the fixture if empty"
        sent={sent}
      />
    </Form>
  </Section>
)

const Fork: FC<{ visit: Visit; sent: Sent; checkpoints: readonly Schemas['Checkpoint'][] }> = ({
  visit,
  sent,
  checkpoints,
}) => (
  <Section title={`A fork of ${visit.sandbox.id}`}>
    <Form action={visit.to('sandboxes/fork')} sent={sent} submit="Fork this sandbox">
      <TextField
        name="fork_id"
        label="Sandbox id of the fork"
        hint="a-z, 0-9 and -; generated if empty"
        sent={sent}
      />
      <SelectField
        name="checkpoint"
        label="From"
        none="as it is now"
        options={checkpoints.map(({ name }) => [name, `at the checkpoint ${name}`])}
        sent={sent}
      />
    </Form>
  </Section>
)

function askToReset({ sandbox, summary, to }: Visit, sent: Sent): Question {
  return {
    title: `Reset ${sandbox.id}`,
    text: (
      <>
        <p>
          It starts again from its fixture, with the clock and the settings of the beginning. Its
          records, events, checkpoints and log of requests are deleted. Webhooks and published pacts
          stay. It has now:
        </p>
        <Counts counts={summary.counts} />
      </>
    ),
    submit: 'Reset sandbox',
    cancel: to('sandboxes'),
    fields: (
      <TextField
        name="fixture"
        label="Fixture"
        hint="The fixture to start from; its own if empty"
        sent={sent}
      />
    ),
  }
}

/** How much another sandbox holds; null where its data cannot be read. */
async function heldBy({ control }: Visit, id: string): Promise<Record<string, number> | null> {
  const headers = { 'Sandbox-Id': id }
  try {
    const [{ counts }, checkpoints] = await Promise.all([
      answered(control.GET('/sandbox', { headers })),
      answered(control.GET('/sandbox/checkpoints', { headers })),
    ])
    return { ...counts, checkpoints: checkpoints.data.length }
  } catch (refusal) {
    if (refusal instanceof SandboxError && refusal.code === 'storage_damaged') return null
    throw refusal
  }
}

async function askToDelete(visit: Visit): Promise<Question> {
  const { id, to } = visit
  const held = await heldBy(visit, id)
  return {
    title: `Delete ${id}`,
    text: (
      <>
        <p>Everything in it is deleted, its checkpoints and published pacts too.</p>
        {held === null ? <p>Its data cannot be read.</p> : <Counts counts={held} />}
      </>
    ),
    submit: 'Delete sandbox',
    cancel: to('sandboxes'),
  }
}
