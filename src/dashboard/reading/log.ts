/** Which requests of the log are to the service. */
import type { Schemas } from '../../library/sandbox.ts'

/** Whether a request was to the service, and not to the control plane. */
export function isDocumented({ request: { path } }: Pick<Schemas['Request'], 'request'>): boolean {
  return /^\/v1(?:[/?]|$)/.test(path)
}
