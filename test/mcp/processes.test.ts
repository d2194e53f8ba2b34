/** The tools as an agent starts them: `mcp` as a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, it } from 'vitest'
import { commandLine, run, serve } from '../support/process.ts'
import { connected } from './agent.ts'

it('uses a sandbox of a server that runs', async () => {
  const server = await serve('--data', 'memory', '--control-token', 'of-the-team')
  try {
    const headers = { 'Sandbox-Control-Token': 'of-the-team' }
    await fetch(`${server.url}/sandboxes/mine`, { method: 'PUT', headers })
    const env = { SANDBOX_URL: server.url, SANDBOX_CONTROL_TOKEN: 'of-the-team' }
    const [command, ...program] = commandLine
    const args = [...program, 'mcp', '--sandbox', 'mine']
    await using agent = await connected(new StdioClientTransport({ command, args, env }))
    expect(await agent.call('describe_sandbox')).toMatchObject({
      url: server.url,
      sandbox_id: 'mine',
      api_key: 'sk_sandbox_mine',
    })
    const order = { customer_id: 'cus_ada', plan: 'basic' }
    const { subscription_id } = await agent.call('create_subscription', order)
    await agent.call('change_subscription', { action: 'pause', subscription_id })
    const others = await fetch(`${server.url}/sandbox/subscriptions`, { headers })
    expect(await others.json()).toMatchObject({ data: [] })
    await server.stop()
    const { port } = new URL(server.url)
    expect(await agent.refusal('audit')).toBe(
      `${server.url} does not answer; start a sandbox there: npx subscription-sandbox serve --port ${port} (fetch failed (connection refused)).`,
    )
  } finally {
    await server.stop()
  }
})

it('begins its own sandbox as the variables say', async () => {
  const env = { SANDBOX_URL: '', SANDBOX_FIXTURE: 'dunning', SANDBOX_CLOCK_START: '2030-01-01' }
  const [command, ...program] = commandLine
  await using agent = await connected(
    new StdioClientTransport({ command, args: [...program, 'mcp'], env }),
  )
  expect(await agent.call('describe_sandbox')).toMatchObject({
    counts: { subscriptions: 6 },
    now: '2030-01-01T00:00:00.000Z',
  })
})

it('ends with its agent, and says nothing on the way', async () => {
  const running = run(['mcp'], { SANDBOX_URL: '' })
  expect(await running.ended).toBe(0)
  expect(running.output()).toBe('')
})

it('ends, and says why, when a message is too long to be read', async () => {
  const [command, ...program] = commandLine
  const env = { ...process.env, SANDBOX_URL: '' }
  const child = spawn(command, [...program, 'mcp'], { env })
  try {
    // The agent keeps its end open.
    child.stdin.on('error', () => undefined).write('x'.repeat(11 * 1024 * 1024))
    const errors = text(child.stderr)
    expect(await once(child, 'exit')).toEqual([3, null])
    expect(await errors).toMatch(/^The messages of the agent cannot be read: .*maximum size of \d+/)
  } finally {
    child.kill()
  }
})
