import { expect, it } from 'vitest'
import { type Sandbox, SandboxError, startSandbox } from '../../src/index.ts'

type Call = (sandbox: Sandbox, circular: object) => Promise<unknown>

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
    message: `${field} must be a value that JSON has; got ${value}.`,
  })
})

it.each<[string, unknown, string]>([
  ['name', () => 1, 'name must be a value that JSON has; got a function.'],
  ['name', Symbol('ada'), 'name must be a value that JSON has; got Symbol(ada).'],
  ['metadata', new Map([['a', 1]]), 'metadata must be a value that JSON has; got [object Map].'],
  ['body', new Map([['name', 'Ada']]), 'body must be a value that JSON has; got [object Map].'],
  ['body', Promise.resolve({}), 'body must be a value that JSON has; got [object Promise].'],
])('refuses as %s what JSON would leave out: %o', async (field, value, message) => {
  await using sandbox = await startSandbox({ fixture: 'empty' })
  const body = field === 'body' ? value : { customer_id: 'cus_a', [field]: value }
  const error = { code: 'invalid_request', message, fields: [{ field, message }] }
  await expect(sandbox.customers.create(body as object)).rejects.toMatchObject(error)
  expect(await sandbox.customers.list()).toEqual([])
})

it('sends a date that is one, and what has a form in JSON of its own', async () => {
  await using sandbox = await startSandbox()
  const expires_at = new Date('2030-01-01T00:00:00Z') as unknown as string
  const name = { toJSON: () => 'Ada' } as unknown as string
  expect((await sandbox.coupons.update('SAVE20', { expires_at })).expires_at).toContain(
    '2030-01-01',
  )
  expect((await sandbox.customers.update('cus_ada', { name })).name).toBe('Ada')
  const to = new Date(Number.NaN)
  await expect(sandbox.clock.advance({ to } as never)).rejects.toThrow('; got Invalid Date.')
})

it('refuses a BigInt as an option, by its name', async () => {
  const started = startSandbox({ port: 5n as unknown as number })
  await expect(started).rejects.toThrow('port must be an integer from 0 to 65535; got "5n".')
})

it.each<[string, string, Call]>([
  ['a body', 'self', (sandbox, circular) => sandbox.customers.create(circular as never)],
  ['a call of /v1', 'self', (sandbox, circular) => sandbox.subscriptions.create(circular as never)],
  ['an order', 'settings.self', ({ create }, settings) => create({ settings })],
  ['a condition', 'until.self.self', ({ clock }, circular) => clock.until(circular as never)],
  ['a name', 'name.self', ({ checkpoint }, circular) => checkpoint(circular as never)],
  [
    'a pact',
    'interactions[1].self',
    ({ contracts: { check } }, circular) => check({ interactions: [{}, circular] } as never),
  ],
])('names the field of %s that contains itself: %s', async (_, field, call) => {
  await using sandbox = await startSandbox()
  const circular = { twice: [sandbox.id, sandbox.id], self: {} }
  circular.self = circular
  const rule = `${field} must be a value that JSON has; got an object that contains itself.`
  await expect(call(sandbox, circular)).rejects.toMatchObject({
    ...{ name: 'SandboxError', status: 400, code: 'invalid_request', message: rule },
    fields: [{ field, message: rule }],
  })
})

it('sends an object twice where it does not contain itself', async () => {
  await using sandbox = await startSandbox()
  const change = { operation: 'cancelSubscription', at: 'P1D', subscription_id: 'none', body: {} }
  const compared = sandbox.whatIf({ for: 'P1M', changes: [change, change] } as never)
  await expect(compared).rejects.toThrow(/^(?!.*contains itself)/)
})

it('shows an argument that contains itself', async () => {
  await using sandbox = await startSandbox()
  const circular: { id: string; self?: object } = { id: 'cus_ada' }
  circular.self = circular
  const message = 'must be an id; got {"id":"cus_ada","self":"..."}.'
  await expect(sandbox.customers.get(circular as never)).rejects.toThrow(message)
  await expect(sandbox.customers.list({ search: circular } as never)).rejects.toThrow('search must')
})
