/** What becomes of a call where the store fails: a refusal that says why. */
import { refuse } from '../billing/refusal.ts'
import { StoreError, StoreUnavailable } from '../store/store.ts'
import type { Refusal } from './refusal.ts'
import { SandboxClosed } from './turns.ts'

/** The refusal of a change that cannot be kept, or of one to what is damaged; throws any other failure. */
export function refuseUnkept(error: unknown): Refusal {
  if (error instanceof StoreError) {
    return refuse('storage_damaged', `What is kept cannot be used: ${error.message}.`)
  }
  if (error instanceof SandboxClosed) {
    return refuse(
      'storage_unavailable',
      `${error.message} while this call was under way, and nothing was changed; a call to one that exists would be accepted.`,
    )
  }
  if (!(error instanceof StoreUnavailable)) throw error
  return refuse(
    'storage_unavailable',
    `The change was not made, because it cannot be kept: ${error.message}. Once that is mended, it would be accepted.`,
  )
}
