/** Faults: calls on /v1 that fail on purpose. */
import type { Schemas } from '../../library/sandbox.ts'
import { FormField, FormFields } from '../forms/controls.tsx'
import { bodyOf, type FieldDeclaration } from '../forms/field.ts'
import { Form, PostButton } from '../forms/form.tsx'
import { confirmation } from '../page-kinds/lists-and-questions.tsx'
import { buttonRow, type PageTable, thenLead } from '../page-kinds/page-row.tsx'
import { type FormValues, jsonOr } from '../ui/form-state.ts'
import { dangerButton, prose } from '../ui/links.tsx'
import { NEWEST, type PageContext, type View } from '../ui/page-context.ts'
import { Table } from '../ui/table.tsx'
import { type ColumnOf, column } from '../ui/values.tsx'

type Fault = Schemas['Fault']

export const faultPages: PageTable = {
  faults: {
    show: faultsPage,
    act: thenLead('created', ({ sandbox }, sent) => sandbox.faults.create(faultOf(sent)), 'faults'),
  },
  'faults/clear': confirmation({
    ask: async ({ sandbox }) => {
      const { length } = await sandbox.faults.list()
      return {
        title: 'Delete all faults',
        text: `${length === 1 ? '1 fault is' : `${length} faults are`} deleted, with the counts of matched calls. Calls that failed stay in the log of requests.`,
        submit: 'Delete all faults',
      }
    },
    act: ({ sandbox }) => sandbox.faults.clear(),
    did: 'cleared',
  }),
  'faults/:id/delete': buttonRow('deleted', ({ sandbox, id }) => sandbox.faults.delete(id)),
}

const operationField = { name: 'match.operation', label: 'Operation', none: 'All', shortcut: 'c' }

const matchFields: readonly FieldDeclaration[] = [
  { name: 'match.header.name', label: 'Header' },
  { name: 'match.header.value', label: 'Header value' },
  { name: 'match.field.name', label: 'Body field' },
  { name: 'match.field.value', label: 'Field value' },
  { name: 'nth', label: 'From call number', kind: 'integer', hint: 'The first call if empty' },
  { name: 'times', label: 'Number of calls', kind: 'integer', hint: 'All calls if both are empty' },
]

const effectFields: readonly FieldDeclaration[] = [
  { name: 'effect.status', label: 'Status', kind: 'integer' },
  { name: 'effect.body', label: 'Body', hint: 'A text, or an object in JSON' },
  { name: 'effect.delay_ms', label: 'Delay in ms', kind: 'integer' },
  { name: 'effect.slow_ms', label: 'Body duration in ms', kind: 'integer' },
]

const endFields: readonly FieldDeclaration[] = [
  { name: 'effect.drop', label: 'Close the connection without an answer', kind: 'check' },
  { name: 'effect.cut', label: 'Close the connection in the middle of the body', kind: 'check' },
  { name: 'effect.malformed', label: 'Truncate the body', kind: 'check' },
]

const whenField: FieldDeclaration = {
  name: 'when',
  label: 'Is the operation executed?',
  none: 'Only if its own answer is damaged',
  options: { before: 'No: it fails before', after: 'Yes: it fails after' },
}

type Members = Record<string, unknown>

/** The fault as its fields say; each is named by its path in the fault. */
function faultOf(values: FormValues): Schemas['FaultCreate'] {
  const fields = [operationField, ...matchFields, ...effectFields, ...endFields, whenField]
  const body = bodyFrom(values.raw('effect.body')) || undefined
  const fault: Members = { match: {}, effect: {} }
  for (const [path, value] of Object.entries({ ...bodyOf(fields, values), 'effect.body': body })) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    // Absent members are left out on the way; the sandbox says what is wrong in the others.
    if (value === undefined) continue
    const within = names.reduce((at, name) => {
      at[name] ??= {}
      return at[name] as Members
    }, fault)
    within[last] = value
  }
  return fault as unknown as Schemas['FaultCreate']
}

/** An object is sent as JSON, anything else as text. */
function bodyFrom(typed: string): unknown {
  const value = jsonOr(typed)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : typed
}

async function faultsPage({ sandbox }: PageContext): Promise<View> {
  const faults = await sandbox.faults.list({ order: NEWEST })
  const { seen, unseen } = await sandbox.coverage()
  const called = seen.answers.map(({ operation_id: id }) => id)
  const options = [...new Set([...unseen.operations, ...called])].sort()
  const body = [
    <Table
      caption="Faults, newest first"
      rows={faults}
      columns={columns}
      empty="No call fails on purpose. Make a fault below."
    />,
    <Form title="New fault" to="faults" submit="Create fault">
      <fieldset class="form">
        <legend>Which calls</legend>
        <FormField {...operationField} options={options} />
        <div class="columns">
          <FormFields fields={matchFields} />
        </div>
      </fieldset>
      <fieldset class="form">
        <legend>Effect</legend>
        <div class="columns">
          <FormFields fields={effectFields} />
        </div>
        <FormFields fields={[...endFields, whenField]} />
      </fieldset>
    </Form>,
  ]
  const text = 'Calls on /v1 that fail on purpose, so that you see how your client handles it.'
  const clear = faults.length > 0 && dangerButton('Delete all…', 'faults/clear')
  const actions = [clear, prose('[Requests](requests)')]
  return { title: 'Faults', text, actions, body, live: 'requests' }
}

const columns: readonly ColumnOf<Fault>[] = [
  'fault_id',
  column('Calls', matchText, { wraps: true }),
  column('Effect', effectText, { wraps: true }),
  'matched',
  'used',
  column('Left', ({ left }) => String(left ?? 'no end'), { isNumber: true }),
  column('Actions', ({ fault_id: id }) => (
    <PostButton to={`faults/${id}/delete`} label={`Delete ${id}`}>
      Delete
    </PostButton>
  )),
]

function matchText({ match, nth, times, probability }: Fault): string {
  const { operation, header, field } = match
  const parts = [
    operation ?? 'any operation',
    header && `with the header ${header.name}: ${header.value}`,
    field && `with ${field.name} = ${field.value}`,
    nth > 1 && `from call ${nth} on`,
    times !== null && (times === 1 ? 'once' : `${times} times`),
    probability < 1 && `with a probability of ${probability}`,
  ]
  return parts.filter(Boolean).join(', ')
}

function effectText({ effect, when }: Fault): string {
  const { status, body, headers, delay_ms, slow_ms, drop, cut, malformed } = effect
  const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const parts = [
    status !== null && `answered with ${status}`,
    body !== null && 'with a body of its own',
    named.length > 0 && `with ${named.join(', ')}`,
    delay_ms > 0 && `held up for ${delay_ms} ms`,
    slow_ms > 0 && `the body takes ${slow_ms} ms`,
    drop && 'the connection closed',
    cut && 'the connection closed in the middle of the body',
    malformed && 'the body without its end',
  ]
  return `${parts.filter(Boolean).join(', ')}; ${when} the operation`
}
