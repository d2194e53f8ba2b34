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
  const bounded = recorded.replace(/12000\d\d/g, (count) =>
    String(Number(count) - 1_200_000 + RECORDS),
  )
  expect(await answersOf(code)).toEqual(JSON.parse(bounded))
})
