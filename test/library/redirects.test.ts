/** No client takes its control token, or what it sends, to the address of a redirect. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/index.ts'
import { transportTo } from '../../src/library/transport.ts'
import { mcpServer } from '../../src/mcp/server.ts'
import { connected } from '../mcp/agent.ts'
import { outcome, run } from '../support/command-line.ts'

const controlToken = 'of-the-team'

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const clients: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  connect: (url) => connect(url, { controlToken }).catch(String),
  'a method': (url) => {
    const address = { url, sandboxId: 'default', apiKey: 'k', controlToken, fetch }
    return Promise.resolve(transportTo(address).control.GET('/sandbox/clock')).catch(String)
  },
  'the command line': (url) =>
    outcome(run(['status', '--url', url], { SANDBOX_CONTROL_TOKEN: controlToken })),
  verify: (url) => {
    const typed = ['verify', 'contracts/examples/curl/pause.json', '--url', url]
    return outcome(run(typed, { SANDBOX_CONTROL_TOKEN: controlToken }))
  },
  mcp: async (url) => {
    const called = { url, sandboxId: 'default', apiKey: 'k', controlToken }
    const server = await mcpServer(called, async () => ({ text: '' }))
    const [end, otherEnd] = InMemoryTransport.createLinkedPair()
    await server.connect(otherEnd)
    await using agent = await connected(end)
    expect(await agent.refusal('describe_sandbox')).toBe(`${url} answered 307.`)
  },
}

it.each(Object.entries(clients))('%s sends no token where it is redirected to', async (_, use) => {
  const sent: unknown[] = []
  const elsewhere = await listen(({ headers }, response) => {
    sent.push(headers['sandbox-control-token'])
    response.writeHead(200, { 'Content-Type': 'application/json', 'Sandbox-Version': '1' })
    response.end('{"sandbox_id":"default","api_key":"k"}')
  })
  const front = await listen(({ url }, response) => {
    response.writeHead(307, { Location: `${elsewhere}${url}` }).end()
  })
  await use(front)
  expect(sent).not.toContain(controlToken)
})
