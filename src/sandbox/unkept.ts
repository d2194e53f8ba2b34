/** What becomes of a call where the store fails: a refusal that says why. */
import { type Refusal, refuse } from '../billing/refusal.ts'
import { StoreError, StoreUnavailable } from '../store/store.ts'
import { SandboxClosed } from './turns.ts'

/** The refusal of a change that cannot be kept, or of one to what is damaged; throws any other failure. */
export function refuseUnkept(error: unknown): Refusal {
  if (error instanceof StoreError) {
    return refuse('storage_damaged', `What is kept cannot be used: ${error.message}.`)
  }
  if (error instanceof SandboxClosed) {
    return refuse(
      'storage_unavailable',
      `${error.message} while this call was under way; nothing was changed.`,
    )
  }
  if (!(error instanceof StoreUnavailable)) throw error
  return refuse(
    'storage_unavailable',
    `The change was not made, because it cannot be stored: ${error.message}. Repair that and send it again.`,
  )
}
