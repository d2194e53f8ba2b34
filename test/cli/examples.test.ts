import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { operationCommands } from '../../src/operations/names.ts'
import { commandLineOn } from '../support/command-line.ts'
import { temporaryFolder } from '../support/folders.ts'

let shell: Awaited<ReturnType<typeof commandLineOn>>
let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  shell = await commandLineOn()
  folder = await temporaryFolder()
})
afterAll(async () => {
  await shell.server.stop()
  await folder.remove()
})

async function post(path: string, body: object = {}): Promise<Record<string, string>> {
  const headers = { 'Content-Type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`${shell.server.url}/sandbox${path}`, request)
  expect(answer.status, `${path}: ${await answer.clone().text()}`).toBeLessThan(300)
  return (await answer.json()) as Record<string, string>
}

/** What the examples that do not create it begin with. */
const things: readonly (readonly [path: string, body: object])[] = [
  ['/products', { product_id: 'prod_team', name: 'Team' }],
  [
    '/plans',
    {
      ...{ plan_id: 'team', product_id: 'prod_app', name: 'Team' },
      ...{ amount: 4900, currency: 'USD', interval: 'month' },
    },
  ],
  ['/customers', { customer_id: 'cus_mary' }],
  ['/coupons', { coupon_id: 'SPRING', type: 'percentage', value: 20 }],
  ['/promotions', { code: 'SPRING27', coupon_id: 'SAVE20' }],
]

/** The sandbox that an example is about; answers its environment. */
async function prepare(words: string): Promise<NodeJS.ProcessEnv> {
  await fetch(`${shell.server.url}/sandboxes/worker-1`, { method: 'DELETE' })
  await fetch(`${shell.server.url}/sandboxes/tomorrow`, { method: 'DELETE' })
  await post('/reset', { fixture: 'starter' })
  if (words === 'invoices pay') await post('/payment-outcomes', { outcomes: ['card_declined'] })
  await post('/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  if (words === 'payments remove') {
    await post('/payment-outcomes', { subscription_id: 'sub_000001', always: 'card_declined' })
  }
  if (words === 'subscriptions resume') await act('pause')
  if (words === 'subscriptions uncancel') await act('cancel', 'at_period_end=true')
  await post('/charges', { customer_id: 'cus_ada', amount: 100, currency: 'USD' })
  await post('/faults', { effect: { status: 503 }, match: { operation: 'refreshToken' }, times: 1 })
  if (words === 'tokens refresh')
    await fetch(`${shell.server.url}/sandbox/faults`, { method: 'DELETE' })
  if (words !== 'checkpoint') await post('/checkpoints', { name: 'before-renewal' })
  if (!words.endsWith(' create')) {
    for (const [path, body] of things) await post(path, body)
    await fetch(`${shell.server.url}/sandboxes/worker-1`, { method: 'PUT' })
  }
  return { REFRESH_TOKEN: (await post('/tokens'))['refresh_token'] }
}

async function hasDelivery(): Promise<boolean> {
  const answer = await fetch(`${shell.server.url}/sandbox/webhooks/deliveries`)
  const { data } = (await answer.json()) as { data: readonly object[] }
  return data.length > 0
}

async function act(name: string, form = ''): Promise<void> {
  const headers = { Authorization: 'Bearer sk_sandbox_default' }
  const path = `${shell.server.url}/v1/subscriptions/sub_000001/${name}`
  const body = new URLSearchParams(form)
  expect((await fetch(path, { method: 'POST', headers, body })).status).toBe(200)
}

/** Types a line where the program is called as its users call it, in a folder of the tests' own. */
async function typed(line: string, environment: NodeJS.ProcessEnv) {
  const { code, err } = await shell.type(line, environment, folder.path)
  return { code, errors: err.replace(/^Warning: .*\n/gm, '') }
}

const examples = operationCommands.filter(({ words }) => !words.startsWith('webhooks '))

it.each(examples)('does what the help of $words shows: $example', async ({ words, example }) => {
  const environment = await prepare(words)
  // Nobody has called everything yet.
  const code = words === 'coverage show' ? 1 : 0
  expect(await typed(example, environment)).toEqual({ code, errors: '' })
})

it('does what the help of webhooks shows', async () => {
  const rows = operationCommands.filter(({ words }) => words.startsWith('webhooks '))
  const place = (words: string) => ['get', 'redeliver', 'delete'].indexOf(words.split(' ')[1] ?? '')
  const ordered = rows.toSorted((one, other) => place(one.words) - place(other.words))
  await post('/reset', { fixture: 'starter' })
  for (const { example, words } of ordered) {
    // Nobody listens there, so that the first delivery is tried again and again.
    const isUnderWay = words === 'webhooks redeliver'
    if (isUnderWay) await vi.waitUntil(hasDelivery)
    const errors = isUnderWay ? 'delivery_id "wh_000001_2" is still being delivered.\n' : ''
    expect({ words, ...(await typed(example, {})) }).toEqual({
      words,
      code: isUnderWay ? 1 : 0,
      errors,
    })
    if (words === 'webhooks create')
      await post('/subscriptions', { customer_id: 'cus_ada', plan: 'pro' })
  }
})
