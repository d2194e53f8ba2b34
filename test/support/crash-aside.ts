/**
 * The sandbox beside the default one in the crash rounds: it is written whole again and again, where the default one
 * only appends, so that kills fall into that as well.
 */
import { call, must } from './crash-call.ts'
import type { Served } from './process.ts'

/** What was answered of it before the kill. */
export interface Aside {
  readonly customers: string[]
  /** The newest checkpoint, which is not deleted before there is a newer one. */
  checkpoint: string | null
}

const of = 'aside'

/** Makes the sandbox. */
export async function startAside(sandbox: Served): Promise<void> {
  await call(sandbox, `PUT /sandboxes/${of}`, { body: { fixture: 'starter' } })
}

/** Its only client: makes a customer and a checkpoint, returns to that, which writes all of it anew, and forgets the one before. */
export async function loadAside(sandbox: Served, known: Aside, round: number): Promise<void> {
  for (let step = 0; ; step += 1) {
    const customer_id = `cus-${round}-${step}`
    await call(sandbox, 'POST /sandbox/customers', { of, body: { customer_id } })
    known.customers.push(customer_id)
    const name = `moment-${round}-${step}`
    await call(sandbox, 'POST /sandbox/checkpoints', { of, body: { name } })
    const before = known.checkpoint
    known.checkpoint = name
    await call(sandbox, `POST /sandbox/checkpoints/${name}/restore`, { of })
    if (before !== null) await call(sandbox, `DELETE /sandbox/checkpoints/${before}`, { of })
  }
}

/** Everything answered must be there, and the checkpoint must be one to begin from. */
export async function checkAside(sandbox: Served, known: Aside): Promise<void> {
  const state = await call<{ customers: readonly { customer_id: string }[] }>(
    sandbox,
    'GET /sandbox/state',
    { of },
  )
  const customers = new Set(state.customers.map((each) => each.customer_id))
  for (const id of known.customers) must(customers.has(id), `customer ${id} of ${of} is gone`)
  if (known.checkpoint === null) return
  const from = { sandbox: of, checkpoint: known.checkpoint }
  await call(sandbox, 'PUT /sandboxes/fork', { body: { from } })
  await call(sandbox, 'DELETE /sandboxes/fork', {})
}
