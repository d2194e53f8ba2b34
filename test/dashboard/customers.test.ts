import { describe, expect } from 'vitest'
import { itAt } from '../support/dashboard.ts'

const it = itAt('2027-01-01T00:00:00.000Z')

describe('the customers of the dashboard', () => {
  it('are listed, fifty on a page', async ({ sandbox, me }) => {
    for (let n = 10; n < 60; n += 1) await sandbox.customers.create({ customer_id: `cus_${n}` })
    const first = await me.open('customers')
    const ids = (text: string) => text.match(/cus_\w+/g)
    expect(ids(first.text)).toHaveLength(50)
    expect(ids(first.text)?.[0]).toBe('cus_59')
    const [, next = ''] = /href="[^"]*\/customers(\?after=[^"]*)" rel="next"/.exec(first.html) ?? []
    const second = await me.open(`customers${next}`)
    expect(ids(second.text)).toEqual(['cus_grace', 'cus_linus', 'cus_ada'])
    expect(second.text).toContain('cus_ada Ada Lovelace ada@example.com 0.00 USD valid')
  })

  it('are listed oldest first on request, which the next page and the filter keep', async ({
    sandbox,
    me,
  }) => {
    for (let n = 10; n < 60; n += 1) await sandbox.customers.create({ customer_id: `cus_${n}` })
    const [, order = ''] = /href="[^"]*\/(customers[^"]*)">Oldest first</.exec(
      (await me.open('customers')).html,
    ) ?? ['', '']
    const oldest = await me.open(order)
    expect(oldest.text).toMatch(/cus_ada .* cus_linus .* cus_10 .* cus_56/)
    expect(oldest.text).not.toContain('cus_57')
    expect(oldest.html).toContain('<a href="/dashboard/default/customers">Newest first</a>')
    expect(oldest.html).toContain('<input type="hidden" name="order" value="oldest"/>')
    const next = /href="[^"]*\/(customers\?[^"]*)" rel="next"/.exec(oldest.html)?.[1] ?? ''
    expect((await me.open(next.replace('&amp;', '&'))).text).toMatch(/cus_57 .* cus_58 .* cus_59/)
  })

  it.for(['LINUS', 'pauling', 'linus@'])('are found by %s', async (search, { me }) => {
    const { text } = await me.open(`customers?search=${search}`)
    expect(text).toContain('cus_linus Linus Pauling')
    expect(text).not.toContain('cus_grace')
    const none = await me.open('customers?search=nobody')
    expect(none.text).toContain('No customer matches the filter.')
  })

  it.for([
    ['', false],
    ['?search=', false],
    ['?did=deleted', false],
    ['?after=cus_ada', false],
    ['?search=linus', true],
  ] as const)('offer all where a filter hides some: %s', async ([query, isOffered], { me }) => {
    expect((await me.open(`customers${query}`)).text.includes('Show all')).toBe(isOffered)
  })

  it('are all shown again in the order that was chosen', async ({ me }) => {
    for (const search of ['linus', 'nobody']) {
      const { html } = await me.open(`customers?search=${search}&order=oldest`)
      expect(html).toContain('<a href="/dashboard/default/customers?order=oldest">Show all</a>')
    }
  })

  it('say which orders there are, of an address with another one', async ({ me }) => {
    const { text } = await me.open('customers?order=sideways')
    expect(text).toMatch(/order must be .*; got "sideways"/)
    expect(text).not.toContain('marked fields')
  })

  it('begin with an invitation where there is none', async ({ sandbox, me }) => {
    await sandbox.reset({ fixture: 'empty' })
    const { html } = await me.open('customers')
    expect(html).toContain('<a href="/dashboard/default/customers/~new">Create a customer</a>')
  })

  it('are created with a balance and a currency, and refused in the words of the API', async ({
    sandbox,
    me,
  }) => {
    const { location } = await me.send('customers/~new', {
      customer_id: 'cus_mary',
      name: 'Mary <i>Shelley</i>',
      email: '',
      payment_method: 'none',
      balance: '5',
      currency: 'EUR',
    })
    expect(location).toBe('/dashboard/default/customers/cus_mary?did=created')
    expect(await sandbox.customers.get('cus_mary')).toMatchObject({
      email: null,
      balance: 500,
      currency: 'EUR',
      payment_method: 'none',
    })
    const shown = await me.open('customers/cus_mary')
    expect(shown.text).toContain('Balance 5.00 EUR')
    expect(shown.html).toContain('<h1>Mary &lt;i&gt;Shelley&lt;/i&gt;</h1>')
    await sandbox.customers.create({ customer_id: 'cus_cent', balance: 1 })
    expect((await me.open('customers/cus_cent')).text).toContain('Balance 1 minor unit Payment')
    const refused = await me.send('customers/~new', { customer_id: 'cus_bob', balance: '1.5' })
    expect(refused.status).toBe(400)
    expect(refused.html).toMatch(
      /id="field-balance-wrong">balance must be an integer of minor units/,
    )
    expect(refused.html).toContain('value="1.5"')
    const negative = { customer_id: 'cus_bob', balance: '-1', currency: 'USD' }
    expect((await me.send('customers/~new', negative)).text).toContain(
      'balance must be an amount in USD, such as 12.50; got "-1".',
    )
  })

  it('show their subscriptions and invoices, and lead to a new subscription', async ({
    sandbox,
    me,
  }) => {
    await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    await sandbox.subscriptions.create({ customer_id: 'cus_linus', plan: 'pro' })
    const { text, html } = await me.open('customers/cus_ada')
    expect(text).toContain('sub_000001 basic active 2027-02-01')
    expect(text).toContain('inv_000001 2027-01-01 10.00 USD paid')
    expect(text).not.toContain('sub_000002')
    expect(html).toContain('/subscriptions/~new/product?customer_id=cus_ada"')
  })

  it('are changed, and lose what is taken out of a field', async ({ sandbox, me }) => {
    const form = await me.open('customers/cus_ada/edit')
    expect(form.html).toContain('value="ada@example.com"')
    const { location } = await me.send('customers/cus_ada/edit', {
      name: 'Ada King',
      email: '',
      payment_method: 'none',
      balance: '250',
    })
    expect(location).toBe('/dashboard/default/customers/cus_ada?did=changed')
    expect(await sandbox.customers.get('cus_ada')).toMatchObject({
      name: 'Ada King',
      email: null,
      payment_method: 'none',
      balance: 250,
    })
  })

  it('keep what changed while their form was open, and was not typed there', async ({
    sandbox,
    me,
  }) => {
    await sandbox.customers.update('cus_ada', { balance: 5000 })
    const { html } = await me.open('customers/cus_ada/edit')
    const [, was = ''] = /name="was" value="([^"]*)"/.exec(html) ?? []
    await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    const opened = { email: 'ada@example.com', payment_method: 'valid', balance: '50.00' }
    const hidden = { currency: 'USD', was: was.replaceAll('&amp;', '&') }
    const send = (name: string) => me.send('customers/cus_ada/edit', { ...opened, ...hidden, name })
    expect((await send('x'.repeat(201))).html).toContain(`name="was" value="${was}"`)
    expect((await send('Ada King')).status).toBe(303)
    const now = { name: 'Ada King', balance: 4000 }
    expect(await sandbox.customers.get('cus_ada')).toMatchObject(now)
    // Saved as it was opened, it changes nothing.
    expect((await send('Ada Lovelace')).status).toBe(303)
    expect(await sandbox.customers.get('cus_ada')).toMatchObject(now)
  })

  it('keep their balance where its field is emptied, and say why', async ({ sandbox, me }) => {
    await sandbox.customers.update('cus_ada', { balance: 250 })
    const fields = { name: 'Ada', email: '', payment_method: 'valid', balance: '' }
    const { status, html } = await me.send('customers/cus_ada/edit', fields)
    expect(status).toBe(400)
    expect(html).toMatch(/id="field-balance-wrong">balance must be/)
    expect(await sandbox.customers.get('cus_ada')).toMatchObject({ balance: 250 })
  })

  it('are deleted once that is confirmed, but for those whom a subscription refers to', async ({
    sandbox,
    me,
  }) => {
    expect((await me.open('customers/cus_ada/delete')).text).toContain('Delete cus_ada?')
    expect(await sandbox.customers.list()).toHaveLength(3)
    const { location } = await me.send('customers/cus_ada/delete')
    expect(location).toBe('/dashboard/default/customers?did=deleted')
    expect(await sandbox.customers.list()).toHaveLength(2)
    await sandbox.subscriptions.create({ customer_id: 'cus_linus', plan: 'pro' })
    const refused = await me.send('customers/cus_linus/delete')
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('customer_id "cus_linus" is in use by')
  })
})
