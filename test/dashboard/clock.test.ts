import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { openForEach, type Visitor } from '../support/dashboard.ts'

const clockAddress = '/dashboard/default/clock'

let sandbox: Sandbox
let me: Visitor

openForEach((opened) => {
  ;({ sandbox, me } = opened)
})

async function subscribe(): Promise<string> {
  const order = { customer_id: 'cus_ada', plan: 'basic', trial_period_days: 14 }
  return (await sandbox.subscriptions.create(order)).subscription_id
}

/** Opens the page that an answer leads to. */
function follow(location: string | null) {
  return me.open(location?.replace('/dashboard/default/', '') ?? '')
}

/** The name of the checkpoint before a move, from the address that it leads to. */
function undoIn(location: string | null): string {
  return new URL(location ?? '', sandbox.url).searchParams.get('undo') ?? ''
}

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
    await subscribe()
    const { html } = await me.open('clock')
    expect(html).toContain('<dt>Next due<code class="api"> next_due</code></dt>')
    expect(html).toMatch(/value="next"[^>]*>Next due</)
    const { location } = await me.send('clock/advance', { move: 'next' })
    expect(await sandbox.clock.now()).toBe('2027-01-15T00:00:00.000Z')
    expect(location).toMatch(/did=advanced&seq=\d+&undo=auto-/)
  })

  it('shows what a move would do and does nothing, and then makes that move', async () => {
    const id = await subscribe()
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
    const id = await subscribe()
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
    const stayed = await follow((await me.send('clock/advance', never)).location)
    expect(stayed.html).toMatch(/class="notice warning"/)
    expect(stayed.text).toContain(unmet)
    expect(await sandbox.clock.now()).toBe(now)
    expect(stayed.html).toMatch(/name="anyway" value="true"/)
    // It is no name of the API.
    expect((await me.open('clock')).html).not.toMatch(/<code[^>]*> anyway/)
    const { location } = await me.send('clock/advance', { ...never, anyway: 'true' })
    expect(location).toContain('did=not_met')
    expect((await follow(location)).html).toMatch(/class="notice warning"[^>]*>Not reached: /)
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
    const id = await subscribe()
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

describe('a move of the clock from the dashboard', () => {
  it('says from, to and what happened, and is undone at once', async () => {
    const id = await subscribe()
    await sandbox.subscriptions.create({ customer_id: 'cus_linus', plan: 'pro' })
    const before = await sandbox.subscriptions.get(id)
    await sandbox.payments.script({ always: 'card_declined', customer_id: 'cus_linus' })
    const { location } = await me.send('clock/advance', { move: 'P1M', back: clockAddress })
    const moved = await follow(location)
    expect(moved.text).toContain(
      'The clock has moved. 2027-01-01 → 2027-02-01: 1 activated, 1 renewed, 10.00 USD paid, 1 failed, 1 past due. Undo',
    )
    const name = undoIn(location)
    const undone = await me.send('clock/undo', { undo: name, back: location ?? '' })
    expect(undone.location).toBe(`${clockAddress}?did=undone`)
    expect((await follow(undone.location)).text).toContain('the sandbox is back at 2027-01-01.')
    expect(await sandbox.subscriptions.get(id)).toEqual(before)
    expect(await sandbox.checkpoints.list()).toEqual([])
  })

  it('is undone after a question, if something was changed since', async () => {
    const { location } = await me.send('clock/advance', { move: 'P1M' })
    await subscribe()
    const name = undoIn(location)
    const asked = await me.send('clock/undo', { undo: name, back: '/dashboard/default/events' })
    expect(asked.location).toContain(`/dashboard/default/clock/undo/${name}?back=`)
    const question = await follow(asked.location)
    expect(question.text).toContain('The sandbox goes back to 2027-01-01. Everything that changed')
    expect(question.html).toContain('name="back" value="/dashboard/default/events"')
    expect(await sandbox.subscriptions.list()).toHaveLength(1)
    const undone = await me.send(`clock/undo/${name}`, { back: '/dashboard/default/events' })
    expect(undone.location).toBe('/dashboard/default/events?did=undone')
    expect(await sandbox.subscriptions.list()).toEqual([])
  })

  it('can be undone one after another from the page of the clock, five of them', async () => {
    await sandbox.checkpoint('mine')
    for (let day = 1; day <= 6; day += 1) await me.send('clock/advance', { move: 'P1D' })
    expect(await sandbox.checkpoints.list()).toHaveLength(6)
    for (let day = 6; day > 1; day -= 1) {
      const { html, text } = await me.open('clock')
      expect(text).not.toContain('auto-')
      const [, path = ''] = /href="\/dashboard\/default\/(clock\/undo\/[^"]+)"/.exec(html) ?? []
      await me.send(path)
      expect(await sandbox.clock.now()).toBe(`2027-01-0${day}T00:00:00.000Z`)
    }
    expect((await me.open('clock')).text).not.toContain('Undo the last move')
    expect((await sandbox.checkpoints.list()).map(({ name }) => name)).toEqual(['mine'])
    expect((await me.open('sandboxes')).text).toContain('at the checkpoint mine')
  })

  it('moves without an undo where the checkpoints of the user leave no room', async () => {
    for (let count = 0; count < 99; count += 1) await sandbox.checkpoint(`mine-${count}`)
    await me.send('clock/advance', { move: 'P1D' })
    const kept = await me.send('clock/checkpoints', { name: 'mine-99' })
    expect(kept.location).toContain('did=kept')
    const { location } = await me.send('clock/advance', { move: 'next', back: clockAddress })
    expect(location).toBe(`${clockAddress}?did=advanced`)
    const { text } = await follow(location)
    expect(text).toContain('The clock has moved.')
    expect(text).not.toContain('Undo')
    expect((await me.send('clock/checkpoints', { name: 'more' })).status).toBe(409)
  })

  it('keeps no checkpoint if it is refused', async () => {
    expect((await me.send('clock/advance', { move: 'to', to: 'soon' })).status).toBe(400)
    expect(await sandbox.checkpoints.list()).toEqual([])
  })

  it('is not undone by a link, and a made-up address claims and restores nothing', async () => {
    await sandbox.checkpoint('auto-renew')
    await sandbox.clock.advance({ by: 'P1D' })
    const queries = ['undo=mine', 'undo=auto-1&seq=999999', 'seq=-1', 'seq=x', 'undo=%3Cb%3E']
    for (const query of queries) {
      const { status, html, text } = await me.open(`clock?did=advanced&${query}`)
      expect(status).toBe(200)
      expect(text).toContain('The clock has moved.')
      expect(text).not.toContain('→')
      expect(html).not.toContain('clock/undo')
    }
    expect((await me.open('clock/undo?undo=auto-renew')).status).toBe(302)
    expect((await me.send('clock/undo', { undo: 'auto-renew' })).status).toBe(404)
    expect((await me.open('clock/undo/auto-renew')).status).toBe(404)
    expect((await me.send('clock/undo/auto-renew')).status).toBe(404)
    expect(await sandbox.clock.now()).toBe('2027-01-02T00:00:00.000Z')
    expect((await me.open('clock')).text).toContain('auto-renew')
  })

  it('goes back to the newest checkpoint before an instant, and asks if more than the clock changed', async () => {
    const back = (to: string) => me.send('clock/advance', { move: 'back', to, back: clockAddress })
    expect((await back('2026-12-01')).location).toBe(`${clockAddress}?did=no_checkpoint`)
    await me.send('clock/advance', { move: 'P1D' })
    await me.send('clock/advance', { move: 'P1M' })
    const preview = await me.open('clock/preview?move=back&to=2027-01-20')
    expect(preview.html).toMatch(
      /id="outcome" data-at="2027-01-02T00:00:00.000Z" data-next="2027-02-02T00:00:00.000Z">back to 2027-01-02/,
    )
    expect((await back('2027-01-20')).location).toBe(`${clockAddress}?did=moved_back`)
    expect((await back('2027-01-01')).location).toBe(`${clockAddress}?did=moved_back`)
    await me.send('clock/advance', { move: 'P1D' })
    await sandbox.checkpoint('mine')
    await subscribe()
    await me.send('clock/advance', { move: 'P1M' })
    // The checkpoint before the move is of the same instant as that of the user, and newer.
    expect((await back('2027-01-20')).location).toBe(`${clockAddress}?did=moved_back`)
    expect(await sandbox.subscriptions.list()).toHaveLength(1)
    await sandbox.clock.advance('P1D')
    expect((await back('2027-01-02')).location).toContain('/clock/checkpoints/mine/restore')
    expect(await sandbox.clock.now()).toBe('2027-01-03T00:00:00.000Z')
  })

  it('says so if its checkpoint is gone', async () => {
    const { location } = await me.send('clock/advance', { move: 'P1D' })
    const undo = undoIn(location)
    await sandbox.checkpoints.delete(undo)
    const gone = await me.send('clock/undo', { undo })
    expect(gone).toMatchObject({ status: 404, text: expect.stringContaining('does not exist') })
    expect(await sandbox.clock.now()).toBe('2027-01-02T00:00:00.000Z')
  })
})
