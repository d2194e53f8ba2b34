import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/index.ts'

describe('the guards of the dashboard', () => {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
  })

  afterAll(() => sandbox.close())

  const post = (path: string, headers: Record<string, string>) =>
    fetch(`${sandbox.url}/dashboard/default/${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: 'move=P1D',
    })

  it.each([
    ['Origin', 'https://elsewhere.example'],
    ['Origin', 'null'],
    ['Sec-Fetch-Site', 'cross-site'],
  ])('refuses a post with %s %s, and changes nothing', async (name, value) => {
    const before = await sandbox.clock.now()
    const answer = await post('clock/advance', { [name]: value })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('another site')
    expect(await sandbox.clock.now()).toBe(before)
  })

  it('changes nothing with a GET', async () => {
    const before = JSON.stringify(await sandbox.exportState())
    for (const path of ['clock/advance?move=P1D', 'clock/preview?move=P1D', 'audit', 'recording']) {
      const answer = await fetch(`${sandbox.url}/dashboard/default/${path}`)
      expect(answer.status, path).toBe(200)
    }
    expect(JSON.stringify(await sandbox.exportState())).toBe(before)
  })

  it('answers a HEAD of the live stream, and leaves no stream open', async () => {
    const answer = await fetch(`${sandbox.url}/dashboard/default/changes`, { method: 'HEAD' })
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
  })

  it('has pages loaded again for requests that are accepted, so that none loads itself for ever', async () => {
    const own = await sandbox.create({ id: 'live' })
    const follow = async (query: string, headers = {}) => {
      const { body } = await fetch(`${sandbox.url}/dashboard/live/changes${query}`, { headers })
      return body?.pipeThrough(new TextDecoderStream()).getReader()
    }
    const [changes, requests] = [await follow(''), await follow('?of=requests')]
    // Not for what a page read itself, and was refused.
    await fetch(`${sandbox.url}/dashboard/live/customers/cus_nobody`)
    await expect(own.customers.get('cus_nobody')).rejects.toThrow('cus_nobody')
    expect((await requests?.read())?.value).toBe('id: 1\ndata: changed\n\n')
    await own.customers.create({ customer_id: 'cus_new' })
    expect((await requests?.read())?.value).toBe('id: 2\ndata: changed\n\n')
    expect((await changes?.read())?.value).toBe('id: 2\ndata: changed\n\n')
    // A page begins after what it shows, and a stream that broke after what it sent.
    const later = await follow('?of=requests&after=1')
    expect((await later?.read())?.value).toBe('id: 2\ndata: changed\n\n')
    const again = await follow('?after=2', { 'Last-Event-ID': '0' })
    expect((await again?.read())?.value).toBe('id: 2\ndata: changed\n\n')
    await own.close()
    expect(await changes?.read()).toEqual({ done: true, value: undefined })
  })

  it('has a stream whose headers can be asked for alone', async () => {
    const head = await fetch(`${sandbox.url}/dashboard/default/changes`, { method: 'HEAD' })
    expect(head.headers.get('content-type')).toBe('text/event-stream')
  })

  it('takes forms only, and says so', async () => {
    const answer = await fetch(`${sandbox.url}/dashboard/default/clock/advance`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"move":"P1D"}',
    })
    expect(answer.status).toBe(415)
    expect(await answer.text()).toContain('must be a form')
  })

  it('shows what a fault does to a call, and keeps the form', async () => {
    const own = await sandbox.create({ id: 'faulty' })
    const { subscription_id: id } = await own.subscriptions.create({
      customer_id: 'cus_ada',
      plan: 'basic',
    })
    for (const effect of [{ status: 503 }, { drop: true }] as const) {
      await own.faults.create({ match: {}, effect, times: 1 })
      const path = `${sandbox.url}/dashboard/faulty/subscriptions/${id}/pause`
      const answer = await fetch(path, { method: 'POST', body: new URLSearchParams() })
      expect(answer.status).toBeGreaterThanOrEqual(500)
      expect(await answer.text()).toContain('role="alert"')
    }
    expect(await own.subscriptions.get(id)).toMatchObject({ status: 'active' })
  })

  it('finds no sandbox by a name that none can have', async () => {
    const answer = await fetch(`${sandbox.url}/dashboard/a%0d%0aX/clock`)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('does not exist')
  })

  it('allows its own stylesheet, script, icon and forms, and nothing else', async () => {
    const answer = await fetch(`${sandbox.url}/dashboard/default/clock`)
    expect(answer.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(await answer.text()).not.toMatch(/ style=|<style|<script>| on[a-z]+=/)
  })

  it('says which sandbox does not exist, and leads to one that does', async () => {
    const answer = await fetch(`${sandbox.url}/dashboard/nobody/clock`)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('href="/dashboard/default/"')
  })

  it('is where / leads to', async () => {
    const answer = await fetch(sandbox.url)
    expect(new URL(answer.url).pathname).toBe('/dashboard/default/')
  })

  it('leaves no trace in the log of requests, in the recording or in the counting of ids', async () => {
    const own = await sandbox.create({ id: 'traceless' })
    const paths = ['clock', 'customers', 'catalog', 'coupons', 'payments', 'tokens', 'webhooks']
    for (const path of [...paths, '', 'invoices', 'settings', 'sandboxes', 'contracts', 'plans']) {
      await fetch(`${sandbox.url}/dashboard/traceless/${path}`)
    }
    expect(await own.requests.list()).toEqual([])
    const body = new URLSearchParams({ move: 'P1D' })
    const path = `${sandbox.url}/dashboard/traceless/clock/advance`
    await fetch(path, { method: 'POST', redirect: 'manual', body })
    const requests = await own.requests.list()
    // The move, and the checkpoint before it.
    expect(requests.map(({ number, request }) => [number, request.path])).toEqual([
      [2, '/sandbox/clock/advance'],
      [1, '/sandbox/checkpoints'],
    ])
    expect(await own.recording('curl')).toContain('/sandbox/clock/advance')
  })
})
