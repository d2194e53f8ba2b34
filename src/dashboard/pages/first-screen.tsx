/** What the timeline shows before the first subscription: the key, a call that works, and a year that can be played. */
import type { Child } from 'hono/jsx'
import { playDemoYear } from '../../library/demo-year.ts'
import type { Schemas } from '../../library/sandbox.ts'
import { ConditionNotMet, SandboxError } from '../../library/sandbox-error.ts'
import { shellWord } from '../../wire/common/text.ts'
import { PostButton } from '../forms/form.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { searchOf } from '../ui/form-state.ts'
import { CALL_MAX, type PageContext, withNotice } from '../ui/page-context.ts'
import { Empty } from '../ui/table.tsx'
import { SecretList } from '../ui/values.tsx'

const NO_SUBSCRIPTION =
  'There is no subscription yet, so nothing happens when time passes.\n[Create a subscription](subscriptions/~new), then move the clock above and see it renew.'

const NO_CUSTOMER =
  'It needs a customer who can be billed in the currency of a plan: the call below creates one.'

export const demoPages: PageTable = {
  demo: {
    isButton: true,
    act: async (page) => {
      const { clock, to, sandbox } = page
      const { counts } = page.summary
      if (!counts['customers'] && !counts['plans']) {
        // It keeps its time. A sandbox with records has those of the demo, or refuses it.
        await sandbox.reset({ fixture: 'starter' })
        await sandbox.clock.set({ now: clock.now, mode: clock.mode })
      }
      await sandbox.charges.create({ customer_id: 'cus_linus', amount: 4900, currency: 'USD' })
      await sandbox.subscriptions.create({ customer_id: 'cus_linus', plan: 'pro_yearly' })
      // She has no way to pay: her payments fail when the trial ends.
      const trial = { customer_id: 'cus_grace', plan: 'basic', trial_period_days: 30 }
      await sandbox.subscriptions.create(trial)
      await playDemoYear(sandbox).catch((problem: unknown) => {
        // Such as payments that are scripted to fail, always.
        if (!(problem instanceof ConditionNotMet)) throw problem
        const answer = { status: 409, code: 'condition_not_met', fields: [] }
        throw new SandboxError(problem.message, answer)
      })
      return withNotice(to('', { zoom: 'year', from: clock.now.slice(0, 10) }), 'played')
    },
  },
}

/** The form of a plan; without a product, that of one, which leads to it. */
function noPlan({ summary, to }: PageContext): string {
  const then = to('plans/~new', { product_id: '' })
  const form = summary.counts['products'] ? 'plans/~new' : `products/~new?${searchOf({ then })}`
  return `It needs a plan first: [Create a plan](${form})`
}

/** In place of a timeline without lanes. */
export async function firstScreen(page: PageContext): Promise<Child> {
  const { sandbox, c, list } = page
  const [{ data: customers }, { data: plans }] = await Promise.all([
    list('/sandbox/customers', { limit: CALL_MAX }),
    list('/sandbox/plans', { limit: CALL_MAX }),
  ])
  // A customer with a currency is billed in it.
  const planFor = ({ currency }: Schemas['Customer']) =>
    plans.find((plan) => (currency ?? plan.currency) === plan.currency)
  const found = customers.find(planFor)
  const [customer, plan] = [found?.customer_id, found && planFor(found)?.plan_id]
  const isBare = customers.length === 0 && plans.length === 0
  const lacks = plans.length === 0 ? noPlan(page) : NO_CUSTOMER
  const { origin } = new URL(c.req.url)
  const command =
    customer && plan
      ? `curl ${origin}/v1/subscriptions -H ${shellWord(`Authorization: Bearer ${sandbox.apiKey}`)} -d customer_id=${customer} -d plan=${plan}`
      : `curl ${origin}/sandbox/customers -H ${shellWord(`Sandbox-Id: ${sandbox.id}`)} -H 'Content-Type: application/json' -d '{"name":"Ada"}'`
  // Another customer would not help where there is no plan.
  const isHelpful = customers.length === 0 || plans.length > 0
  return [
    <Empty text={plan ? NO_SUBSCRIPTION : `${NO_SUBSCRIPTION}\n${lacks}`} />,
    (isBare || (customer === 'cus_ada' && plan === 'basic')) && (
      <p>
        <PostButton to="demo">Play a demo year</PostButton>
        <span class="hint"> Three subscriptions over a year, by calls that you can read</span>
      </p>
    ),
    <SecretList
      secrets={{ 'API key': sandbox.apiKey, ...(isHelpful && { 'A first call': command }) }}
    />,
  ]
}
