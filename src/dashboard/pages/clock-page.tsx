/** The page of the clock: its state, the forms that move it, and the checkpoints. */
import type { Schemas } from '../../library/sandbox.ts'
import { byUser, isAutomatic, lastMoveOf } from '../acts/clock-moves.ts'
import { Hidden } from '../forms/controls.tsx'
import { fieldsFrom } from '../forms/field.ts'
import { Form, PostButton, Refused } from '../forms/form.tsx'
import { statusNames } from '../reading/statuses.ts'
import { dueText, PreviewFirst } from '../ui/layout.tsx'
import { button, PageLink } from '../ui/links.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { Facts, Section, Table } from '../ui/table.tsx'
import { At, type ColumnOf, Nothing } from '../ui/values.tsx'

export async function clockPage(page: PageContext): Promise<View> {
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
        {moveForms(statuses).map(({ move, ...parts }) => (
          <Form to="clock/advance" {...parts}>
            {move && <Hidden values={{ move }} />}
            <div>
              <PreviewFirst />
            </div>
          </Form>
        ))}
      </div>
    </Section>,
    <Section title="Checkpoints" id="checkpoints">
      <Table
        caption="Checkpoints"
        rows={byUser(checkpoints)}
        columns={checkpointColumns}
        empty="No checkpoint yet. Create one to return to this moment later."
      />
      <Form
        to="clock/checkpoints"
        fields={[{ name: 'name', hint: 'before-renewal' }]}
        submit="Create checkpoint"
      />
    </Section>,
  ]
  const actions = [
    last && button('Undo the last move…', restorePath(last)),
    <PostButton to="clock/mode" values={{ mode: isRunning ? 'frozen' : 'running' }}>
      {isRunning ? 'Freeze' : 'Let it run with real time'}
    </PostButton>,
  ]
  return { title: 'Clock', actions, body }
}

/** The forms that move the clock. */
function moveForms(statuses: readonly string[]) {
  const until = fieldsFrom({
    subscription_id: { label: 'Until a subscription', paths: ['until.subscription_id'] },
    status: { label: 'has the status', options: statuses, paths: ['until.status'] },
    within: 'P6M; a year if empty',
    anyway: { label: 'Move even if it is not reached', kind: 'check', paths: [] },
  })
  const to = fieldsFrom({ to: ['To a date', '2027-03-01, or an instant'] })
  const by = fieldsFrom({ by: ['By a duration', 'P14D, P2W, P1M, PT1H'] })
  return [
    { move: 'to', submit: 'Move to date', fields: to },
    { move: null, submit: 'Move by duration', fields: by },
    { move: 'until', submit: 'Move until status', fields: until },
  ]
}

const checkpointColumns: readonly ColumnOf<Schemas['Checkpoint']>[] = [
  'name',
  'now',
  {
    name: 'Actions',
    cell: ({ name }) => {
      const path = `clock/checkpoints/${encodeURIComponent(name)}`
      return (
        <div class="actions">
          <PageLink to={restorePath({ name })}>Restore…</PageLink>
          <PostButton to="sandboxes/fork" values={{ checkpoint: name }} label={`Fork ${name}`}>
            Fork
          </PostButton>
          <PageLink to={`${path}/delete`}>Delete…</PageLink>
        </div>
      )
    },
  },
]

/** The page that asks before it restores a checkpoint, of the user or before a move. */
export function restorePath({ name }: Pick<Schemas['Checkpoint'], 'name'>): string {
  const id = encodeURIComponent(name)
  return isAutomatic({ name }) ? `clock/undo/${id}` : `clock/checkpoints/${id}/restore`
}
