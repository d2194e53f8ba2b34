import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { follow, openForEach, subscribeToTrial, type Visitor } from '../support/dashboard.ts'

let sandbox: Sandbox
let me: Visitor

openForEach((opened) => {
  ;({ sandbox, me } = opened)
})

describe('the clock of the dashboard', () => {
  it('moves on by a day and a month from any page, and leads back to it', async () => {
    const moved = await me.send('clock/advance', {
      move: 'P1D',
      back: '/dashboard/default/invoices?status=open',
    })
    expect(moved.status).toBe(303)
    expect(moved.location).toMatch(/^\/dashboard\/default\/invoices\?status=open&did=advanced&/)
    expect(await sandbox.clock.now()).toBe('2027-01-02T00:00:00.000Z')
  })

  it('leads nowhere else, whatever it is asked to lead back to', async () => {
    for (const back of [
      'https://elsewhere.example/',
      '//elsewhere.example/',
      '/sandbox',
      '/dashboard/default/../..//elsewhere.example/',
      '/dashboard/default/%2e%2e/%2e%2e//elsewhere.example/',
      '/dashboard/other/clock',
    ]) {
      const { location } = await me.send('clock/advance', { move: 'P1D', back })
      expect(location).toMatch(/^\/dashboard\/default\/clock\?/)
    }
  })

  it('moves to the next due item and says where to read what happened', async () => {
    await subscribeToTrial(sandbox)
    const { html } = await me.open('clock')
    expect(html).toContain('<dt>Next due<code class="api"> next_due</code></dt>')
    expect(html).toMatch(/value="next"[^>]*>Next due</)
    const { location } = await me.send('clock/advance', { move: 'next' })
    expect(await sandbox.clock.now()).toBe('2027-01-15T00:00:00.000Z')
    expect(location).toMatch(/did=advanced&seq=\d+&undo=auto-/)
  })

  it('shows what a move would do and does nothing, and then makes that move', async () => {
    const id = await subscribeToTrial(sandbox)
    const { location } = await me.send('clock/advance', {
      move: 'to',
      to: '2027-02-01',
      preview: 'true',
    })
    const path = location?.replace('/dashboard/default/', '') ?? ''
    const preview = await me.open(path)
    expect(preview.text).toContain(`2027-01-15 ${id} the trial ended`)
    const listed = preview.html.match(/<tr[^>]*><td class=""><time/g)
    expect(preview.html).toContain(`<dt>Events</dt><dd>${listed?.length}</dd>`)
    expect(await sandbox.clock.now()).toBe('2027-01-01T00:00:00.000Z')
    await me.send('clock/advance', { move: 'to', to: '2027-02-01' })
    expect(await sandbox.clock.now()).toBe('2027-02-01T00:00:00.000Z')
  })

  it('moves until a subscription has a status, and where it never has only if told to', async () => {
    const id = await subscribeToTrial(sandbox)
    const until = { move: 'until', subscription_id: id, within: 'P1M' }
    expect(await me.send('clock/advance', { ...until, status: 'active' })).toHaveProperty(
      'status',
      303,
    )
    expect((await sandbox.subscriptions.get(id)).status).toBe('active')
    const path = `clock/preview?move=until&subscription_id=${id}&within=P1M`
    const unmet = 'Not reached within that time: the clock has not moved.'
    expect((await me.open(`${path}&status=canceled`)).text).toContain(unmet)
    expect((await me.open(`${path}&status=past_due`)).text).toContain(unmet)
    expect((await me.open(`${path}&status=active`)).text).not.toContain(unmet)
    const [never, now] = [{ ...until, status: 'canceled' }, await sandbox.clock.now()]
    const stayed = await follow(me, (await me.send('clock/advance', never)).location)
    expect(stayed.html).toMatch(/class="notice warning"/)
    expect(stayed.text).toContain(unmet)
    expect(await sandbox.clock.now()).toBe(now)
    expect(stayed.html).toMatch(/name="anyway" value="true"/)
    // It is no name of the API.
    expect((await me.open('clock')).html).not.toMatch(/<code[^>]*> anyway/)
    const { location } = await me.send('clock/advance', { ...never, anyway: 'true' })
    expect(location).toContain('did=not_met')
    expect((await follow(me, location)).html).toMatch(/class="notice warning"[^>]*>Not reached: /)
    expect(await sandbox.clock.now()).not.toBe(now)
  })

  it('refuses to go back in the words of the API, beside the field, with what was typed', async () => {
    const refused = await me.send('clock/advance', { move: 'to', to: '2026-01-01' })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('The clock only moves forward')
    expect(refused.html).toContain('value="2026-01-01"')
    const wrong = await me.send('clock/advance', { move: 'to', to: 'soon' })
    expect(wrong.status).toBe(400)
    expect(wrong.html).toMatch(/aria-describedby="field-to-hint field-to-wrong"/)
  })

  it('keeps a checkpoint, asks before it goes back to it, and goes back', async () => {
    await me.send('clock/checkpoints', { name: 'before' })
    const id = await subscribeToTrial(sandbox)
    expect((await me.open('clock/checkpoints/before/restore')).text).toContain('Restore before?')
    expect(await sandbox.subscriptions.list()).toHaveLength(1)
    await me.send('clock/checkpoints/before/restore')
    await expect(sandbox.subscriptions.get(id)).rejects.toThrow('does not exist')
  })

  it('forks a checkpoint into a sandbox of its own', async () => {
    await me.send('clock/checkpoints', { name: 'before' })
    const { location } = await me.send('sandboxes/fork', { checkpoint: 'before' })
    const [, fork = ''] = /^\/dashboard\/([^/]+)\/\?did=forked$/.exec(location ?? '') ?? []
    expect((await sandbox.siblings()).map((each) => each.sandbox_id)).toContain(fork)
  })

  it('lets the clock run, and freezes it', async () => {
    await me.send('clock/mode', { mode: 'running' })
    expect((await sandbox.clock.get()).mode).toBe('running')
    await me.send('clock/mode', { mode: 'frozen' })
    expect((await sandbox.clock.get()).mode).toBe('frozen')
  })

  it('says at the top why a move of the bar or a button is refused, once', async () => {
    const far = await me.send('clock/advance', { move: 'P9999Y' })
    expect(far.status).toBe(409)
    expect(far.html.match(/role="alert"/g)).toHaveLength(1)
    expect(far.text).toContain('must not go past')
    const nobody = await me.send('sandboxes/fork', { checkpoint: 'nobody' })
    expect(nobody.status).toBe(404)
    expect(nobody.html.match(/role="alert"/g)).toHaveLength(1)
    const name = await me.send('clock/checkpoints', { name: 'a b' })
    expect(name.html.match(/role="alert"/g)).toHaveLength(1)
  })

  it('leads whoever opens the address of a form to its page', async () => {
    for (const path of ['advance', 'mode', 'checkpoints']) {
      const { status, location } = await me.open(`clock/${path}?did=advanced`)
      expect({ status, location }).toEqual({
        status: 302,
        location: '/dashboard/default/clock?did=advanced',
      })
    }
  })

  it('asks before it deletes a checkpoint', async () => {
    await me.send('clock/checkpoints', { name: 'before' })
    expect((await me.open('clock/checkpoints/before/delete')).text).toContain(
      'Delete the checkpoint',
    )
    expect(await sandbox.checkpoints.list()).toHaveLength(1)
    await me.send('clock/checkpoints/before/delete')
    expect(await sandbox.checkpoints.list()).toHaveLength(0)
  })

  it('offers the statuses by the names that they have here', async () => {
    await sandbox.settings.change({ paused_status_name: 'on_hold' })
    expect((await me.open('clock')).html).toContain('value="on_hold"')
  })
})
