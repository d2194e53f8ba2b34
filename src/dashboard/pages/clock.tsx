/** The clock: moving it forward and back, what a move would do, undoing one, and checkpoints. */
import type { Schemas } from '../../library/sandbox.ts'
import { instantText } from '../../wire/common/text.ts'
import {
  byUser,
  changesAfter,
  checkpointBefore,
  checkpointsAround,
  countsText,
  createCheckpoint,
  isAutomatic,
  lastMoveOf,
  moveAfterCheckpoint,
  restore,
} from '../acts/clock-moves.ts'
import { Hidden } from '../forms/controls.tsx'
import { fieldsFrom } from '../forms/field.ts'
import { Form, PostButton, Refused } from '../forms/form.tsx'
import { confirmation } from '../page-kinds/lists-and-questions.tsx'
import { type PageTable, thenLead } from '../page-kinds/page-row.tsx'
import { statusNames } from '../reading/statuses.ts'
import { callOrRefusal, type FormValues } from '../ui/form-state.ts'
import { dueText, PreviewFirst } from '../ui/layout.tsx'
import { button, PageLink } from '../ui/links.tsx'
import { type Notice, notices } from '../ui/notices.ts'
import {
  addressWithin,
  type PageContext,
  type View,
  withForm,
  withNotice,
} from '../ui/page-context.ts'
import { Facts, Section, Table } from '../ui/table.tsx'
import { At, type ColumnOf, column, eventSentence, factsOf, Nothing } from '../ui/values.tsx'

export const clockPages: PageTable = {
  clock: { show: clockPage },
  'clock/advance': { act: advance },
  'clock/preview': { show: previewPage },
  'clock/mode': {
    act: thenLead('changed', ({ sandbox }, values) =>
      sandbox.clock.set({ mode: values.raw('mode') === 'running' ? 'running' : 'frozen' }),
    ),
  },
  'clock/checkpoints': {
    act: thenLead('kept', (page, values) => createCheckpoint(page, values.raw('name'))),
  },
  'clock/undo': { act: undo },
  'clock/undo/:name': confirmation({
    ask: async (page) => {
      const { now } = await checkpointBefore(page, page.id)
      const text = `The sandbox goes back to ${instantText(now)}. Everything that changed since then is lost, also what was done after the move.`
      const choices = <Hidden values={{ back: page.query('back') ?? page.to('clock') }} />
      return { title: 'Undo the move', text, submit: 'Undo', choices }
    },
    act: async (page) => restore(page, await checkpointBefore(page, page.id)),
    leadsTo: backOf,
    did: 'undone',
  }),
  'clock/checkpoints/:name/restore': confirmation({
    ask: {
      title: 'Restore',
      text: 'Everything that happened in this sandbox since then is lost: subscriptions, invoices, events and the clock are as they were. To keep both, fork the checkpoint instead.',
      submit: 'Restore',
    },
    act: ({ sandbox, id }) => sandbox.checkpoints.restore(id),
    leadsTo: ({ to }) => to(),
    did: 'restored',
  }),
  'clock/checkpoints/:name/delete': confirmation({
    ask: {
      title: 'Delete the checkpoint',
      text: 'The sandbox stays as it is. That moment cannot be restored any more.',
      submit: 'Delete',
    },
    act: ({ sandbox, id }) => sandbox.checkpoints.delete(id),
    did: 'deleted',
  }),
}

async function clockPage(page: PageContext): Promise<View> {
  const { sandbox, clock, form } = page
  const [checkpoints, statuses] = await Promise.all([sandbox.checkpoints.list(), statusNames(page)])
  const last = lastMoveOf(checkpoints, page)
  const isRunning = clock.mode === 'running'
  const body = [
    // The clock above and the buttons have no field of these forms.
    !['by', 'to', 'subscription_id', 'name'].some(form.values.has) && <Refused form={form} />,
    <Facts
      facts={[
        ['Virtual now', <At instant={clock.now} />],
        ['Mode', clock.mode],
        ['Next due', clock.next_due ? dueText(clock.next_due) : <Nothing />, 'next_due'],
      ]}
    />,
    <Section title="Move">
      <div class="columns">
        {Object.entries(formsOf(statuses)).map(([move, [submit, fields]]) => (
          <Form to="clock/advance" submit={submit} fields={fields}>
            {move && <Hidden values={{ move }} />}
            <div>
              <PreviewFirst />
            </div>
          </Form>
        ))}
      </div>
    </Section>,
    <Table
      title="Checkpoints"
      rows={byUser(checkpoints)}
      columns={checkpointColumns}
      empty="No checkpoint yet. Create one to return to this moment later."
    >
      <Form
        to="clock/checkpoints"
        fields={[{ name: 'name', hint: 'before-renewal', shortcut: 'c' }]}
        submit="Create checkpoint"
      />
    </Table>,
  ]
  const actions = [
    last && button('Undo the last move…', restorePath(last)),
    <PostButton to="clock/mode" values={{ mode: isRunning ? 'frozen' : 'running' }}>
      {isRunning ? 'Freeze' : 'Let it run with real time'}
    </PostButton>,
  ]
  return { title: 'Clock', actions, body }
}

