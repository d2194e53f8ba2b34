/** The sandboxes of this server: creating, forking, resetting and deleting them. */
import type { Schemas } from '../../library/sandbox.ts'
import { SandboxError } from '../../library/sandbox-error.ts'
import { answerData, pathParameters } from '../../library/transport.ts'
import { byUser } from '../acts/clock-moves.ts'
import { bodyOf, fieldsFrom, instantHint } from '../forms/field.ts'
import { Form } from '../forms/form.tsx'
import { confirmation, type Question } from '../page-kinds/lists-and-questions.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { askLink, button } from '../ui/links.tsx'
import {
  ALWAYS_THERE,
  addressOf,
  type PageContext,
  pageIn,
  type View,
  withNotice,
} from '../ui/page-context.ts'
import { countFacts, Facts, Section, Table } from '../ui/table.tsx'
import { At, type ColumnOf, column } from '../ui/values.tsx'

const idHint = 'a-z, 0-9 and -; generated if empty'

const createFields = fieldsFrom({
  id: { label: 'Sandbox id', hint: idHint, paths: ['sandbox_id'], shortcut: 'c' },
  fixture: 'The data it starts with; the default fixture if empty',
  now: ['Start of its clock', instantHint('that of the fixture')],
})

const resetFields = fieldsFrom({ fixture: 'The fixture to start from; its own if empty' })

export const sandboxPages: PageTable = {
  sandboxes: {
    show: sandboxesPage,
    act: async ({ sandbox }, values) => {
      const { id } = await sandbox.create(bodyOf(createFields, values))
      return withNotice(addressOf(id), 'created')
    },
  },
  'sandboxes/fork': {
    act: async ({ sandbox }, values) => {
      const order = { id: values.text('fork_id'), checkpoint: values.text('checkpoint') }
      const forked = await sandbox.fork(order as Parameters<typeof sandbox.fork>[0])
      return withNotice(addressOf(forked.id), 'forked')
    },
  },
  'sandboxes/reset': confirmation({
    ask: ({ sandbox, summary: { counts } }) => ({
      title: `Reset ${sandbox.id}`,
      text: 'It starts again from its fixture, with the clock and the settings of the beginning. Its records, events, checkpoints and log of requests are deleted. Webhooks and published pacts stay. It has now:',
      ...{ counts, submit: 'Reset sandbox', fields: resetFields },
    }),
    act: ({ sandbox }, values) => sandbox.reset(bodyOf(resetFields, values)),
    leadsTo: ({ to }) => to(),
    did: 'reset',
  }),
  'sandboxes/:id/delete': confirmation({
    ask: askToDelete,
    act: ({ control, id }) =>
      answerData(control.DELETE('/sandboxes/{sandbox_id}', pathParameters({ sandbox_id: id }))),
    leadsTo: ({ id, sandbox, to }) =>
      id === sandbox.id ? addressOf(ALWAYS_THERE, 'sandboxes') : to('sandboxes'),
    did: 'deleted',
  }),
}

async function sandboxesPage(page: PageContext): Promise<View> {
  const { sandbox, summary } = page
  const [found, checkpoints] = await Promise.all([
    page.list('/sandboxes', page.cursor()),
    sandbox.checkpoints.list(),
  ])
  const moments = byUser(checkpoints).map(({ name }) => [name, `at the checkpoint ${name}`])
  const options = Object.fromEntries(moments)
  const forkFields = fieldsFrom({
    fork_id: { label: 'Sandbox id of the fork', hint: idHint, paths: ['sandbox_id'] },
    checkpoint: { label: 'From', none: 'as it is now', options, paths: ['from.checkpoint'] },
  })
  const body = [
    <Table caption="Sandboxes" rows={found} columns={columnsFor(sandbox.id)} />,
    <Section title={`This sandbox: ${sandbox.id}`} actions={button('Reset…', 'sandboxes/reset')}>
      <Facts facts={countFacts(summary.counts)} />
    </Section>,
    <div class="columns">
      <Form title="New sandbox" to="sandboxes" fields={createFields} submit="Create sandbox" />
      <Form
        title={`A fork of ${sandbox.id}`}
        to="sandboxes/fork"
        fields={forkFields}
        submit="Fork this sandbox"
      />
    </div>,
  ]
  const text =
    'Each has its own records, clock, settings and key. Tests that run side by side take one each.'
  return { title: 'Sandboxes', text, body }
}

function columnsFor(current: string): ColumnOf<Schemas['SandboxRow']>[] {
  return [
    column('Sandbox', ({ sandbox_id: id }) => [
      <a href={addressOf(id)}>{id}</a>,
      id === current && ' this one',
    ]),
    column('Virtual now', ({ now }) => (now ? <At instant={now} /> : 'its data cannot be read')),
    column('Key', ({ api_key: key }) => <code>{key}</code>),
    column('Actions', ({ sandbox_id: id }) => {
      if (id !== ALWAYS_THERE) return askLink('Delete', `sandboxes/${id}/delete`, id)
      return <span class="hint">always exists</span>
    }),
  ]
}

async function askToDelete(page: PageContext): Promise<Question> {
  const question = { title: `Delete ${page.id}`, submit: 'Delete sandbox' }
  const text = 'Everything in it is deleted, its checkpoints and published pacts too.'
  try {
    const { sandbox, summary } = await pageIn(page, page.id)
    const checkpoints = byUser(await sandbox.checkpoints.list()).length
    return { ...question, text, counts: { ...summary.counts, checkpoints } }
  } catch (refusal) {
    const isDamaged = refusal instanceof SandboxError && refusal.code === 'storage_damaged'
    if (isDamaged) return { ...question, text: `${text} Its data cannot be read.` }
    throw refusal
  }
}
