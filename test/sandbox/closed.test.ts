import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { listen } from '../../src/server/listen.ts'
import { openShop } from '../support/control.ts'
import { temporaryFolder } from '../support/folders.ts'
import { storeIn } from '../support/store.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeEach(async () => {
  folder = await temporaryFolder()
})

afterEach(() => folder.remove())

const order = { customer_id: 'cus_ada', plan: 'basic' }
const headers = { Authorization: 'Bearer sk_sandbox_b' }

it('refuses a call whose sandbox was deleted and made anew while its body was on the way', async () => {
  const shop = await openShop({}, 10, { store: await storeIn(folder.path) })
  const listener = await listen(shop.app, { host: '127.0.0.1', port: 0 })
  await shop.call('PUT', '/sandboxes/b', { json: {} })
  const body = JSON.stringify(order)
  const late = connect(Number(new URL(listener.url).port), '127.0.0.1')
  late.write(
    `POST /v1/subscriptions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sk_sandbox_b\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n{`,
  )
  // The server has the head once it has answered a call that was sent after it.
  await fetch(`${listener.url}/sandbox`)
  expect((await shop.call('DELETE', '/sandboxes/b')).status).toBe(204)
  expect((await shop.call('PUT', '/sandboxes/b', { json: {} })).status).toBe(201)
  const create = () => shop.call('POST', '/v1/subscriptions', { json: order, headers })
  for (let count = 0; count < 5; count += 1) expect((await create()).status).toBe(200)

  late.write(body.slice(1))
  const [answer] = await once(late, 'data')
  expect(answer.toString()).toMatch(
    /^HTTP\/1\.1 503 .*storage_unavailable.*Sandbox \\"b\\" was deleted/s,
  )
  late.destroy()
  expect((await create()).status).toBe(200)
  await listener.close()
  await shop.registry.close()

  const again = await openShop({}, 10, { store: await storeIn(folder.path) })
  const { body: kept } = await again.call('GET', '/sandbox', { headers })
  expect(kept).toMatchObject({ counts: { subscriptions: 6 } })
  await again.registry.close()
})

it('takes no turn once it is closed', async () => {
  const { registry } = await openShop({}, 10, { store: await storeIn(folder.path) })
  await registry.close()
  await expect(registry.default.read((world) => world.sandboxId)).rejects.toThrow('stopped')
})

it('does not lose what others were answered when a command breaks off', async () => {
  const { registry } = await openShop({}, 10, { store: await storeIn(folder.path) })
  const sandbox = registry.default
  const [kept, broken, ids] = await Promise.allSettled([
    add(sandbox, 'cus_one', 'carries on'),
    add(sandbox, 'cus_two', 'breaks off'),
    sandbox.read((world) => [...world.customers.keys()]),
  ])
  expect(kept).toMatchObject({ value: { value: 'cus_one' } })
  expect(broken).toMatchObject({ reason: new Error('a defect') })
  expect(ids).toMatchObject({ value: expect.arrayContaining(['cus_one']) })
  expect(ids).not.toMatchObject({ value: expect.arrayContaining(['cus_two']) })
  await registry.close()
})

function add(sandbox: Sandbox, customerId: string, then: 'carries on' | 'breaks off') {
  return sandbox.execute(
    (world) => {
      const [first] = world.customers.values()
      if (first === undefined) throw new Error('The fixture has no customer')
      world.customers.put({ ...first, customerId })
      if (then === 'breaks off') throw new Error('a defect')
      return { value: customerId, assumptions: [] }
    },
    () => 'req_000001',
  )
}
