/** Asks what would be otherwise, of a shop with two customers. */
import { expect } from 'vitest'
import type * as z from 'zod'
import type { WhatIfReply } from '../../src/operations/what-if.ts'
import { submit } from './client.ts'
import { openShop, type Shop } from './control.ts'

export type WhatIf = z.output<typeof WhatIfReply>

/** Ada has `basic` (10.00 a month) and Linus `pro` (25.00 a month), both since 1 January 2027. */
export async function shopOfTwo(): Promise<Shop> {
  const shop = await openShop()
  await submit(shop, '/v1/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  await submit(shop, '/v1/subscriptions', { customer_id: 'cus_linus', plan: 'pro' })
  return shop
}

/** Asks, and expects that nothing in the sandbox changed. */
export async function ask(shop: Shop, question: object): Promise<WhatIf> {
  const before = await shop.state()
  const answer = await shop.post<WhatIf>('/sandbox/what-if', question)
  expect(answer.status, answer.text).toBe(200)
  expect(await shop.state()).toBe(before)
  return answer.body
}
