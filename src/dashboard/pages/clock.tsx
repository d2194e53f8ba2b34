/** The clock: moving it, seeing before what a move would do, and keeping a moment to come back to. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { eventText } from '../../wire/event-text.ts'
import { formPage, page, submit, withNotice } from '../page.tsx'
import { foundOrRefused, nothingSent, type Sent, type Values } from '../sent.ts'
import { statusNames } from '../statuses.ts'
import { dueText } from '../ui/clock-bar.tsx'
import { Form, PostButton, Refused, SelectField, TextField } from '../ui/form.tsx'
import type { Notice } from '../ui/notices.ts'
import { Empty, Facts, Heading, Section, Table } from '../ui/table.tsx'
import { At, Nothing } from '../ui/values.tsx'
import type { View } from '../view.ts'
import { addressOf, type Visit } from '../visit.ts'

export function clockPages(pages: Hono): void {
  pages.get('/clock', formPage(clockPage))
  pages.post('/clock/advance', submit({ act: advance, show: clockPage }))
  pages.get('/clock/preview', page(previewPage))
  pages.post('/clock/mode', submit({ act: setMode, show: clockPage }))
  pages.post('/clock/checkpoints', submit({ act: keep, show: clockPage }))
  pages.post('/clock/checkpoints/:name/fork', submit({ act: fork, show: clockPage }))
}

/** What the fields of a move ask for: a duration, the next events, an instant, or a status. */
function orderOf(values: Values): Schemas['ClockAdvance'] {
  const move = values.text('move')
  if (move === 'next') return { to_next: 1 }
  if (move === 'to') return { to: instantOf(values.raw('to')) }
  if (move !== 'until') return { by: move ?? values.raw('by') }
  const until = { subscription_id: values.raw('subscription_id'), status: values.raw('status') }
  return { until, within: values.text('within') ?? 'P1Y' }
}

/** A day is its first instant. */
export function instantOf(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00.000Z` : text
}

async function advance(visit: Visit, { values }: Sent): Promise<string> {
  const order = orderOf(values)
  const back = backOf(visit, values)
  if (values.isChecked('preview')) return visit.to('clock/preview', { ...queryOf(values), back })
  const { events, stopped_because: why } = await visit.sandbox.clock.advance(order)
  const done = withNotice(back, endings[why] ?? 'advanced')
  const [first] = events
  return first === undefined ? done : `${done}&seq=${first.seq - 1}`
}

/** What is said of a move that did not come as far as it was to. */
const endings: Partial<Record<Schemas['Advance']['stopped_because'], Notice>> = {
  condition_not_met: 'not_met',
  item_limit: 'cut_short',
  sandbox_full: 'full',
}

/** The same of a move that was not made. */
const previewedEndings: Partial<Record<Schemas['Advance']['stopped_because'], string>> = {
  condition_not_met: 'The subscription does not reach the status within that time.',
  item_limit: 'The move stops here: one move settles a million due items at most.',
  sandbox_full: 'The move stops here: the sandbox holds as many records as it may.',
}

const moveFields = ['move', 'to', 'by', 'subscription_id', 'status', 'within'] as const

function queryOf(values: Values): Record<string, string> {
  const given = moveFields.filter((name) => values.text(name) !== undefined)
  return Object.fromEntries(given.map((name) => [name, values.raw(name)]))
}

/** The page that the move was asked for on, without what it said then; no other place, however it is written. */
function backOf({ to }: Visit, values: Values): string {
  const start = `http://localhost${to()}`
  const asked = values.raw('back')
  const url = URL.canParse(asked, start) ? new URL(asked, start) : new URL(start)
  if (!url.href.startsWith(start)) return to('clock')
  url.searchParams.delete('did')
  url.searchParams.delete('seq')
  return `${url.pathname}${url.search}`
}

async function setMode({ sandbox, to }: Visit, { values }: Sent): Promise<string> {
  await sandbox.clock.set({ mode: values.raw('mode') === 'running' ? 'running' : 'frozen' })
  return withNotice(to('clock'), 'changed')
}

async function keep({ sandbox, to }: Visit, { values }: Sent): Promise<string> {
  await sandbox.checkpoint(values.raw('name'))
  return withNotice(to('clock'), 'kept')
}

async function fork({ sandbox, id }: Visit): Promise<string> {
  const forked = await sandbox.fork({ checkpoint: id })
  return withNotice(addressOf(forked.id), 'forked')
}

/** Which form of the page was sent: the clock above and the buttons are none of them. */
function formOf({ values }: Sent): 'by' | 'to' | 'until' | 'name' | null {
  const move = values.raw('move')
  if (move === 'to' || move === 'until') return move
  if (values.has('by')) return 'by'
  return values.has('name') ? 'name' : null
}

