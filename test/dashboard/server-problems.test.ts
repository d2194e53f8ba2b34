/** What pages say that no visitor has done wrong, and what a link cannot make them say. */
import { describe, expect } from 'vitest'
import { dashboard } from '../../src/dashboard/app.tsx'
import { itAt } from '../support/dashboard.ts'

const it = itAt('2027-01-01T00:00:00.000Z')
const message = 'The disk did not take the change: ENOSPC.'

/** The pages over a sandbox whose disk takes no change. */
function pagesWithFullDisk(url: string) {
  const app = dashboard({
    controlToken: null,
    answer: async (request) =>
      request.method === 'GET' || request.url.endsWith('/what-if')
        ? fetch(request)
        : Response.json({ error: 'storage_unavailable', message }, { status: 503 }),
  })
  return (path: string, fields: Record<string, string>) =>
    app.request(`${url}/dashboard/default/${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    })
}

describe('a disk that takes no change, on the dashboard', () => {
  it.for([
    ['customers/~new', { customer_id: 'cus_new' }],
    ['products/~new', { name: 'App' }],
    ['payments', { outcome: 'card_declined' }],
    ['clock/advance', { by: 'P1D' }],
    ['clock/checkpoints', { name: 'before' }],
    ['subscriptions/sub_000001/pause', {}],
    ['subscriptions/sub_000001/cancel', { at_period_end: 'true' }],
    ['subscriptions/sub_000001/update', { plan: 'pro' }],
    ['subscriptions/sub_000001/apply-coupon', { coupon_id: 'SAVE20' }],
    ['subscriptions/~new', { customer_id: 'cus_ada', product_id: 'prod_app', plan: 'basic' }],
    ['settings', { retry_schedule: 'P1D' }],
  ] as const)(
    'is a problem of the server, and no fault in the form: %s',
    async ([path, fields], { sandbox }) => {
      await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
      const answer = await pagesWithFullDisk(sandbox.url)(path, fields)
      expect(answer.status).toBe(503)
      const html = await answer.text()
      expect(html).toContain(`Problem of the server: ${message}`)
      expect(html).toContain('This is not a problem of what you entered.')
      expect(html).not.toMatch(/aria-invalid|class="[^"]*wrong/)
    },
  )
})

describe('a fault that breaks an answer, on the dashboard', () => {
  it.for([
    [{ cut: true }, 502, 'A fault of this sandbox closed the connection.'],
    [{ status: 200, body: 'no JSON' }, 200, 'The sandbox answered 200: no JSON'],
  ] as const)('is no defect: %j', async ([effect, status, words], { sandbox, me }) => {
    const order = { customer_id: 'cus_ada', plan: 'basic' }
    const { subscription_id: id } = await sandbox.subscriptions.create(order)
    const { refresh_token: token = '' } = await sandbox.tokens.issue()
    await sandbox.faults.create({ match: {}, effect })
    const fields = { refresh_token: token }
    for (const answer of [
      await me.send(`subscriptions/${id}/pause`),
      await me.send('tokens/refresh', fields),
    ]) {
      expect(answer.status).toBe(status)
      expect(answer.text).toContain(words)
    }
    // A request that is sent again into it is in the log.
    const [logged] = await sandbox.requests.list({ operation_id: 'pauseSubscription' })
    const { location } = await me.send(`requests/${logged?.request_id}/send`)
    const [newest] = await sandbox.requests.list()
    expect(location).toContain(`requests/${newest?.request_id}?did=sent_again`)
  })
})

describe('a page that does not exist, on the dashboard', () => {
  it.for(['nowhere', 'customers/cus_nobody', 'nowhere/below'])(
    'keeps the menu and the clock of its sandbox: %s',
    async (path, { me }) => {
      const { status, html } = await me.open(path)
      expect(status).toBe(404)
      expect(html).toContain('<h1>Not found</h1>')
      expect(html).toContain('id="places"')
      expect(html).toContain('href="/dashboard/default/clock"')
    },
  )
})

it('says what the address of a page takes, where a program uses another method', async ({
  sandbox,
}) => {
  const answer = await fetch(`${sandbox.url}/dashboard/default/customers`, { method: 'PUT' })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect(await answer.text()).toContain('customers takes GET, HEAD; got PUT.')
})

describe('a link to the dashboard', () => {
  it.for(['/dashboard', '/dashboard/'])(
    'without a sandbox leads to the first: %s',
    async (path, { sandbox }) => {
      const answer = await fetch(`${sandbox.url}${path}`, { redirect: 'manual' })
      expect(answer.headers.get('location')).toBe('/dashboard/default/')
    },
  )

  it.for([
    'Your card was charged twice. Call 555-0100.',
    '<b>paid</b>',
    'constructor',
    'toString',
    '__proto__',
    'hasOwnProperty',
    'paid ',
    'PAID',
    '',
  ])('cannot put words into a page: did=%s', async (did, { me }) => {
    const { status, html, text } = await me.open(
      `invoices?${new URLSearchParams({ did, seq: '1' })}`,
    )
    expect(status).toBe(200)
    expect(html).not.toContain('class="notice"')
    expect(text).not.toMatch(/charged twice|native code|What happened on the way/)
  })

  it('shows the words of a notice that there is, and follows only a number', async ({ me }) => {
    const { text } = await me.open('invoices?did=paid&seq=1%22onclick')
    expect(text).toContain('The payment was tried.')
    expect(text).not.toContain('What happened on the way')
  })
})