/** The fields of the forms that move the clock, with the label of each button. */
function formsOf(statuses: readonly string[]) {
  const until = fieldsFrom({
    subscription_id: { label: 'Until a subscription', paths: ['until.subscription_id'] },
    status: { label: 'has the status', options: statuses, paths: ['until.status'] },
    within: 'P6M; a year if empty',
    anyway: { label: 'Move even if it is not reached', kind: 'check', paths: [] },
  })
  const to = fieldsFrom({ to: ['To a date', '2027-03-01, or an instant'] })
  const by = fieldsFrom({ by: ['By a duration', 'P14D, P2W, P1M, PT1H'] })
  return {
    to: ['Move to date', to],
    '': ['Move by duration', by],
    until: ['Move until status', until],
  } as const
}

const checkpointColumns: readonly ColumnOf<Schemas['Checkpoint']>[] = [
  'name',
  'now',
  column('Actions', ({ name }) => (
    <div class="actions">
      <PageLink to={restorePath({ name })}>Restore…</PageLink>
      <PostButton to="sandboxes/fork" values={{ checkpoint: name }} label={`Fork ${name}`}>
        Fork
      </PostButton>
      <PageLink to={`clock/checkpoints/${encodeURIComponent(name)}/delete`}>Delete…</PageLink>
    </div>
  )),
]

/** The page that asks before it restores a checkpoint, of the user or before a move. */
function restorePath({ name }: Pick<Schemas['Checkpoint'], 'name'>): string {
  const id = encodeURIComponent(name)
  return isAutomatic({ name }) ? `clock/undo/${id}` : `clock/checkpoints/${id}/restore`
}

/** The move that the fields ask for: by a duration, to the next events, to an instant, or until a status. */
function moveOf(values: FormValues): Schemas['ClockAdvance'] {
  const move = values.text('move')
  if (move === 'next') return { to_next: 1 }
  if (move === 'to') return { to: values.raw('to') }
  if (move !== 'until') return { by: move ?? values.raw('by') }
  const until = { subscription_id: values.raw('subscription_id'), status: values.raw('status') }
  const within = values.text('within')
  return { until, ...(within === undefined ? {} : { within }) }
}

async function advance(page: PageContext, values: FormValues): Promise<string | View> {
  const back = backOf(page, values)
  if (values.text('move') === 'back') return goBack(page, values)
  const move = moveOf(values)
  if (values.has('preview') || (await isMissed(page, move, values))) {
    return page.to('clock/preview', { ...values.filled(moveFields), back })
  }
  const { moved, name } = await moveAfterCheckpoint(page, move)
  const done = withNotice(back, endings[moved.stopped_because]?.[0] ?? 'advanced')
  const [first] = moved.events
  return `${done}${first ? `&seq=${first.seq - 1}` : ''}&undo=${name}`
}

/** Whether a move would not reach its status, and is not to be made then. */
async function isMissed(page: PageContext, move: Schemas['ClockAdvance'], values: FormValues) {
  if (values.text('move') !== 'until' || values.has('anyway')) return false
  const { stopped_because: why } = await page.sandbox.clock.advance({ ...move, dry_run: true })
  return why === 'condition_not_met'
}

/** Undoes a move at once if nothing was changed after it; else it asks. */
async function undo(page: PageContext, values: FormValues): Promise<string> {
  const name = values.raw('undo')
  const back = backOf(page, values)
  const changes = await changesAfter(page, name)
  if (changes?.join() !== 'advanceClock') return page.to(restorePath({ name }), { back })
  await restore(page, await checkpointBefore(page, name))
  return withNotice(back, 'undone')
}

