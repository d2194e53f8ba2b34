import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { openForEach, type Visitor } from '../support/dashboard.ts'

let sandbox: Sandbox
let me: Visitor

openForEach((opened) => {
  ;({ sandbox, me } = opened)
})

const subscribe = () => sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })

describe('the filter of the timeline', () => {
  it('can be arranged as before where a filter leaves one lane', async () => {
    await subscribe()
    const { html } = await me.open('?lanes=compact&customer_id=cus_ada')
    expect(html).toContain(
      'href="/dashboard/default/?customer_id=cus_ada" aria-current="true">Compact',
    )
  })

  it('does not say that there is no subscription where it refuses what the address asks for', async () => {
    await subscribe()
    for (const refused of ['order=sideways', 'after=sub_9']) {
      const { text } = await me.open(`?${refused}`)
      expect(text).toMatch(/(?:order|after) must be /)
      expect(text).not.toContain('There is no subscription yet')
    }
  })

  it('shows all again as it was arranged', async () => {
    await subscribe()
    const arranged = 'zoom=year&lanes=compact'
    for (const filter of ['customer_id=cus_ada', 'status=paused']) {
      const { html } = await me.open(`?${arranged}&${filter}`)
      expect(html.replaceAll('&amp;', '&')).toContain(
        `<a href="/dashboard/default/?${arranged}">Show all</a>`,
      )
    }
  })
})
