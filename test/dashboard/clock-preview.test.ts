import { expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { openForEach, type Visitor } from '../support/dashboard.ts'

let sandbox: Sandbox
let me: Visitor

openForEach((opened) => {
  ;({ sandbox, me } = opened)
})

it('makes the move that a preview shows, and no other where the clock has moved meanwhile', async () => {
  await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
  const { html } = await me.open('clock/preview?move=P1M')
  const hidden = [...html.matchAll(/type="hidden" name="(move|to)" value="([^"]*)"/g)]
  const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]))
  await sandbox.clock.advance('P3D')
  await me.send('clock/advance', fields)
  expect(await sandbox.clock.now()).toBe('2027-02-01T00:00:00.000Z')
  expect((await me.send('clock/advance', { ...fields, to: '2027-01-20' })).status).toBe(409)
})