/** Restores the newest checkpoint at or before an instant at once if only the clock was moved after it; else it asks. */
async function goBack(page: PageContext, values: FormValues): Promise<string> {
  const back = backOf(page, values)
  const { found: checkpoint } = await checkpointsAround(page, values.raw('to'))
  if (checkpoint === undefined) return withNotice(back, 'no_checkpoint')
  const changes = await changesAfter(page, checkpoint.name)
  const isClockOnly = changes?.every((id) => id === 'advanceClock' || id === 'createCheckpoint')
  if (!isClockOnly) return page.to(restorePath(checkpoint), { back })
  await restore(page, checkpoint)
  return withNotice(back, 'moved_back')
}

/** Why a move stops early: the notice, and the sentence of its preview. */
const endings: Partial<Record<Schemas['Advance']['stopped_because'], readonly [Notice, string]>> = {
  condition_not_met: ['not_met', 'Not reached within that time: the clock has not moved.'],
  item_limit: ['cut_short', 'The move stops here: one move settles a million due items at most.'],
  sandbox_full: ['full', 'The move stops here: the sandbox holds as many records as it may.'],
}

const moveFields = ['move', 'to', 'by', 'subscription_id', 'status', 'within', 'anyway'] as const

function backOf(page: PageContext, values: FormValues): string {
  return addressWithin(page, values.raw('back')) ?? page.to('clock')
}

const PREVIEW = 'What would happen'

/** Which checkpoint a move back would restore. A script that moves the clock by hand reads the outcome of each preview. */
async function backPreviewPage(page: PageContext): Promise<View> {
  const { found, next } = await checkpointsAround(page, page.form.values.raw('to'))
  const name = found && (isAutomatic(found) ? 'before a move' : `the checkpoint ${found.name}`)
  const body = (
    <p id="outcome" data-at={found?.now} data-next={next}>
      {found ? `back to ${instantText(found.now)}, ${name}` : notices.no_checkpoint}
    </p>
  )
  return { title: PREVIEW, body, live: 'nothing' }
}

async function previewPage(page: PageContext): Promise<View> {
  const { values } = page.form
  if (values.text('move') === 'back') return backPreviewPage(page)
  const move = { ...moveOf(values), dry_run: true } as Schemas['ClockAdvance']
  const { found, refusal } = await callOrRefusal(() => page.sandbox.clock.advance(move))
  // As if the form had been sent for good.
  if (found === null) {
    return clockPage(withForm(page, { values, refusal }, page.to('clock/advance')))
  }
  const back = backOf(page, values)
  const ending = endings[found.stopped_because]?.[1]
  const anyway = found.stopped_because === 'condition_not_met' && { anyway: 'true' }
  // To the same instant, wherever the clock is by then.
  const same = found.stopped_because === 'reached' && { move: 'to', to: found.to }
  const sent = { ...values.filled(moveFields), ...same, back, ...anyway }
  // Some events only repeat what another says.
  const listed = found.events.filter((event) => eventSentence(event) !== null)
  const rest = found.events_total - found.events.length
  const eventCount = `${listed.length}${rest > 0 ? `, and ${rest} more` : ''}`
  const body = [
    ending && <p class="notice warning">{ending}</p>,
    <p id="outcome" data-at={found.to} data-next={found.next_due?.at}>
      {`to ${instantText(found.to)}: ${countsText(found.events, rest > 0) || 'nothing is billed'}`}
    </p>,
    <Facts facts={[...factsOf(found, ['from', 'to']), ['Events', eventCount]]} />,
    <Table
      caption="Events that would happen"
      rows={listed}
      columns={[
        'at',
        { name: 'About', cell: ({ subject }) => subject.id },
        { name: 'What', wraps: true, cell: (event) => eventSentence(event) },
      ]}
      empty="Nothing would happen on the way."
      more={rest}
    />,
  ]
  const actions = [
    <PostButton to="clock/advance" values={sent}>
      {anyway ? 'Move anyway' : 'Move the clock'}
    </PostButton>,
    <a href={back}>Stay here</a>,
  ]
  return { title: PREVIEW, actions, body, live: 'nothing' }
}
