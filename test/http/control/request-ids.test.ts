import { describe, expect, it } from 'vitest'
import type { WireProblem } from '../../../src/wire/common/errors.ts'
import { openShop } from '../../support/control.ts'

describe('the ids of requests', () => {
  it('count what is sent at once in the order in which it changes something', async () => {
    const shop = await openShop()
    const [kept, made] = await Promise.all([
      shop.post('/sandbox/checkpoints', { name: 'before' }),
      shop.post('/sandbox/customers', { customer_id: 'cus_late' }),
    ])
    const ids = [kept, made].map(({ headers }) => headers.get('Request-Id'))
    await shop.post('/sandbox/checkpoints/before/restore')
    const isLater = (await shop.get('/sandbox/customers/cus_late')).status === 404
    expect(isLater ? ids : ids.reverse()).toEqual(['req_000001', 'req_000002'])
  })
})

describe('the header Sandbox-Request-Id', () => {
  it('has a call take an id that is ahead, and no other', async () => {
    const shop = await openShop()
    const idOf = async (asked: string) => {
      const sent = { headers: { 'Sandbox-Request-Id': asked } }
      return (await shop.call('GET', '/sandbox', sent)).headers.get('Request-Id')
    }
    expect(await idOf('req_000017')).toBe('req_000017')
    expect(await idOf('req_000005')).toBe('req_000018')
    // A recording asks again for each id that was counted.
    expect(await idOf('req_999999999')).toBe('req_999999999')
    expect(await idOf('req_1000000001')).toBe('req_1000000001')
  })

  it('is refused where it is no id', async () => {
    const shop = await openShop()
    const headers = { 'Sandbox-Request-Id': 'seventeen' }
    const { status, body } = await shop.call<WireProblem>('GET', '/sandbox', { headers })
    expect(status).toBe(400)
    expect(body.errors).toEqual([
      {
        field: 'Sandbox-Request-Id',
        message: 'Sandbox-Request-Id must be req_ and 6 to 15 digits; got "seventeen".',
      },
    ])
  })
})
