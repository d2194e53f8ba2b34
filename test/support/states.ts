/** A state endpoint of the tests' own, in front of a real sandbox: what it cannot set up it refuses with a reason. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'

const StateChange = z.object({
  action: z.enum(['setup', 'teardown']),
  state: z.string(),
  params: z.record(z.string(), z.unknown()),
})
type StateChange = z.infer<typeof StateChange>

interface Answer {
  readonly status: number
  readonly body: object
}

/** Listens on a free port and sets up states in the sandbox at `sandbox`. */
export async function serveStates(sandbox: string) {
  const changes: StateChange[] = []
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const change = StateChange.parse(JSON.parse(Buffer.concat(chunks).toString()))
    changes.push(change)
    const { status, body } = await answerTo(sandbox, change)
    outgoing.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${port}/states?of=default`, changes, close }
}

async function answerTo(sandbox: string, { action, state, params }: StateChange): Promise<Answer> {
  const ready: Answer = { status: 200, body: {} }
  if (action === 'teardown') return ready
  if (state === 'a login') {
    return {
      status: 200,
      body: await post(`${sandbox}/sandbox/tokens`, { subject: params['subject'] }),
    }
  }
  await post(`${sandbox}/sandbox/reset`, {})
  if (state === '' || state === 'the starter shop') return ready
  if (state === 'the provider is ill') return { status: 503, body: { detail: 'come back later' } }
  if (state !== 'a subscription exists') {
    return { status: 400, body: { detail: `the state "${state}" is not in the catalogue` } }
  }
  return { status: 200, body: await post(`${sandbox}/v1/subscriptions`, params) }
}

async function post(url: string, body: object): Promise<object> {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: 'Bearer sk_sandbox_default',
  }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as object
}
