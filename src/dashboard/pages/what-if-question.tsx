/** The question of a what-if: the changes that are asked about most have fields, all others are typed as the API takes them. */
import type { Child, FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import type { Sent, Values } from '../sent.ts'
import { AreaField, CheckField, Refused, SelectField, TextField } from '../ui/form.tsx'
import type { Visit } from '../visit.ts'
import { instantOf } from './clock.tsx'
import { outcomeTexts } from './payments.tsx'

/** What can be asked: how it is called, its fields, and the call that it stands for. */
interface Question {
  readonly label: string
  readonly fields: (sent: Sent) => Child
  /** As they are sent; the sandbox says what is wrong with them. */
  readonly changes: (values: Values) => unknown
}

export const questionNames = [
  'plan',
  'cancel',
  'pause',
  'coupon',
  'fail',
  'price',
  'other',
] as const
type QuestionName = (typeof questionNames)[number]

/** One call, at the instant that was typed. */
function call(values: Values, operation: string, rest: object) {
  const at = values.text('at')
  return [{ operation, ...rest, ...(at !== undefined && { at: instantOf(at) }) }]
}

function subscriptionIn(values: Values) {
  return { params: { subscription_id: values.raw('subscription_id') } }
}

const Subscription: FC<{ sent: Sent }> = ({ sent }) => (
  <TextField name="subscription_id" label="Subscription" sent={sent} />
)

const questions: Readonly<Record<QuestionName, Question>> = {
  plan: {
    label: 'Another plan',
    fields: (sent) => (
      <>
        <Subscription sent={sent} />
        <TextField name="plan" label="Plan" sent={sent} />
      </>
    ),
    changes: (values) =>
      call(values, 'updateSubscription', {
        ...subscriptionIn(values),
        body: { plan: values.raw('plan') },
      }),
  },
  cancel: {
    label: 'Canceled',
    fields: (sent) => (
      <>
        <Subscription sent={sent} />
        <CheckField name="at_period_end" label="Only at the end of its period" sent={sent} />
      </>
    ),
    changes: (values) =>
      call(values, 'cancelSubscription', {
        ...subscriptionIn(values),
        body: { at_period_end: values.isChecked('at_period_end') },
      }),
  },
  pause: {
    label: 'Paused',
    fields: (sent) => <Subscription sent={sent} />,
    changes: (values) => call(values, 'pauseSubscription', subscriptionIn(values)),
  },
  coupon: {
    label: 'A coupon',
    fields: (sent) => (
      <>
        <Subscription sent={sent} />
        <TextField name="coupon_id" label="Coupon" sent={sent} />
      </>
    ),
    changes: (values) =>
      call(values, 'applyCoupon', {
        ...subscriptionIn(values),
        body: { coupon_id: values.raw('coupon_id') },
      }),
  },
  fail: {
    label: 'Payments fail',
    fields: (sent) => (
      <>
        <TextField
          name="subscription_id"
          label="Subscription"
          hint="All of them if empty"
          sent={sent}
        />
        <SelectField
          name="always"
          label="Every payment from then on"
          options={Object.entries(outcomeTexts).filter(([outcome]) => outcome !== 'succeed')}
          sent={sent}
        />
      </>
    ),
    changes: (values) => {
      const id = values.text('subscription_id')
      const body = {
        always: values.raw('always'),
        ...(id !== undefined && { subscription_id: id }),
      }
      return call(values, 'scriptPaymentOutcomes', { body })
    },
  },
  price: {
    label: 'Another price',
    fields: (sent) => (
      <>
        <TextField name="plan_id" label="Plan" sent={sent} />
        <TextField
          name="amount"
          label="Price"
          type="number"
          hint="In minor units: 1900 is 19.00"
          sent={sent}
        />
      </>
    ),
    changes: (values) =>
      call(values, 'changePlan', {
        params: { plan_id: values.raw('plan_id') },
        body: { amount: values.integer('amount') },
      }),
  },
  other: {
    label: 'Anything else',
    fields: (sent) => <Changes sent={sent} />,
    changes: (values) => jsonOr(values.raw('changes')),
  },
}

/** What is no JSON is handed on as a text, which the sandbox refuses. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const example = `[
  { "operation": "changeSettings", "body": { "retry_schedule": ["P3D", "P7D"] } }
]`

/** Changes as the operation takes them, several at once. */
const Changes: FC<{ sent: Sent }> = ({ sent }) => (
  <AreaField
    name="changes"
    label="Changes"
    start={example}
    hint={
      <>
        A list of calls in JSON: operation, params, body, and at where it is not now. See the
        operation askWhatIf in <a href="/docs">the reference</a>.
      </>
    }
    sent={sent}
  />
)

const fields = [
  'subscription_id',
  'plan',
  'at_period_end',
  'coupon_id',
  'always',
  'plan_id',
  'amount',
]

/** As the sandbox calls the fields: by their places in the first change, or in what that change is refused with. */
export const questionPaths = {
  at: ['changes[0].at'],
  ...Object.fromEntries(
    fields.map((name) => [name, [`changes[0].params.${name}`, `changes[0].body.${name}`, name]]),
  ),
}

/** The question as the sandbox takes it. */
export function questionOf(name: QuestionName, values: Values): Schemas['WhatIfQuestion'] {
  const duration = values.text('for')
  const changes = questions[name].changes(values)
  return { changes, ...(duration !== undefined && { for: duration }) } as Schemas['WhatIfQuestion']
}

/** What to ask about, and the fields of that. */
export const QuestionForm: FC<{ visit: Visit; name: QuestionName; sent: Sent }> = ({
  visit,
  name,
  sent,
}) => (
  <>
    <nav class="moves" aria-label="What to ask about">
      <span class="group">
        {questionNames.map((each) => (
          <a
            href={visit.to('what-if', each === 'plan' ? {} : { ask: each })}
            aria-current={each === name ? 'true' : undefined}
          >
            {questions[each].label}
          </a>
        ))}
      </span>
    </nav>
    <form method="get" action={visit.to('what-if')} class="form" aria-label={questions[name].label}>
      <Refused sent={sent} />
      <input type="hidden" name="asked" value="true" />
      <input type="hidden" name="ask" value={name} />
      {questions[name].fields(sent)}
      {name !== 'other' && (
        <TextField
          name="at"
          label="When"
          hint="2027-03-01, or an instant; now if empty"
          sent={sent}
        />
      )}
      <TextField name="for" label="Period to compare" hint="P6M; a year if empty" sent={sent} />
      <div class="actions">
        <button type="submit" class="primary">
          Compare
        </button>
      </div>
    </form>
  </>
)
