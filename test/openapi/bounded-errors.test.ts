/**
 * Every refusal because of a full sandbox, as it is recorded, where a sandbox holds fewer records. (The other refusals:
 * error-examples.test.ts)
 */
import { expect, it, vi } from 'vitest'
import { answersOf } from '../../scripts/errors/answers.ts'
import { recordedErrors } from '../../src/openapi/errors/examples.ts'
import { boundedCodes } from '../support/slow-codes.ts'

const RECORDS = 60

vi.mock('../../src/assumptions/bounds.ts', async (original) => ({
  ...(await original<object>()),
  RECORDS_MAX: 60,
}))

it.each(boundedCodes)('%s', async (code) => {
  const recorded = JSON.stringify(recordedErrors[code])
  const bounded = recorded
    .replaceAll('1200000', String(RECORDS))
    .replaceAll('1200001', String(RECORDS + 1))
  expect(await answersOf(code)).toEqual(JSON.parse(bounded))
})
