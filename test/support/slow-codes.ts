/** Codes whose provocation takes seconds. */
import type { Code } from '../../src/wire/common/error-codes.ts'

/** As long as it is, or another process. */
export const slowCodes: readonly Code[] = [
  'sandbox_limit',
  'pact_limit',
  'request_timeout',
  'unavailable',
]

/** What a lower bound of records makes quick: test/openapi/bounded-errors.test.ts. */
export const boundedCodes: readonly Code[] = ['sandbox_full']
