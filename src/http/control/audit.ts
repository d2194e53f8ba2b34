/** The audit: whether the books of one sandbox are in order. */
import { auditInSteps, type Invariant, invariants } from '../../billing/audit.ts'
import { worldQuery } from '../../operations/operation.ts'
import { endpoints, reply } from '../../surface/declarations.ts'
import { WireAudit } from '../../wire/sandbox/sandbox.ts'
import { booksOf } from '../../world/state-checks.ts'
import { runInSlices } from '../../world/time-slice.ts'
import type { World } from '../../world/world.ts'

export const auditOperations = [
  worldQuery({
    ...endpoints('Sandbox').get('/sandbox/audit', 'auditSandbox'),
    summary: 'Audit the sandbox',
    description:
      'Checks all invariants over the records of the sandbox, and lists each record that violates one.',
    replies: reply.ok('The result of the audit.', WireAudit),
    read: auditWorld,
  }),
]

const promises = Object.entries(invariants).map(([invariant, promise]) => ({
  invariant: invariant as Invariant,
  promise,
}))

async function auditWorld(world: World): Promise<WireAudit> {
  // A full sandbox leaves what is due at its very now waiting, which breaks no promise.
  const dueNow = world.due.head()?.at === world.clock.now() ? 'waiting' : 'settled'
  const violations = await runInSlices(auditInSteps({ ...booksOf(world), dueNow }))
  return {
    ok: violations.length === 0,
    checked: {
      customers: world.customers.size,
      subscriptions: world.subscriptions.size,
      invoices: world.invoices.size,
      events: world.events.length,
    },
    invariants: promises,
    violations,
  }
}
