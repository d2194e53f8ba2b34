import { expect, it } from 'vitest'
import { firstDifference, linesOfDifference } from '../../src/cli/matrix/matrix-difference.ts'
import { deviationsFor } from '../../src/http/deviations.ts'
import type { CapturedCall } from '../../src/provider/capture/captured-call.ts'
import { type StartOptions, start } from '../../src/server/start.ts'

const token = 'rt_default_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'

/** The calls of a client that creates, and refreshes an unknown token. */
async function calls(options: Partial<StartOptions> = {}): Promise<CapturedCall[]> {
  const made: CapturedCall[] = []
  const { url, close } = await start({ ...options, onCall: (call) => made.push(call) })
  const send = (path: string, key: string, fields: object) =>
    fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
      body: JSON.stringify(fields),
    })
      .then((answer) => answer.text())
      .catch(() => undefined)
  await send('subscriptions', 'sk_sandbox_default', { customer_id: 'cus_ada', plan: 'basic' })
  await send('auth/refresh', token, { refresh_token: token })
  await close()
  return made
}

async function linesUnder(name: string) {
  const before = await calls()
  const deviation = deviationsFor({ calls: before, assumed: new Set() }, 1).find(
    (each) => each.name === name,
  )
  if (deviation === undefined) throw new Error(`${name} is no deviation of these calls`)
  const difference = firstDifference(await calls({ deviation }), before)
  return difference && [difference.request, ...linesOfDifference(difference)]
}

it('has none where the same calls are repeated', async () => {
  expect(firstDifference(await calls(), await calls())).toBeNull()
})

it('shows each field that differs, at most four, and not the others', async () => {
  const request = 'POST /v1/subscriptions {"customer_id":"cus_ada","plan":"basic"}'
  expect(await linesUnder('vary/status-names')).toEqual([
    request,
    'status is "Active"; it was "active"',
  ])
  const lines = await linesUnder('vary/subscription-fields')
  expect(lines).toHaveLength(6)
  expect(lines?.at(-1)).toMatch(/^and \d other fields$/)
  expect((await linesUnder('evolution/field-order'))?.[1]).toMatch(
    /^the same fields in another order/,
  )
})

it('shows what a fault did to an answer, without secrets', async () => {
  expect(await linesUnder('fault/500/refreshToken')).toEqual([
    'POST /v1/auth/refresh {"refresh_token":"[masked]"}',
    'it is 500',
    expect.stringMatching(/^it was 401 \{"error":"unauthorized"/),
  ])
  expect((await linesUnder('fault/timeout-after/createSubscription'))?.[1]).toBe(
    'no answer: the connection is closed',
  )
  expect((await linesUnder('fault/cut/createSubscription'))?.[1]).toMatch(
    /^the body ends after \d+ of \d+ characters$/,
  )
  expect((await linesUnder('fault/slow/createSubscription'))?.[1]).toMatch(
    /^the same answer, later/,
  )
})
