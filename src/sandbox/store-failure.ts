/** The refusal of a call when the store fails. */
import { refuse } from '../billing/refusal.ts'
import { StoreError, StoreUnavailable } from '../store/store.ts'
import type { Refusal } from '../world/refusal.ts'

/** A call to a sandbox that was deleted, or whose process ends, before it was executed; or a look-ahead without a client. */
export class SandboxClosed extends StoreUnavailable {
  constructor(sandboxId: string) {
    super(
      `Sandbox "${sandboxId}" was deleted or stopped, or the client was gone, while this call was under way; nothing was changed.`,
    )
  }
}

/** The refusal of a change that cannot be stored, or of a call to damaged data; throws any other failure. */
export function storeRefusal(error: unknown, outcome = 'Nothing was changed'): Refusal {
  if (error instanceof StoreError) {
    return refuse('storage_damaged', `What is stored cannot be used: ${error.message}.`)
  }
  if (error instanceof SandboxClosed) return refuse('storage_unavailable', error.message)
  if (!(error instanceof StoreUnavailable)) throw error
  return refuse('storage_unavailable', `${outcome}: ${error.message}. Fix that, then try again.`)
}
