/** Pages of acts on a subscription: a form, and below it what the act would do, with its branch on the timeline. */
import type { Child } from 'hono/jsx'
import type { CommandTrigger } from '../../billing/status.ts'
import type { Schemas } from '../../library/sandbox.ts'
import { FLOW, flowOf } from '../acts/once.ts'
import { performChange } from '../acts/perform.ts'
import { Hidden } from '../forms/controls.tsx'
import type { FieldDeclaration } from '../forms/field.ts'
import { Form, Refused, WithPreview } from '../forms/form.tsx'
import { type PageRow, thenLead } from '../page-kinds/page-row.tsx'
import { type Act, chargedText, futureAfter, previewOf } from '../reading/preview.ts'
import { accepts } from '../reading/statuses.ts'
import { FutureLanes } from '../timeline/futures.tsx'
import { readFutures } from '../timeline/read-futures.ts'
import { callOrRefusal, type FormValues } from '../ui/form-state.ts'
import { Hint, linkWith, Paragraph } from '../ui/links.tsx'
import type { Notice } from '../ui/notices.ts'
import type { PageContext, View } from '../ui/page-context.ts'
import { Facts, type NamedValue, Section } from '../ui/table.tsx'
import { At, MoneyText, Nothing, StatusBadge } from '../ui/values.tsx'

type Subscription = Schemas['SubscriptionRecord']

/** What the page of an act has beside its form. */
interface ActForm {
  readonly text?: string
  readonly fields?: readonly FieldDeclaration[]
  readonly choices?: Child
  /** Values that are chosen before anybody chooses. */
  readonly start?: Readonly<Record<string, string>>
}

interface PreviewedAct {
  /** The question or the title, without the id of the subscription. */
  readonly title: string
  readonly submit: string
  readonly isDestructive?: true
  /** Whether its status allows it. */
  readonly trigger: CommandTrigger
  readonly form: (page: PageContext, subscription: Subscription) => ActForm | Promise<ActForm>
  readonly actOf: (id: string, typed: (name: string) => string) => Act
  /** The field that must have a value before there is anything to preview. */
  readonly chosen?: string
  readonly did: Notice | ((values: FormValues) => Notice)
  /** What a preview says beside the next invoice, and what follows it. */
  readonly facts?: (page: PageContext, preview: Schemas['WhatIf']) => Promise<NamedValue[]>
  readonly below?: (preview: Schemas['WhatIf']) => Child
}

export function previewedAct(declared: PreviewedAct): PageRow {
  return {
    show: (page) => showAct(page, declared),
    act: (page, values) => {
      const did = typeof declared.did === 'function' ? declared.did(values) : declared.did
      const call = () => performChange(page, page.sandbox, declared.actOf(page.id, values.raw))
      return thenLead(did, call)(page, values)
    },
  }
}

async function showAct(page: PageContext, declared: PreviewedAct): Promise<View> {
  const subscription = await page.sandbox.subscriptions.get(page.id)
  const note = <StatusBadge status={subscription.status} />
  const whole = `${declared.title} ${page.id}`
  const heading = declared.isDestructive ? `${whole}?` : whole
  const later = { says: 'Finding out what it does.', body: bodyOf(page, declared, subscription) }
  return { title: whole, heading, note, later, live: 'nothing' }
}

/** The form, and what it would do. */
async function bodyOf(page: PageContext, declared: PreviewedAct, subscription: Subscription) {
  const { submit, isDestructive = false, trigger, chosen } = declared
  const { text, fields = [], choices, start = {} } = await declared.form(page, subscription)
  const { values, refusal: refused } = page.form
  const hasChosen = chosen === undefined || values.text(chosen) !== undefined
  const act = declared.actOf(page.id, (name) => values.text(name) ?? start[name] ?? '')
  // After a refusal, the page says only that.
  const { found, refusal } =
    hasChosen && refused === null
      ? await callOrRefusal(() => previewParts(page, declared, act))
      : { found: null, refusal: refused }
  const form = { values, refusal }
  const preview =
    found ?? (!hasChosen && <Hint text="Choose to see what it does. Nothing is changed yet." />)
  const status = subscription.status.replaceAll('_', ' ')
  return [
    text && <p>{text}</p>,
    accepts(subscription, trigger) ? (
      <WithPreview preview={preview} isBelow>
        <Form
          {...{ form, fields, submit, isDestructive }}
          cancel={page.above}
          keep={isDestructive ? 'Keep it' : undefined}
          preview={page.path}
        >
          <Hidden values={{ seen: page.clock.now }} />
          {choices}
        </Form>
      </WithPreview>
    ) : (
      // Instead of a form that the sandbox always refuses.
      [
        <Refused form={form} />,
        <Paragraph text={`A subscription that is ${status} does not take this.`} />,
        <Paragraph text={`[Back](${page.above})`} />,
      ]
    ),
  ]
}

/** The effect of an act, now and as far as the page looks ahead. Throws its refusal. */
async function previewParts(page: PageContext, declared: PreviewedAct, act: Act): Promise<Child> {
  const preview = await previewOf(page, act)
  const { future, next } = await futureAfter(page, act, preview)
  const futures = await readFutures(page, future, preview.from)
  const facts: NamedValue[] = [
    ...((await declared.facts?.(page, preview)) ?? []),
    ['Next invoice', next ? <At instant={next.created_at} /> : <Nothing />],
    ...(next
      ? [['Due then', <MoneyText amount={next.amount_due} currency={next.currency} />] as const]
      : []),
  ]
  const changes = JSON.stringify([act], null, 2)
  const question = { asked: 'true', ask: 'other', [FLOW]: flowOf(page.form.values), changes }
  return [
    <Section title={chargedText(preview)}>
      <Facts facts={facts} />
    </Section>,
    <FutureLanes
      futures={futures}
      invoices={`${page.to('what-if', question)}#invoices`}
      actions={linkWith(question, 'All differences, or in a fork', 'what-if')}
    />,
    declared.below?.(preview),
  ]
}
