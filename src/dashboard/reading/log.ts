/** Which requests of the log are to the service, and which are reads of the dashboard, which no page shows or follows. */
import type { Schemas } from '../../library/sandbox.ts'
import { CONSUMER } from '../ui/page-context.ts'

type Request = Schemas['Request']

/** Whether a request was to the service, and not to the control plane. */
export function isDocumented({ request: { path } }: Pick<Request, 'request'>): boolean {
  return /^\/v1(?:[/?]|$)/.test(path)
}

/** The log has them where they are refused. A what-if and a dry run only ask, whatever their method. */
export function isOwnRead(logged: Request): boolean {
  const { consumer, request, operation_id: id } = logged
  const isDryRun = id === 'advanceClock' && request.body?.includes('"dry_run":true') === true
  const isRead = request.method === 'GET' || id === 'compareFutures' || isDryRun
  return consumer === CONSUMER && isRead && !isDocumented(logged)
}
