/** The audit without pauses. */
import { auditInSteps, type Books, type Violation } from '../../src/billing/audit.ts'

export function audit(books: Books): readonly Violation[] {
  const steps = auditInSteps(books)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
