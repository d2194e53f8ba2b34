/** The audit: whether the books of one sandbox are in order. */
import { auditInSteps, type Invariant, invariants } from '../../billing/audit.ts'
import { answers, controlPlane } from '../../surface/declarations.ts'
import { ok, route } from '../../surface/operation.ts'
import { WireAudit } from '../../wire/sandbox.ts'
import { isDueNow } from '../../world/engine.ts'
import { paced } from '../../world/paced.ts'
import { booksOf } from '../../world/state-checks.ts'
import type { World } from '../../world/world.ts'
import { readInWorld } from '../world-calls.ts'

export const auditRoutes = [
  route({
    ...controlPlane,
    operationId: 'auditSandbox',
    method: 'get',
    path: '/sandbox/audit',
    tag: 'Sandbox',
    summary: 'Audit the sandbox',
    description:
      'Checks every promise over the records themselves, and names those that break one.',
    replies: answers('The findings.', WireAudit),
    answer: async ({ c }) => ok(await readInWorld(c, (world) => findings(world))),
  }),
]

const promises = Object.entries(invariants).map(([invariant, promise]) => ({
  invariant: invariant as Invariant,
  promise,
}))

async function findings(world: World): Promise<WireAudit> {
  // A full sandbox leaves what is due at its very now waiting, which breaks no promise.
  const dueNow = isDueNow(world) ? 'waiting' : 'settled'
  const violations = await paced(auditInSteps({ ...booksOf(world), dueNow }))
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
