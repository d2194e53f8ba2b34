/** The statuses of subscriptions, and what each of them allows. */
import { FailureReason } from '../../billing/payment.ts'
import { type CommandTrigger, isAllowed, Status } from '../../billing/status.ts'
import type { PageContext } from '../ui/page-context.ts'

/** The statuses by the names that they have in this sandbox. */
export async function statusNames({ sandbox }: Pick<PageContext, 'sandbox'>): Promise<string[]> {
  const { paused_status_name: paused } = await sandbox.settings.get()
  return Status.options.map((each) => (each === 'paused' ? paused : each))
}

/** Whether a subscription with this status can be asked for something. Only the paused status can have another name. */
export function accepts({ status }: { readonly status: string }, trigger: CommandTrigger): boolean {
  return isAllowed(Status.safeParse(status).data ?? 'paused', trigger)
}

/** The outcomes of a payment attempt that fails, in words. */
export const failures = Object.fromEntries(
  FailureReason.options.map((reason) => [reason, `fails: ${reason}`]),
)
