import { describe, expect } from 'vitest'
import { itAt, type Visited } from '../support/dashboard.ts'

const it = itAt('2027-01-01T00:00:00.000Z')

/** The tokens that a page shows. */
function tokensOn({ text }: Visited): { access: string; refresh: string } {
  const [, access = ''] = /Access token (\S+)/.exec(text) ?? []
  const [, refresh = ''] = /Refresh token (\S+)/.exec(text) ?? []
  return { access, refresh }
}

describe('the tokens of the dashboard', () => {
  it('are issued and shown once, in the answer itself and in no address', async ({
    sandbox,
    me,
  }) => {
    const issued = await me.send('tokens/issue', { subject: 'ada' })
    expect(issued).toMatchObject({ status: 200, location: null })
    const { access, refresh } = tokensOn(issued)
    const { status } = await fetch(`${sandbox.url}/v1/subscriptions`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${access}` },
      body: new URLSearchParams({ customer_id: 'cus_ada', plan: 'basic' }),
    })
    expect(status).toBeLessThan(300)
    const list = await me.open('tokens')
    expect(list.text).toContain('fam_000001 ada active 2027-01-01 0 2027-01-31')
    for (const page of [list, await me.open('tokens/issue')]) {
      expect(page.html).not.toContain(access)
      expect(page.html).not.toContain(refresh)
    }
    expect(JSON.stringify(await sandbox.requests.list())).not.toContain(refresh)
  })

  it('are refreshed as a client does, and the list counts the expiry anew', async ({
    sandbox,
    me,
  }) => {
    const { refresh } = tokensOn(await me.send('tokens/issue', { subject: '' }))
    await sandbox.clock.advance('P10D')
    const refreshed = await me.send('tokens/refresh', { refresh_token: ` ${refresh} ` })
    expect(refreshed.status).toBe(200)
    expect(tokensOn(refreshed).refresh).not.toBe(refresh)
    expect((await me.open('tokens')).text).toContain('active 2027-01-01 1 2027-02-10')
  })

  it('refuse a refresh token that was used, in the words of the interface and without the token', async ({
    sandbox,
    me,
  }) => {
    const { refresh } = tokensOn(await me.send('tokens/issue', { subject: '' }))
    await me.send('tokens/refresh', { refresh_token: refresh })
    const again = await me.send('tokens/refresh', { refresh_token: refresh })
    expect(again.status).toBe(403)
    expect(again.text).toContain('refresh_token is revoked')
    expect(again.html).not.toContain(refresh)
    const [family] = await sandbox.tokens.list()
    expect(family?.revoked_at).not.toBeNull()
  })

  it('refuse what is no token at all', async ({ me }) => {
    for (const token of ['', 'nonsense', 'žluťoučký\r\nX: 1']) {
      const refused = await me.send('tokens/refresh', { refresh_token: token })
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(refused.status).toBeLessThan(500)
      expect(refused.html).toContain('role="alert"')
    }
    // Beside the field, and of the token: the page sends the same in header and body.
    for (const token of ['two words', 'žluťoučký']) {
      const { html } = await me.send('tokens/refresh', { refresh_token: token })
      expect(html).toContain('id="field-refresh_token-wrong">refresh_token was never issued')
    }
  })

  it('do not say what too many refreshes hide', async ({ sandbox, me }) => {
    let { refresh_token: refresh } = await sandbox.tokens.issue({ subject: 'ada' })
    for (let times = 0; times < 101; times += 1) {
      const { data } = await sandbox.v1.POST('/v1/auth/refresh', {
        body: { refresh_token: refresh },
        headers: { Authorization: `Bearer ${refresh}` },
      })
      refresh = data?.refresh_token ?? refresh
    }
    const { text } = await me.open('tokens')
    expect(text).toContain('ada active 2027-01-01 at least 100 2027-01-31')
  })

  it('say when a refresh token has expired', async ({ sandbox, me }) => {
    await sandbox.tokens.issue({ subject: 'ada' })
    await sandbox.clock.advance('P30D')
    expect((await me.open('tokens')).text).toContain('fam_000001 ada expired')
  })

  it('keep the lifetime with which they were issued', async ({ sandbox, me }) => {
    await sandbox.tokens.issue({ subject: 'ada' })
    await sandbox.settings.change({ refresh_token_lifetime: 86_400 })
    await sandbox.clock.advance('P2D')
    const { refresh_token: fresh } = await sandbox.tokens.issue({ subject: 'bob' })
    const { text } = await me.open('tokens')
    expect(text).toContain('fam_000002 bob active 2027-01-03 0 2027-01-04')
    expect(text).toContain('fam_000001 ada active 2027-01-01 0 2027-01-31')
    await sandbox.tokens.revoke({ refresh_token: fresh })
    expect(await sandbox.tokens.list()).toMatchObject([
      { refresh_token_expires_at: '2027-01-31T00:00:00.000Z' },
      { refresh_token_expires_at: null },
    ])
  })

  it('are revoked after a question', async ({ sandbox, me }) => {
    const { refresh_token: refresh } = await sandbox.tokens.issue({ subject: 'ada' })
    expect((await me.open('tokens/fam_000001/revoke')).text).toContain('Revoke fam_000001?')
    const { location } = await me.send('tokens/fam_000001/revoke')
    expect(location).toBe('/dashboard/default/tokens?did=revoked')
    expect((await me.open('tokens')).text).toContain('ada revoked')
    expect((await me.send('tokens/refresh', { refresh_token: refresh })).status).toBe(403)
  })

  it('refuse a name that is too long beside its field', async ({ sandbox, me }) => {
    const refused = await me.send('tokens/issue', { subject: 'x'.repeat(201) })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('id="field-subject-wrong"')
    expect(await sandbox.tokens.list()).toEqual([])
  })

  it('follow the settings: how long each lives, and what a refresh does', async ({
    sandbox,
    me,
  }) => {
    await sandbox.settings.change({ refresh_rotation: 'keep', access_token_lifetime: 90 })
    const { text } = await me.open('tokens')
    expect(text).toContain('Access token lifetime 90 seconds')
    expect(text).toContain('On refresh the refresh token is kept')
    const { refresh } = tokensOn(await me.send('tokens/issue', { subject: '' }))
    const kept = await me.send('tokens/refresh', { refresh_token: refresh })
    expect(kept.text).toContain('The refresh token that was sent lives on.')
  })
})
