import { expect, it } from 'vitest'
import { SandboxError, startSandbox } from '../../src/index.ts'

it.each([
  ['amount', 'plans', { product_id: 'prod_app', amount: 10n }],
  ['match.operation', 'faults', { match: { operation: 1n }, effect: { status: 503 } }],
  ['trial_period_days', 'subscriptions', { customer_id: 'cus_ada', trial_period_days: 3n }],
  ['customer_id', 'customers', { customer_id: 7n }],
] as const)('refuses a BigInt as %s of %s, by that field', async (field, group, body) => {
  await using sandbox = await startSandbox()
  const create = sandbox[group].create as (body: unknown) => Promise<unknown>
  const refused = await create(body).catch((error: Error) => error)
  expect(refused).toBeInstanceOf(SandboxError)
  expect((refused as SandboxError).fields.map((each) => each.field)).toContain(field)
})

it.each([
  ['max_redemptions', Number.NaN],
  ['max_redemptions', Number.NEGATIVE_INFINITY],
  ['expires_at', new Date(Number.NaN)],
])('does not take a %s of %s for null', async (field, value) => {
  await using sandbox = await startSandbox()
  await expect(sandbox.coupons.update('SAVE20', { [field]: value })).rejects.toMatchObject({
    fields: [{ field }],
    message: expect.stringContaining(`; got ["${value}"]`),
  })
})

it('refuses a BigInt as an option, by its name', async () => {
  const started = startSandbox({ port: 5n as unknown as number })
  await expect(started).rejects.toThrow('port must be an integer from 0 to 65535; got "5n".')
})
