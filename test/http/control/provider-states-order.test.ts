import { describe, expect, it } from 'vitest'
import { openShop } from '../../support/control.ts'
import { setUp, tryUp } from '../../support/provider-states.ts'

const exists = 'a subscription exists'
const id = { subscription_id: 'sub_abc' }

describe('states that cannot both hold, in this order', () => {
  const dunning = ['the fixture dunning is loaded', {}] as const
  it.each([
    [[exists, id], [exists, { status: 'past_due' }], 'clock_backwards', 'put it before that state'],
    [dunning, [exists, { status: 'past_due' }], 'clock_backwards', 'put it before that state'],
    [[exists, id], ['a refresh token is expired', {}], 'clock_backwards', 'before that state'],
    [
      [exists, id],
      ['the virtual time is 2026-01-01T00:00:00Z', {}],
      'clock_backwards',
      'put it first',
    ],
    [
      ['a coupon is exhausted', {}],
      ['the virtual time is 2026-01-01T00:00:00Z', {}],
      'clock_backwards',
      'put it first',
    ],
    [[exists, id], dunning, 'exists', 'it replaces what is there; put it first'],
    [['a plan exists', {}], dunning, 'exists', 'it replaces what is there; put it first'],
    [[exists, id], ['a plan exists', { amount: 5 }], 'in_use', 'plans "basic" is in use'],
    [[exists, id], ['a customer exists', { currency: 'EUR' }], 'in_use', 'customers "cus_ada"'],
    [
      [exists, { coupon_id: 'SAVE20' }],
      ['a coupon exists', { coupon_id: 'SAVE20', value: 5 }],
      'in_use',
      'coupons "SAVE20" is in use',
    ],
    [
      [exists, { status: 'trialing', coupon_id: 'MORETIME' }],
      ['a coupon exists', { coupon_id: 'MORETIME', value: 5 }],
      'in_use',
      'coupons "MORETIME" is in use',
    ],
    [dunning, ['a customer exists', { customer_id: 'cus_recovers', balance: 1 }], 'in_use', 'cus_'],
  ] as const)('%j and then %j', async (...[[first, given], [second, params], code, text]) => {
    const shop = await openShop()
    await setUp(shop, first, given)
    const before = await shop.state()
    const { status, body } = await tryUp(shop, second, params)
    expect({ status, code: body.code }).toEqual({ status: 409, code })
    expect(body.detail).toMatch(/^State ".*" is refused after ".*": /)
    expect(body.detail).toContain(text)
    expect(await shop.state()).toBe(before)
  })
})
