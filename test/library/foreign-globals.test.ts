/** A sandbox in a process whose globals an environment of tests has replaced: jsdom and happy-dom do. */
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from '../../src/client.ts'
import { startSandbox } from '../../src/index.ts'

it('reads what is sent where the global Uint8Array is one of another realm, as under jsdom', async () => {
  vi.stubGlobal('Uint8Array', runInNewContext('Uint8Array'))
  onTestFinished(() => void vi.unstubAllGlobals())
  await using sandbox = await startSandbox()
  const order = { customer_id: 'cus_ada', plan: 'pro' }
  const { subscription_id } = await sandbox.subscriptions.create(order)
  const { error } = await sandbox.v1.POST('/v1/subscriptions/{subscription_id}/update', {
    params: { path: { subscription_id } },
    body: { plan: 'basic' },
  })
  expect(error).toBeUndefined()
  await using other = await sandbox.create()
  await other.restoreState(await sandbox.exportState())
  expect(await other.subscriptions.list()).toEqual(await sandbox.subscriptions.list())
  const [update] = await sandbox.requests.list({ operation_id: 'updateSubscription' })
  expect(update?.request.body).toBe('plan=basic')
})

it('sends a form where a copy of a request keeps the body of the original, as under happy-dom', async () => {
  vi.stubGlobal(
    'Request',
    class extends Request {
      constructor(input: string | URL | Request, { body, ...init }: RequestInit = {}) {
        super(input, input instanceof Request || body === undefined ? init : { ...init, body })
      }
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const sent: Request[] = []
  const fetch = async (request: Request) => {
    sent.push(request)
    return Response.json({})
  }
  const client = createClient({ baseUrl: 'http://127.0.0.1:4010', apiKey: 'key', fetch })
  const { signal } = new AbortController()
  const body = { customer_id: 'cus_ada', plan: 'pro' }
  await client.POST('/v1/subscriptions', { body, signal, redirect: 'manual' })
  const [request] = sent
  expect(await request?.text()).toBe('customer_id=cus_ada&plan=pro')
  expect(request?.headers.get('Content-Type')).toMatch(/^application\/x-www-form-urlencoded/)
  expect(request).toMatchObject({ method: 'POST', redirect: 'manual' })
})
