/** The reads of the dashboard itself, which the log has where they are refused: no page shows them, or follows them. */
import type { Schemas } from '../../library/sandbox.ts'
import { CONSUMER } from '../ui/page-context.ts'

/** Operations of pages that only ask, whatever their method. */
const questions: readonly (string | null)[] = ['compareFutures']

export function isOwnRead({ consumer, request, operation_id: id }: Schemas['Request']): boolean {
  return consumer === CONSUMER && (request.method === 'GET' || questions.includes(id))
}
