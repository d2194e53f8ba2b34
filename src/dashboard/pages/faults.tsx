/** Faults: what goes wrong on purpose with calls on /v1. */

import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { addForm, submit, withNotice } from '../page.tsx'
import { addQuestion, type Question } from '../question.tsx'
import type { Sent, Values } from '../sent.ts'
import { CheckField, Form, PostButton, SelectField, TextField } from '../ui/form.tsx'
import { DangerLink } from '../ui/links.tsx'
import { Empty, Heading, Section, Table } from '../ui/table.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

type Fault = Schemas['Fault']

export function faultPages(pages: Hono): void {
  addForm(pages, '/faults', { act: create, show: faultsPage })
  addQuestion(pages, '/faults/clear', { ask: askToClear, act: clear })
  pages.post('/faults/:id/delete', submit({ act: remove, show: faultsPage }))
}

async function create({ sandbox, to }: Visit, { values }: Sent): Promise<string> {
  await sandbox.faults.create(orderOf(values))
  return withNotice(to('faults'), 'created')
}

async function clear({ sandbox, to }: Visit): Promise<string> {
  await sandbox.faults.clear()
  return withNotice(to('faults'), 'cleared')
}

async function remove({ sandbox, to, id }: Visit): Promise<string> {
  await sandbox.faults.delete(id)
  return withNotice(to('faults'), 'deleted')
}

/** The order that the fields make; each is named as the sandbox names it. */
function orderOf(values: Values): Schemas['FaultCreate'] {
  const { text, integer, isChecked, raw } = values
  const named = (kind: 'header' | 'field') => {
    const [name, value] = [`match.${kind}.name`, `match.${kind}.value`]
    if (text(name) === undefined && text(value) === undefined) return undefined
    return { name: raw(name), value: raw(value) }
  }
  const order = {
    match: { operation: text('match.operation'), header: named('header'), field: named('field') },
    nth: integer('nth'),
    times: integer('times'),
    when: text('when'),
    effect: {
      status: integer('effect.status'),
      body: bodyOf(text('effect.body')),
      delay_ms: integer('effect.delay_ms'),
      slow_ms: integer('effect.slow_ms'),
      drop: isChecked('effect.drop') || undefined,
      cut: isChecked('effect.cut') || undefined,
      malformed: isChecked('effect.malformed') || undefined,
    },
  }
  // Absent members are left out on the way; what is wrong in the others, the sandbox says.
  return order as unknown as Schemas['FaultCreate']
}

/** An object is sent as JSON, anything else as text. */
function bodyOf(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : text
  } catch {
    return text
  }
}

async function faultsPage(visit: Visit, sent: Sent): Promise<View> {
  const [faults, coverage] = await Promise.all([
    visit.sandbox.faults.list(),
    visit.sandbox.coverage(),
  ])
  const asked = coverage.seen.answers.map(({ operation_id: id }) => id)
  const operations = [...new Set([...coverage.unseen.operations, ...asked])].sort()
  const body = (
    <>
      <Heading title="Faults">
        {faults.length > 0 && <DangerLink href={visit.to('faults/clear')}>Delete all…</DangerLink>}
        <a href={visit.to('requests')}>Requests</a>
      </Heading>
      <p>Calls on /v1 that fail on purpose, so that you see how your client handles it.</p>
      <FaultTable visit={visit} faults={faults} />
      <Section title="New fault">
        <Create visit={visit} sent={sent} operations={operations} />
      </Section>
    </>
  )
  return { title: 'Faults', body, live: 'requests' }
}

async function askToClear({ sandbox, to }: Visit): Promise<Question> {
  const { length } = await sandbox.faults.list()
  return {
    title: 'Delete all faults',
    text: (
      <p>
        {length === 1 ? '1 fault is' : `${length} faults are`} deleted, with the counts of matched
        calls. Calls that failed stay in the log of requests.
      </p>
    ),
    submit: 'Delete all faults',
    cancel: to('faults'),
  }
}