async function clockPage(visit: Visit, sent: Sent): Promise<View> {
  const { sandbox, clock, to } = visit
  const [checkpoints, statuses] = await Promise.all([
    sandbox.checkpoints.list(),
    statusNames(visit),
  ])
  const isRunning = clock.mode === 'running'
  const body = (
    <>
      <Heading title="Clock">
        <PostButton action={to('clock/mode')} values={{ mode: isRunning ? 'frozen' : 'running' }}>
          {isRunning ? 'Freeze' : 'Let it run with real time'}
        </PostButton>
      </Heading>
      {formOf(sent) === null && <Refused sent={sent} />}
      <Facts
        facts={[
          ['Virtual now', <At instant={clock.now} />],
          ['Mode', clock.mode],
          ['Next due', clock.next_due === null ? <Nothing /> : dueText(clock.next_due)],
        ]}
      />
      <Section title="Move">
        <Moves visit={visit} sent={sent} statuses={statuses} />
      </Section>
      <Checkpoints visit={visit} sent={sent} checkpoints={checkpoints} />
    </>
  )
  return { title: 'Clock', body }
}

/** As the sandbox calls the fields of a move. */
const paths = { subscription_id: ['until.subscription_id'], status: ['until.status'] }

const Moves: FC<{ visit: Visit; sent: Sent; statuses: readonly string[] }> = ({
  visit: { to },
  sent,
  statuses,
}) => {
  const of = (name: string) => (formOf(sent) === name ? { ...sent, paths } : nothingSent)
  const action = to('clock/advance')
  return (
    <div class="columns">
      <Form action={action} sent={of('to')} submit="Move to date">
        <input type="hidden" name="move" value="to" />
        <TextField name="to" label="To a date" hint="2027-03-01, or an instant" sent={of('to')} />
        <PreviewFirst />
      </Form>
      <Form action={action} sent={of('by')} submit="Move by duration">
        <TextField name="by" label="By a duration" hint="P14D, P2W, P1M, PT1H" sent={of('by')} />
        <PreviewFirst />
      </Form>
      <Form action={action} sent={of('until')} submit="Move until status">
        <input type="hidden" name="move" value="until" />
        <TextField name="subscription_id" label="Until a subscription" sent={of('until')} />
        <SelectField name="status" label="has the status" options={statuses} sent={of('until')} />
        <TextField name="within" label="Within" hint="P1Y if empty" sent={of('until')} />
        <PreviewFirst />
      </Form>
    </div>
  )
}

const PreviewFirst: FC = () => (
  <div class="field check">
    <label>
      <input type="checkbox" name="preview" value="true" />
      Preview first
    </label>
  </div>
)

const Checkpoints: FC<{
  visit: Visit
  sent: Sent
  checkpoints: readonly Schemas['Checkpoint'][]
}> = ({ visit: { to }, sent, checkpoints }) => {
  const named = formOf(sent) === 'name' ? sent : nothingSent
  return (
    <Section title="Checkpoints" id="checkpoints">
      <Table
        caption="Checkpoints"
        rows={checkpoints}
        columns={[
          { name: 'Name', cell: ({ name }) => name },
          { name: 'Virtual time', cell: ({ now }) => <At instant={now} /> },
          {
            name: 'Actions',
            cell: ({ name }) => (
              <div class="actions">
                <a href={to(`clock/checkpoints/${encodeURIComponent(name)}/restore`)}>Restore…</a>
                <PostButton
                  action={to(`clock/checkpoints/${encodeURIComponent(name)}/fork`)}
                  label={`Fork ${name}`}
                >
                  Fork
                </PostButton>
                <a href={to(`clock/checkpoints/${encodeURIComponent(name)}/delete`)}>Delete…</a>
              </div>
            ),
          },
        ]}
        empty={<Empty>No checkpoint yet. Create one to return to this moment later.</Empty>}
      />
      <Form action={to('clock/checkpoints')} sent={named} submit="Create checkpoint">
        <TextField name="name" label="Name" hint="before-renewal" sent={named} />
      </Form>
    </Section>
  )
}

async function previewPage(visit: Visit): Promise<View> {
  const { sandbox, asked: values } = visit
  const order = { ...orderOf(values), dry_run: true } as Schemas['ClockAdvance']
  const { found, refusal } = await foundOrRefused(() => sandbox.clock.advance(order))
  if (found === null) return clockPage(visit, { values, refusal })
  const back = backOf(visit, values)
  const more = found.events_total - found.events.length
  const ending = previewedEndings[found.stopped_because]
  const body = (
    <>
      <Heading title="What would happen">
        <PostButton action={visit.to('clock/advance')} values={{ ...queryOf(values), back }}>
          Move the clock
        </PostButton>
        <a href={back}>Stay here</a>
      </Heading>
      <Facts
        facts={[
          ['From', <At instant={found.from} />],
          ['To', <At instant={found.to} />],
          ['Events', String(found.events_total)],
        ]}
      />
      {ending && <p class="notice">{ending}</p>}
      <Table
        caption="Events that would happen"
        rows={found.events.filter((event) => eventText(event) !== null)}
        columns={[
          { name: 'At', cell: ({ at }) => <At instant={at} /> },
          { name: 'About', cell: ({ subject }) => subject.id },
          { name: 'What', cell: (event) => eventText(event) },
        ]}
        empty={<Empty>Nothing would happen on the way.</Empty>}
      />
      {more > 0 && <p class="hint">and {String(more)} more</p>}
    </>
  )
  return { title: 'What would happen', body, live: 'nothing' }
}
