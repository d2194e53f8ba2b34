/** What comes back from the worker for pacts where it refuses, and where it fails. */
import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { contractJobs } from '../../src/http/contracts/jobs.ts'
import { runContractJob } from '../../src/http/contracts/run-job.ts'
import { RefusalError } from '../../src/surface/refusals.ts'
import { openShop } from '../support/control.ts'

const { replies } = vi.hoisted(() => ({ replies: [] as object[] }))

vi.mock('node:worker_threads', async (original) => ({
  ...(await original<object>()),
  Worker: class extends EventEmitter {
    ref() {}
    unref() {}
    async terminate() {}
    postMessage() {
      queueMicrotask(() => this.emit('message', replies.shift()))
    }
  },
}))

vi.mock('../../src/http/contracts/comparing.ts', () => ({
  createComparer: () => ({ compareWithStates: async () => Promise.reject(new Error('a defect')) }),
}))

const pact = { consumer: { name: 'shop' }, provider: { name: 'billing' }, interactions: [] }

it('a refusal of a job keeps its fields, assumptions and headers', async () => {
  const context = {
    fields: [{ field: 'branch', message: 'branch must be a text.' }],
    assumptions: ['error-codes', 'error-envelope', 'webhooks'] as const,
    headers: { Allow: 'GET' },
  }
  replies.push({ refusal: { code: 'invalid_request', message: 'No.', ...context } })
  const { signal } = new AbortController()
  const asked = runContractJob('check', new Uint8Array(), signal)
  const refused = await asked.catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(RefusalError)
  expect(refused).toMatchObject({ code: 'invalid_request', message: 'No.', ...context })
})

it('a comparison that fails is a defect of the sandbox, and no fault of the pact', async () => {
  const failed = contractJobs.check(Buffer.from(JSON.stringify(pact)))
  await expect(failed).rejects.toThrow(/^a defect$/)
  await expect(failed).rejects.not.toBeInstanceOf(RefusalError)
  replies.push({ defect: new Error('a defect') })
  const shop = await openShop()
  const { status, body } = await shop.post('/sandbox/contracts/check', pact)
  expect(status).toBe(500)
  expect(body).toMatchObject({ detail: expect.stringContaining('request id req_000001') })
  expect(shop.log).toEqual([expect.stringContaining('a defect')])
})