const FaultTable: FC<{ visit: Visit; faults: readonly Fault[] }> = ({ visit, faults }) => (
  <Table
    caption="Faults, oldest first"
    rows={faults}
    columns={[
      { name: 'Fault', cell: ({ fault_id: id }) => id },
      { name: 'Calls', wraps: true, cell: (fault) => matchText(fault) },
      { name: 'Effect', wraps: true, cell: (fault) => effectText(fault) },
      { name: 'Matched', cell: ({ matched }) => String(matched), isNumber: true },
      { name: 'Applied', cell: ({ used }) => String(used), isNumber: true },
      { name: 'Left', cell: ({ left }) => String(left ?? 'no end'), isNumber: true },
      {
        name: 'Actions',
        cell: ({ fault_id: id }) => (
          <PostButton
            action={visit.to(`faults/${encodeURIComponent(id)}/delete`)}
            label={`Delete ${id}`}
          >
            Delete
          </PostButton>
        ),
      },
    ]}
    empty={<Empty>No call fails on purpose. Make a fault below.</Empty>}
  />
)

/** Which calls a fault hits. */
function matchText({ match, nth, times, probability }: Fault): string {
  const { operation, header, field } = match
  const parts = [
    operation ?? 'any operation',
    ...(header === null ? [] : [`with the header ${header.name}: ${header.value}`]),
    ...(field === null ? [] : [`with ${field.name} = ${field.value}`]),
    ...(nth === 1 ? [] : [`from call ${nth} on`]),
    ...(times === null ? [] : [times === 1 ? 'once' : `${times} times`]),
    ...(probability === 1 ? [] : [`with a probability of ${probability}`]),
  ]
  return parts.join(', ')
}

/** What happens to a call that is hit. */
function effectText({ effect, when }: Fault): string {
  const { status, body, headers, delay_ms, slow_ms, drop, cut, malformed } = effect
  const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const parts = [
    ...(status === null ? [] : [`answered with ${status}`]),
    ...(body === null ? [] : ['with a body of its own']),
    ...(named.length === 0 ? [] : [`with ${named.join(', ')}`]),
    ...(delay_ms === 0 ? [] : [`held up for ${delay_ms} ms`]),
    ...(slow_ms === 0 ? [] : [`the body takes ${slow_ms} ms`]),
    ...(drop ? ['the connection closed'] : []),
    ...(cut ? ['the connection closed in the middle of the body'] : []),
    ...(malformed ? ['the body without its end'] : []),
  ]
  return `${parts.join(', ')}; ${when} the operation`
}

const Create: FC<{ visit: Visit; sent: Sent; operations: readonly string[] }> = ({
  visit,
  sent,
  operations,
}) => (
  <Form action={visit.to('faults')} sent={sent} submit="Create fault">
    <fieldset class="form">
      <legend>Which calls</legend>
      <SelectField
        name="match.operation"
        label="Operation"
        none="All"
        options={operations}
        sent={sent}
      />
      <div class="columns">
        <TextField name="match.header.name" label="Header" sent={sent} />
        <TextField name="match.header.value" label="Header value" sent={sent} />
        <TextField name="match.field.name" label="Body field" sent={sent} />
        <TextField name="match.field.value" label="Field value" sent={sent} />
        <TextField
          name="nth"
          label="From call number"
          type="number"
          hint="The first call if empty"
          sent={sent}
        />
        <TextField
          name="times"
          label="Number of calls"
          type="number"
          hint="All calls if both are empty"
          sent={sent}
        />
      </div>
    </fieldset>
    <fieldset class="form">
      <legend>Effect</legend>
      <div class="columns">
        <TextField name="effect.status" label="Status" type="number" sent={sent} />
        <TextField
          name="effect.body"
          label="Body"
          hint="A text, or an object in JSON"
          sent={sent}
        />
        <TextField name="effect.delay_ms" label="Delay in ms" type="number" sent={sent} />
        <TextField name="effect.slow_ms" label="Body duration in ms" type="number" sent={sent} />
      </div>
      <CheckField name="effect.drop" label="Close the connection without an answer" sent={sent} />
      <CheckField
        name="effect.cut"
        label="Close the connection in the middle of the body"
        sent={sent}
      />
      <CheckField name="effect.malformed" label="Truncate the body" sent={sent} />
      <SelectField
        name="when"
        label="Is the operation executed?"
        none="Only if its own answer is damaged"
        options={[
          ['before', 'No: it fails before'],
          ['after', 'Yes: it fails after'],
        ]}
        sent={sent}
      />
    </fieldset>
  </Form>
)
