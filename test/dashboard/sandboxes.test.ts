import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { jsx } from 'hono/jsx'
import { describe, expect, it } from 'vitest'
import { findingsOf } from '../../src/dashboard/pages/audit.tsx'
import { CurrentPage, type PageContext } from '../../src/dashboard/ui/page-context.ts'
import { connect, type Sandbox } from '../../src/index.ts'
import { openForEach, type Visitor, visitor } from '../support/dashboard.ts'

let sandbox: Sandbox
let me: Visitor

openForEach((opened) => {
  ;({ sandbox, me } = opened)
})

const order = { customer_id: 'cus_ada', plan: 'basic' }
const ids = async () => (await sandbox.siblings()).map((each) => each.sandbox_id)

describe('the sandboxes of a server', () => {
  it('are listed with key and clock, and what this one holds', async () => {
    await sandbox.subscriptions.create(order)
    const { text } = await me.open('sandboxes')
    expect(text).toContain(`default this one 2027-01-01 ${sandbox.apiKey}`)
    expect(text).toContain('subscriptions 1')
  })

  it('are made from a fixture at an instant, and lead to the new one', async () => {
    const fields = { id: 'team-a', fixture: 'empty', now: '2028-02-29T00:00:00.000Z' }
    const { location } = await me.send('sandboxes', fields)
    expect(location).toBe('/dashboard/team-a/?did=created')
    const made = await connect(sandbox.url, { sandbox: 'team-a' })
    expect(await made.describe()).toMatchObject({ now: fields.now, counts: { customers: 0 } })
    await me.send('sandboxes')
    expect(await ids()).toHaveLength(3)
  })

  it('are refused in the words of the API beside the field, with what was typed', async () => {
    const wrong = await me.send('sandboxes', { id: 'Team A', fixture: '', now: 'today' })
    expect(wrong.status).toBe(400)
    expect(wrong.html).toMatch(/id="field-id-wrong">[^<]*1 to 63 of a-z, 0-9 and -/)
    expect(wrong.html).toContain('value="Team A"')
    const unknown = await me.send('sandboxes', { fixture: 'nothing' })
    expect(unknown.status).toBe(404)
    expect(unknown.text).toContain('nothing')
    expect(await ids()).toEqual(['default'])
  })

  it('can be forked as they are, or at a checkpoint', async () => {
    await sandbox.checkpoint('before')
    await sandbox.subscriptions.create(order)
    await me.send('sandboxes/fork', { fork_id: 'now' })
    const { location } = await me.send('sandboxes/fork', { fork_id: 'then', checkpoint: 'before' })
    expect(location).toBe('/dashboard/then/?did=forked')
    const held = async (id: string) =>
      (await connect(sandbox.url, { sandbox: id })).subscriptions.list()
    expect(await held('now')).toHaveLength(1)
    expect(await held('then')).toHaveLength(0)
    const taken = await me.send('sandboxes/fork', { fork_id: 'then' })
    expect(taken.status).toBe(409)
    expect(taken.text).toContain('then')
  })

  it('are deleted only after a page has said what goes', async () => {
    await sandbox.fork({ id: 'copy' })
    const { text } = await me.open('sandboxes/copy/delete')
    expect(text).toMatch(/Delete copy\?.*customers 3/)
    expect(await ids()).toEqual(['default', 'copy'])
    const { location } = await me.send('sandboxes/copy/delete')
    expect(location).toBe('/dashboard/default/sandboxes?did=deleted')
    expect(await ids()).toEqual(['default'])
  })

  it('can be deleted from the list, but for the default one, which always exists', async () => {
    await sandbox.fork({ id: 'copy' })
    const { html, text } = await me.open('sandboxes')
    const offered = [...html.matchAll(/sandboxes\/([^/"]+)\/delete/g)].map(([, id]) => id)
    expect(offered).toEqual(['copy'])
    expect(text).toContain(`${sandbox.apiKey} always exists`)
  })

  it('lead to the default one when they delete themselves, which stays', async () => {
    await sandbox.fork({ id: 'copy' })
    const { location } = await visitor(sandbox.url, 'copy').send('sandboxes/copy/delete')
    expect(location).toBe('/dashboard/default/sandboxes?did=deleted')
    const refused = await me.send('sandboxes/default/delete')
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('default')
    expect(refused.html).toContain('role="alert"')
    expect(await ids()).toEqual(['default'])
  })

  it('are reset only after a page has said what goes, to their fixture or another', async () => {
    await sandbox.subscriptions.create(order)
    await sandbox.checkpoint('before')
    expect((await me.open('sandboxes/reset')).text).toMatch(/Reset default\?.*subscriptions 1/)
    expect(await sandbox.subscriptions.list()).toHaveLength(1)
    const { location } = await me.send('sandboxes/reset', { fixture: '' })
    expect(location).toBe('/dashboard/default/?did=reset')
    expect(await sandbox.subscriptions.list()).toEqual([])
    expect(await sandbox.checkpoints.list()).toEqual([])
    await me.send('sandboxes/reset', { fixture: 'empty' })
    expect(await sandbox.customers.list()).toEqual([])
    expect((await me.send('sandboxes/reset', { fixture: 'nothing' })).status).toBe(404)
  })
})

describe('the audit', () => {
  it('says that the books are in order, and how much it has checked', async () => {
    await sandbox.subscriptions.create(order)
    const { text } = await me.open('audit')
    expect(text).toContain('The books are in order: 3 customers, 1 subscription, 1 invoice, ')
    expect(text).toContain('invoice totals')
  })

  it('lists what breaks a promise, with the record', async () => {
    const audit = await sandbox.audit()
    const violation = { invariant: 'invoice_totals', id: 'inv_000001', message: '1 cent is gone.' }
    const violations = [violation] as typeof audit.violations
    const page = { to: (path = '') => `/dashboard/default/${path}` } as PageContext
    const findings = findingsOf({ ...audit, ok: false, violations })
    const html = String(jsx(CurrentPage.Provider, { value: page }, findings as never))
    expect(html).toContain('The books are not in order: 1 violation')
    expect(html).toContain('href="/dashboard/default/invoices/inv_000001"')
    expect(html).toContain('1 cent is gone.')
    expect(html).toContain('broken: 1')
  })
})

describe('the recording', () => {
  it('can be read in each format, and is what the API tells', async () => {
    await sandbox.subscriptions.create(order)
    for (const format of ['curl', 'vitest', 'pytest', 'json'] as const) {
      const { text } = await me.open(`recording?format=${format}`)
      const [first = ''] = (await sandbox.recording(format)).split('\n')
      expect(text).toContain(first)
      expect(text).toMatch(/\/sandbox\/subscriptions|sandbox\.subscriptions\.create/)
    }
    expect((await me.open('recording?format=novel')).html).toContain('id="field-format-wrong"')
  })

  it('is downloaded as a file that runs, and ends in the same state', async () => {
    await sandbox.subscriptions.create(order)
    await sandbox.clock.advance('P1M')
    const path = `${sandbox.url}/dashboard/default/recording/download?format=curl`
    const answer = await fetch(path)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="recording.sh"')
    const script = await answer.text()
    const env = { ...process.env, SANDBOX_URL: sandbox.url, RECORDING_SANDBOX_ID: 'told' }
    await promisify(execFile)('sh', ['-c', script], { env })
    const told = await connect(sandbox.url, { sandbox: 'told' })
    expect(await told.subscriptions.list()).toEqual(await sandbox.subscriptions.list())
    expect(await told.clock.now()).toBe(await sandbox.clock.now())
  })

  it('says why it cannot be told, and what to do', async () => {
    const { id } = await sandbox.fork({ id: 'copy' })
    const { text } = await visitor(sandbox.url, id).open('recording')
    expect(text).toContain('it was made as a fork')
    expect(text).toContain('There is no complete recording.')
  })
})
