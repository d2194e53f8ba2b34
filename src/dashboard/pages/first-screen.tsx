/** What the timeline shows before the first subscription: the key, a call that works, and a year that can be played. */
import type { Child } from 'hono/jsx'
import { playDemoYear } from '../../library/demo-year.ts'
import { ConditionNotMet, SandboxError } from '../../library/sandbox-error.ts'
import { shellWord } from '../../wire/common/text.ts'
import { PostButton } from '../forms/form.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { type PageContext, withNotice } from '../ui/page-context.ts'
import { Empty } from '../ui/table.tsx'
import { SecretList } from '../ui/values.tsx'

const NO_SUBSCRIPTION =
  'There is no subscription yet, so nothing happens when time passes.\n[Create a subscription](subscriptions/~new), then move the clock above and see it renew.'

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

/** In place of a timeline without lanes. */
export async function firstScreen(page: PageContext): Promise<Child> {
  const { sandbox, c, list } = page
  const [customers, plans] = await Promise.all([
    list('/sandbox/customers', { limit: 1 }),
    list('/sandbox/plans', { limit: 1 }),
  ])
  const [customer, plan] = [customers.data[0]?.customer_id, plans.data[0]?.plan_id]
  const { origin } = new URL(c.req.url)
  const command =
    customer && plan
      ? `curl ${origin}/v1/subscriptions -H ${shellWord(`Authorization: Bearer ${sandbox.apiKey}`)} -d customer_id=${customer} -d plan=${plan}`
      : `curl ${origin}/sandbox/customers -H ${shellWord(`Sandbox-Id: ${sandbox.id}`)} -H 'Content-Type: application/json' -d '{"name":"Ada"}'`
  return [
    <Empty text={NO_SUBSCRIPTION} />,
    (!(customer || plan) || (customer === 'cus_ada' && plan === 'basic')) && (
      <p>
        <PostButton to="demo">Play a demo year</PostButton>
        <span class="hint"> Three subscriptions over a year, by calls that you can read</span>
      </p>
    ),
    <SecretList secrets={{ 'API key': sandbox.apiKey, 'A first call': command }} />,
  ]
}
