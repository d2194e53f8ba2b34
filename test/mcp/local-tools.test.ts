/** The tools that call no operation, as the official client of the protocol finds them. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startAgent } from './agent.ts'

it('runs a scenario that the agent wrote, and says what is wrong with one', async () => {
  await using agent = await startAgent()
  const file = join(await mkdtemp(join(tmpdir(), 'scenario-')), 'shop.scenario.yaml')
  const create = 'createSubscriptionAtCheckout: { customer_id: cus_ada, plan: pro }'
  const steps = `steps:\n  - ${create}\n`
  await writeFile(file, `${steps}before: P3M\n`)
  const text = await agent.call<string>('run_scenario', { file })
  expect(text).toMatch(/^Total +.*75\.00 USD/m)
  expect(text).toContain('sub_000001')
  // It has a world of its own.
  expect(await agent.call('list_records', { kind: 'subscriptions' })).toMatchObject({
    data: [],
  })
  await writeFile(file, `${steps}before: P50Y\n`)
  expect(await agent.refusal('run_scenario', { file })).toMatch(
    /^The answer has \d{6} characters; .* End it earlier, by before, or write it to a file: npx --no subscription-sandbox scenario run/,
  )
  await writeFile(file, steps)
  expect(await agent.refusal('run_scenario', { file })).toContain('before is missing')
  expect(await agent.refusal('run_scenario', {})).toBe(
    'file is missing; it must be the path of a file. The call has no fields.',
  )
  expect(await agent.refusal('run_scenario', { file: `${file}.no` })).toContain('cannot be read')
  expect(await agent.refusal('run_scenario', { file, golden: 'x' })).toBe(
    'golden is not a known field; fields: file.',
  )
})
