import { expect, it } from 'vitest'
import { openShop } from '../support/control.ts'

it('serves all its paths from the fast router of Hono, which gives way for all where two of them are at odds', async () => {
  const { app, get } = await openShop()
  expect((await get('/sandbox')).status).toBe(200)
  expect(app.router.name).toBe('SmartRouter + RegExpRouter')
})

it('tells a fixed path from one with a parameter at the same place', async () => {
  const { call, get } = await openShop()
  const check = await call('GET', '/sandbox/contracts/check')
  expect([check.status, check.headers.get('Allow')]).toEqual([405, 'POST'])
  const file = await call('POST', '/sandbox/contracts/pact.json', { json: {} })
  expect([file.status, file.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
  expect((await get('/sandbox/contracts/checks')).status).toBe(404)
})
