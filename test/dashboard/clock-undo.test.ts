import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { follow, openForEach, subscribeToTrial, type Visitor } from '../support/dashboard.ts'

const clockAddress = '/dashboard/default/clock'

let sandbox: Sandbox
let me: Visitor

openForEach((opened) => {
  ;({ sandbox, me } = opened)
})

/** The name of the checkpoint before a move, from the address that it leads to. */
function undoIn(location: string | null): string {
  return new URL(location ?? '', sandbox.url).searchParams.get('undo') ?? ''
}

describe('a move of the clock from the dashboard', () => {
  it('says from, to and what happened, and is undone at once', async () => {
    const id = await subscribeToTrial(sandbox)
    await sandbox.subscriptions.create({ customer_id: 'cus_linus', plan: 'pro' })
    const before = await sandbox.subscriptions.get(id)
    await sandbox.payments.script({ always: 'card_declined', customer_id: 'cus_linus' })
    const { location } = await me.send('clock/advance', { move: 'P1M', back: clockAddress })
    const moved = await follow(me, location)
    expect(moved.text).toContain(
      'The clock has moved. 2027-01-01 → 2027-02-01: 1 activated, 1 renewed, 10.00 USD paid, 1 failed, 1 past due. Undo',
    )
    const name = undoIn(location)
    const undone = await me.send('clock/undo', { undo: name, back: location ?? '' })
    expect(undone.location).toBe(`${clockAddress}?did=undone`)
    expect((await follow(me, undone.location)).text).toContain('the sandbox is back at 2027-01-01.')
    expect(await sandbox.subscriptions.get(id)).toEqual(before)
    expect(await sandbox.checkpoints.list()).toEqual([])
  })

  it('says what it did, also after another one, and asks before both are undone', async () => {
    await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    const send = () => me.send('clock/advance', { move: 'P1M', back: clockAddress })
    const answers = [await send(), await send()].map(({ location }) => location)
    const [first = '', second = ''] = await Promise.all(
      answers.map(async (location) => (await follow(me, location)).text),
    )
    expect(first).toContain('2027-01-01 → 2027-02-01: 1 renewed, 10.00 USD paid. Undo')
    expect(second).toContain('2027-02-01 → 2027-03-01: 1 renewed, 10.00 USD paid. Undo')
    const undo = undoIn(answers[0] ?? null)
    const asked = await me.send('clock/undo', { undo })
    expect(asked.location).toContain(`/clock/undo/${undo}?back=`)
    await me.send(`clock/undo/${undo}`)
    expect((await follow(me, answers[0] ?? null)).text).toContain(
      'paid. This move cannot be undone:',
    )
  })

  it('says what it did where two are made at once', async () => {
    await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    const send = () => me.send('clock/advance', { move: 'P1M', back: clockAddress })
    const answers = await Promise.all([send(), send()])
    const texts = await Promise.all(
      answers.map(async (each) => (await follow(me, each.location)).text),
    )
    const did = texts.map((text) => /has moved\. (.*?) Undo/.exec(text)?.[1])
    expect(did.sort()).toEqual([
      '2027-01-01 → 2027-02-01: 1 renewed, 10.00 USD paid.',
      '2027-02-01 → 2027-03-01: 1 renewed, 10.00 USD paid.',
    ])
  })

  it('is undone after a question, if something was changed since', async () => {
    const { location } = await me.send('clock/advance', { move: 'P1M' })
    await subscribeToTrial(sandbox)
    const name = undoIn(location)
    const asked = await me.send('clock/undo', { undo: name, back: '/dashboard/default/events' })
    expect(asked.location).toContain(`/dashboard/default/clock/undo/${name}?back=`)
    const question = await follow(me, asked.location)
    expect(question.text).toContain('The sandbox goes back to 2027-01-01. Everything that changed')
    expect(question.html).toContain('name="back" value="/dashboard/default/events"')
    expect(await sandbox.subscriptions.list()).toHaveLength(1)
    const undone = await me.send(`clock/undo/${name}`, { back: '/dashboard/default/events' })
    expect(undone.location).toBe('/dashboard/default/events?did=undone')
    expect(await sandbox.subscriptions.list()).toEqual([])
  })

  it('is undone after a question, if a refused request revoked tokens since', async () => {
    const { refresh_token } = await sandbox.tokens.issue()
    const headers = { Authorization: `Bearer ${refresh_token}`, 'Content-Type': 'application/json' }
    const order = { method: 'POST', headers, body: JSON.stringify({ refresh_token }) }
    const refresh = () => fetch(`${sandbox.url}/v1/auth/refresh`, order)
    expect((await refresh()).status).toBe(200)
    const { location } = await me.send('clock/advance', { move: 'P1D' })
    expect((await refresh()).status).toBe(403)
    const undone = await me.send('clock/undo', { undo: undoIn(location) })
    expect(undone.location).toContain(`/clock/undo/${undoIn(location)}?back=`)
    const back = await me.send('clock/advance', { move: 'back', to: '2027-01-01' })
    expect(back.location).toContain(`/clock/undo/${undoIn(location)}?back=`)
    expect((await sandbox.tokens.list())[0]?.revoked_at).toBe('2027-01-02T00:00:00.000Z')
  })

  it('is undone after a question, if a fault was used up by a refused request since', async () => {
    await sandbox.faults.create({ effect: { delay_ms: 1 }, times: 1 })
    const { location } = await me.send('clock/advance', { move: 'P1D' })
    const order = { method: 'POST', headers: { Authorization: `Bearer ${sandbox.apiKey}` } }
    expect((await fetch(`${sandbox.url}/v1/subscriptions`, order)).status).toBe(400)
    const undone = await me.send('clock/undo', { undo: undoIn(location) })
    expect(undone.location).toContain(`/clock/undo/${undoIn(location)}?back=`)
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
    const { location } = await me.send('clock/advance', { move: 'P1D', back: clockAddress })
    const { text } = await follow(me, location)
    expect(text).toContain('The clock has moved. 2027-01-02 → 2027-01-03: nothing was billed.')
    expect(text).toContain('This move cannot be undone: its checkpoint does not exist.')
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
    await subscribeToTrial(sandbox)
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
