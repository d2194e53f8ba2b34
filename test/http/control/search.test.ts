import { describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../../support/control.ts'

interface Page {
  readonly data: readonly { readonly customer_id: string; readonly subscription_id?: string }[]
  readonly has_more: boolean
  readonly next_after: string | null
}

/** Ada, Linus and Grace, and a crowd in which one has a rare name. */
async function crowded(): Promise<Shop> {
  const shop = await openShop()
  for (let each = 0; each < 250; each += 1) {
    const name = each === 187 ? 'Zoë ÅNGSTRÖM' : `Somebody ${each}`
    const customer = { customer_id: `cus_${each}`, name, email: `${each}@Crowd.example` }
    await shop.post('/sandbox/customers', customer)
    await shop.post('/sandbox/subscriptions', { customer_id: `cus_${each}`, plan: 'basic' })
  }
  return shop
}

const idsOf = ({ data }: Page) =>
  data.map(({ subscription_id, customer_id }) => subscription_id ?? customer_id)

describe('a search', () => {
  it('finds customers by a part of their name, e-mail address or identifier, in any case', async () => {
    const shop = await crowded()
    const found = async (text: string) =>
      idsOf((await shop.get<Page>(`/sandbox/customers?search=${encodeURIComponent(text)}`)).body)
    expect(await found('ångström')).toEqual(['cus_187'])
    expect(await found('ZOË')).toEqual(['cus_187'])
    expect(await found('187@crowd')).toEqual(['cus_187'])
    expect(await found('CUS_18')).toEqual([
      'cus_18',
      ...Array.from('0123456789', (n) => `cus_18${n}`),
    ])
    expect(await found('nobody')).toEqual([])
  })

  it('finds subscriptions by their identifier, and by their customer', async () => {
    const shop = await crowded()
    const found = async (query: string) =>
      idsOf((await shop.get<Page>(`/sandbox/subscriptions?${query}`)).body)
    expect(await found('search=ngstr')).toEqual(['sub_000188'])
    expect(await found('search=187%40crowd')).toEqual(['sub_000188'])
    expect(await found('search=cus_187')).toEqual(['sub_000188'])
    expect(await found('search=SUB_00018')).toHaveLength(10)
    expect(await found('search=ngstr&customer_id=cus_186')).toEqual([])
    expect(await found('search=ngstr&status=active')).toEqual(['sub_000188'])
    expect(await found('search=ngstr&status=paused')).toEqual([])
  })

  it('has pages in both orders', async () => {
    const shop = await crowded()
    for (const order of ['oldest', 'newest']) {
      const ids: string[] = []
      let after = ''
      for (let more = true; more; ) {
        const query = `search=somebody&limit=60&order=${order}${after}`
        const { body } = await shop.get<Page>(`/sandbox/customers?${query}`)
        ids.push(...idsOf(body))
        more = body.has_more
        after = `&after=${body.next_after}`
      }
      const all = Array.from({ length: 250 }, (_, each) => `cus_${each}`)
      const wanted = all.filter((id) => id !== 'cus_187')
      expect(ids).toEqual(order === 'newest' ? wanted.reverse() : wanted)
    }
  })

  it('is refused without a text, and by lists that have none', async () => {
    const shop = await openShop()
    const empty = await shop.get('/sandbox/customers?search=')
    expect(empty).toMatchObject({ status: 400, body: { errors: [{ field: 'search' }] } })
    expect((await shop.get('/sandbox/plans?search=a')).status).toBe(400)
    expect((await shop.get('/sandbox/subscriptions?search=a&after=nobody')).status).toBe(400)
  })
})
