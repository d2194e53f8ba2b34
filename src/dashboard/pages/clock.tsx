/** The clock: moving it, previewing a move, and keeping a moment to come back to. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { eventText } from '../../wire/event-text.ts'
import type { FieldDeclaration } from '../forms/field.ts'
import { Form, FormFields, Hidden, PostButton, Refused } from '../forms/form.tsx'
import { confirmation } from '../page-kinds/confirmation.tsx'
import { leadingTo, type PageTable } from '../page-kinds/page-row.tsx'
import { statusNames } from '../reading/statuses.ts'
import { dueText } from '../ui/clock-bar.tsx'
import { type Column, count, factsOf, instant, text } from '../ui/columns.tsx'
import { emptyForm, type FormState, type FormValues, foundOrRefused } from '../ui/form-state.ts'
import { PageLink } from '../ui/links.tsx'
import type { Notice } from '../ui/notices.ts'
import { addressOf, type PageContext, type View, withNotice } from '../ui/page-context.ts'
import { Empty, Facts, Heading, More, Section, Table } from '../ui/table.tsx'
import { At, Nothing } from '../ui/values.tsx'

const sentToClock = { hasNoPage: true, show: clockPage } as const

export const clockPages: PageTable = {
  clock: { show: clockPage },
  'clock/advance': { ...sentToClock, act: advance },
  'clock/preview': { show: previewPage },
  'clock/mode': {
    ...sentToClock,
    act: leadingTo('clock', 'changed', ({ sandbox }, { values }) =>
      sandbox.clock.set({ mode: values.raw('mode') === 'running' ? 'running' : 'frozen' }),
    ),
  },
  'clock/checkpoints': {
    ...sentToClock,
    act: leadingTo('clock', 'kept', ({ sandbox }, { values }) =>
      sandbox.checkpoint(values.raw('name')),
    ),
  },
  'clock/checkpoints/:name/fork': {
    ...sentToClock,
    act: async ({ sandbox, id }) => {
      const forked = await sandbox.fork({ checkpoint: id })
      return withNotice(addressOf(forked.id), 'forked')
    },
  },
  'clock/checkpoints/:name/restore': confirmation({
    ask: ({ id }) => ({
      title: `Restore ${id}`,
      text: 'Everything that happened in this sandbox since then is lost: subscriptions, invoices, events and the clock are as they were. To keep both, fork the checkpoint instead.',
      submit: 'Restore',
    }),
    back: 'clock',
    act: ({ sandbox, id }) => sandbox.checkpoints.restore(id),
    leadsTo: ({ to }) => to(),
    did: 'restored',
  }),
  'clock/checkpoints/:name/delete': confirmation({
    ask: ({ id }) => ({
      title: `Delete the checkpoint ${id}`,
      text: 'The sandbox stays as it is. That moment cannot be restored any more.',
      submit: 'Delete',
    }),
    back: 'clock',
    act: ({ sandbox, id }) => sandbox.checkpoints.delete(id),
    did: 'deleted',
  }),
}

/** The move that the fields ask for: by a duration, to the next events, to an instant, or until a status. */
function moveOf(values: FormValues): Schemas['ClockAdvance'] {
  const move = values.text('move')
  if (move === 'next') return { to_next: 1 }
  if (move === 'to') return { to: instantOf(values.raw('to')) }
  if (move !== 'until') return { by: move ?? values.raw('by') }
  const until = { subscription_id: values.raw('subscription_id'), status: values.raw('status') }
  return { until, within: values.text('within') ?? 'P1Y' }
}

/** A day is its first instant. */
export function instantOf(typed: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(typed) ? `${typed}T00:00:00.000Z` : typed
}

async function advance(page: PageContext, { values }: FormState): Promise<string> {
  const move = moveOf(values)
  const back = backOf(page, values)
  if (values.isChecked('preview')) return page.to('clock/preview', { ...queryOf(values), back })
  const { events, stopped_because: why } = await page.sandbox.clock.advance(move)
  const done = withNotice(back, endings[why]?.[0] ?? 'advanced')
  const [first] = events
  return first === undefined ? done : `${done}&seq=${first.seq - 1}`
}

/** Why a move stops early: the notice, and the sentence of its preview. */
const endings: Partial<Record<Schemas['Advance']['stopped_because'], readonly [Notice, string]>> = {
  condition_not_met: ['not_met', 'The subscription does not reach the status within that time.'],
  item_limit: ['cut_short', 'The move stops here: one move settles a million due items at most.'],
  sandbox_full: ['full', 'The move stops here: the sandbox holds as many records as it may.'],
}

const moveFields = ['move', 'to', 'by', 'subscription_id', 'status', 'within'] as const

function queryOf(values: FormValues): Record<string, string> {
  const given = moveFields.filter((name) => values.text(name) !== undefined)
  return Object.fromEntries(given.map((name) => [name, values.raw(name)]))
}

/** The page that the move came from, without its notice; no address outside of the sandbox, however it is written. */
function backOf({ to }: PageContext, values: FormValues): string {
  const start = `http://localhost${to()}`
  const typed = values.raw('back')
  const url = URL.canParse(typed, start) ? new URL(typed, start) : new URL(start)
  if (!url.href.startsWith(start)) return to('clock')
  url.searchParams.delete('did')
  url.searchParams.delete('seq')
  return `${url.pathname}${url.search}`
}

