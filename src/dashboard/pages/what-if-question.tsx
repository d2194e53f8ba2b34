/** The form of a what-if: the most frequent changes have fields, all others are typed as the API takes them. */
import type { Schemas } from '../../library/sandbox.ts'
import { FLOW, flowOf } from '../acts/once.ts'
import { FormFields, Hidden } from '../forms/controls.tsx'
import {
  bodyOf,
  type FieldTexts,
  fieldsFrom,
  moneyHint,
  patchOf,
  withSuggestions,
} from '../forms/field.ts'
import { Form, Refused } from '../forms/form.tsx'
import { failures } from '../reading/statuses.ts'
import { type FormState, type FormValues, jsonOr } from '../ui/form-state.ts'
import { Switch } from '../ui/links.tsx'
import type { PageContext } from '../ui/page-context.ts'

const example = `[
  { "operation": "changeSettings", "body": { "retry_schedule": ["P3D", "P7D"] } }
]`

const subscription_id = { suggest: 'subscription' } as const

/** Each kind of change: its label, the operation that makes it, and its fields. */
const changes = {
  plan: kind('Another plan', 'updateSubscription', { subscription_id, plan: { suggest: 'plan' } }),
  cancel: kind('Canceled', 'cancelSubscription', {
    subscription_id,
    at_period_end: { label: 'Only at the end of its period', kind: 'check' },
  }),
  pause: kind('Paused', 'pauseSubscription', { subscription_id }),
  coupon: kind('A coupon', 'applyCoupon', { subscription_id, coupon_id: { suggest: 'coupon' } }),
  fail: kind('Payments fail', 'scriptPaymentOutcomes', {
    subscription_id: { suggest: 'subscription', hint: 'All of them if empty' },
    always: { label: 'Every payment from then on', options: failures },
  }),
  price: kind('Another price', 'changePlan', {
    plan_id: { suggest: 'plan' },
    amount: { label: 'Price', kind: 'money', hint: moneyHint },
  }),
  other: kind('Anything else', '', {
    changes: {
      kind: 'lines',
      start: example,
      hint: 'A list of calls in JSON: operation, params, body, and at where it is not now. See the operation compareFutures in [the reference](/docs).',
    },
  }),
}

function kind(label: string, operation: string, texts: Readonly<Record<string, FieldTexts>>) {
  return { label, operation, fields: fieldsFrom(texts) }
}

export type ChangeName = keyof typeof changes
export const changeNames = Object.keys(changes) as ChangeName[]

/** The names of the sandbox for the fields: by their places in the first change, or in the refusal of that change. */
export const changePaths = {
  at: ['changes[0].at'],
  ...Object.fromEntries(
    Object.values(changes)
      .flatMap(({ fields }) => fields)
      .map(({ name }) => [name, [`changes[0].params.${name}`, `changes[0].body.${name}`, name]]),
  ),
}

/** What was typed, with the currency of the plan whose price it is. Throws the refusal of an unknown plan. */
export async function withCurrency({ sandbox }: PageContext, name: ChangeName, values: FormValues) {
  const plan = name === 'price' ? values.text('plan_id') : undefined
  if (plan === undefined) return values
  const { currency } = await sandbox.plans.get(plan)
  return {
    ...values,
    raw: (each: string) => (each === 'currency' ? currency : values.raw(each)),
  }
}

/** The question as the sandbox takes it; it says what is wrong with its fields. */
export function questionOf(name: ChangeName, values: FormValues): Schemas['WhatIfQuestion'] {
  const duration = values.text('for')
  const change = name === 'other' ? jsonOr(values.raw('changes')) : [changeOf(name, values)]
  const question = { changes: change, ...(duration !== undefined && { for: duration }) }
  return question as Schemas['WhatIfQuestion']
}

/** The call of an operation, at the instant that was typed. */
function changeOf(name: ChangeName, values: FormValues) {
  const { operation, fields } = changes[name]
  const at = values.text('at')
  const [record, ...others] = fields
  // The path of these operations names the record.
  const hasPath = name !== 'fail' && record !== undefined
  const params = hasPath ? { [record.name]: values.raw(record.name) } : {}
  const body = hasPath ? patchOf(others, values) : bodyOf(fields, values)
  return {
    operation,
    ...(hasPath && { params }),
    ...(name !== 'pause' && { body }),
    ...(at !== undefined && { at }),
  }
}

const timeFields = fieldsFrom({
  at: ['When', '2027-03-01, or an instant; now if empty'],
  for: ['Period to compare', 'P6M; a year if empty'],
})

/** A question as its form sends it, to be asked or performed again. */
export function valuesOfQuestion(name: ChangeName, values: FormValues) {
  const names = [...changes[name].fields, ...timeFields].map((field) => field.name)
  return { asked: 'true', ask: name, [FLOW]: flowOf(values), ...values.filled(names) }
}

/** The choice of a change, and its fields, with what they suggest. */
export async function questionForm(page: PageContext, name: ChangeName, form: FormState) {
  const times = name === 'other' ? timeFields.slice(1) : timeFields
  const fields = await withSuggestions(page, [...changes[name].fields, ...times])
  // What the form of another change has, too.
  const shared = form.values.filled(['subscription_id', 'at', 'for'])
  return [
    <Switch
      label="What to ask about"
      options={changeNames.map((each) => [
        changes[each].label,
        page.to('what-if', { ...(each !== 'plan' && { ask: each }), ...shared }),
        each === name,
      ])}
    />,
    <Form isQuery form={form} label={changes[name].label} submit="Compare">
      <Refused form={form} />
      <Hidden values={{ asked: 'true', ask: name, [FLOW]: flowOf(form.values) }} />
      <FormFields fields={fields} />
    </Form>,
  ]
}
