/** The statuses of subscriptions. */
import type { Visit } from './visit.ts'

/** The statuses by the names that they have in this sandbox. */
export async function statusNames({ sandbox }: Pick<Visit, 'sandbox'>): Promise<string[]> {
  const { paused_status_name: paused } = await sandbox.settings.get()
  return ['trialing', 'active', 'past_due', paused, 'canceled', 'expired']
}