type FormName = 'by' | 'to' | 'until' | 'name'

/** Which form of the page was sent; null for the clock above and the buttons. */
function formNameOf({ values }: FormState): FormName | null {
  const move = values.raw('move')
  if (move === 'to' || move === 'until') return move
  if (values.has('by')) return 'by'
  return values.has('name') ? 'name' : null
}

/** The names of the sandbox for the fields of a move. */
const paths = { subscription_id: ['until.subscription_id'], status: ['until.status'] }

async function clockPage(page: PageContext, form: FormState): Promise<View> {
  const { sandbox, clock, to } = page
  const [checkpoints, statuses] = await Promise.all([sandbox.checkpoints.list(), statusNames(page)])
  const isRunning = clock.mode === 'running'
  const formFor = (name: FormName) => (formNameOf(form) === name ? { ...form, paths } : emptyForm)
  const body = (
    <>
      <Heading title="Clock">
        <PostButton to="clock/mode" values={{ mode: isRunning ? 'frozen' : 'running' }}>
          {isRunning ? 'Freeze' : 'Let it run with real time'}
        </PostButton>
      </Heading>
      {formNameOf(form) === null && <Refused form={form} />}
      <Facts
        facts={[
          ['Virtual now', <At instant={clock.now} />],
          ['Mode', clock.mode],
          ['Next due', clock.next_due === null ? <Nothing /> : dueText(clock.next_due)],
        ]}
      />
      <Section title="Move">
        <div class="columns">
          {moves(statuses).map(({ name, submit, fields }) => (
            <Form action={to('clock/advance')} form={formFor(name)} submit={submit}>
              {name !== 'by' && <Hidden values={{ move: name }} />}
              <FormFields fields={fields} />
              <PreviewFirst />
            </Form>
          ))}
        </div>
      </Section>
      <Section title="Checkpoints" id="checkpoints">
        <Table
          caption="Checkpoints"
          rows={checkpoints}
          columns={checkpointColumns}
          empty={<Empty>No checkpoint yet. Create one to return to this moment later.</Empty>}
        />
        <Form
          action={to('clock/checkpoints')}
          form={formFor('name')}
          fields={[{ name: 'name', hint: 'before-renewal' }]}
          submit="Create checkpoint"
        />
      </Section>
    </>
  )
  return { title: 'Clock', body }
}

/** The forms that move the clock. */
function moves(statuses: readonly string[]) {
  const to: FieldDeclaration[] = [
    { name: 'to', label: 'To a date', hint: '2027-03-01, or an instant' },
  ]
  const by: FieldDeclaration[] = [
    { name: 'by', label: 'By a duration', hint: 'P14D, P2W, P1M, PT1H' },
  ]
  const until: FieldDeclaration[] = [
    { name: 'subscription_id', label: 'Until a subscription' },
    { name: 'status', label: 'has the status', options: statuses },
    { name: 'within', hint: 'P1Y if empty' },
  ]
  return [
    { name: 'to', submit: 'Move to date', fields: to },
    { name: 'by', submit: 'Move by duration', fields: by },
    { name: 'until', submit: 'Move until status', fields: until },
  ] as const
}

/** Several forms have this box: it has no id. */
const PreviewFirst: FC = () => (
  <div class="field check">
    <label>
      <input type="checkbox" name="preview" value="true" />
      Preview first
    </label>
  </div>
)

const checkpointColumns: readonly Column<Schemas['Checkpoint']>[] = [
  text('Name', 'name'),
  instant('Virtual time', 'now'),
  {
    name: 'Actions',
    cell: ({ name }) => {
      const path = `clock/checkpoints/${encodeURIComponent(name)}`
      return (
        <div class="actions">
          <PageLink to={`${path}/restore`}>Restore…</PageLink>
          <PostButton to={`${path}/fork`} label={`Fork ${name}`}>
            Fork
          </PostButton>
          <PageLink to={`${path}/delete`}>Delete…</PageLink>
        </div>
      )
    },
  },
]

async function previewPage(page: PageContext): Promise<View> {
  const { sandbox, queryValues: values } = page
  const move = { ...moveOf(values), dry_run: true } as Schemas['ClockAdvance']
  const { found, refusal } = await foundOrRefused(() => sandbox.clock.advance(move))
  if (found === null) return clockPage(page, { values, refusal })
  const back = backOf(page, values)
  const ending = endings[found.stopped_because]?.[1]
  const body = (
    <>
      <Heading title="What would happen">
        <PostButton to="clock/advance" values={{ ...queryOf(values), back }}>
          Move the clock
        </PostButton>
        <a href={back}>Stay here</a>
      </Heading>
      <Facts
        facts={factsOf(found, [
          instant('From', 'from'),
          instant('To', 'to'),
          count('Events', 'events_total'),
        ])}
      />
      {ending && <p class="notice">{ending}</p>}
      <Table
        caption="Events that would happen"
        rows={found.events.filter((event) => eventText(event) !== null)}
        columns={[
          instant('At', 'at'),
          { name: 'About', cell: ({ subject }) => subject.id },
          { name: 'What', cell: (event) => eventText(event) },
        ]}
        empty={<Empty>Nothing would happen on the way.</Empty>}
      />
      <More count={found.events_total - found.events.length} />
    </>
  )
  return { title: 'What would happen', body, live: 'nothing' }
}
