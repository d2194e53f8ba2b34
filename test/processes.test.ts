/** One of each kind of process: that it starts, does what it is for, and ends. `npm run test:outside` has the rest. */
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, it } from 'vitest'
import { connected, toolNames } from './mcp/agent.ts'
import { hasBrowser, openBrowser, watch } from './support/browser.ts'
import { serveHere } from './support/command-line.ts'
import { temporaryFolder } from './support/folders.ts'
import { commandLine, run, runProgram, serve } from './support/process.ts'

it('is ready in memory, prints how to go on in ten lines, and stops within 5 s of SIGTERM', async () => {
  const sandbox = await serve('--data', 'memory')
  const ready = await fetch(`${sandbox.url}/health/ready`)
  expect(ready.status).toBe(200)
  await ready.text()

  const lines = sandbox.output().trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(10)
  expect(lines.filter((line) => line.trim().startsWith('curl '))).toHaveLength(3)
  expect(sandbox.output()).toContain('sk_sandbox_default')
  expect(sandbox.output()).toContain('2027-01-01T00:00:00.000Z')

  const stoppedAt = Date.now()
  expect(await sandbox.stop()).toBe(0)
  expect(Date.now() - stoppedAt).toBeLessThan(5000)
  expect(sandbox.errors()).toBe('')
})

it('has what it answered after it was killed', async () => {
  const folder = await temporaryFolder()
  const killed = await serve('--data', folder.path)
  const headers = { 'Content-Type': 'application/json' }
  const made = { method: 'POST', headers, body: '{"customer_id":"cus_kept"}' }
  expect((await fetch(`${killed.url}/sandbox/customers`, made)).status).toBe(201)
  killed.child.kill('SIGKILL')
  expect(await killed.ended).toBeNull()

  const next = await serve('--data', folder.path)
  const asked = run(['customers', 'get', 'cus_kept', '--url', next.url])
  expect([await asked.ended, asked.errors()]).toEqual([0, ''])
  expect(asked.output()).toContain('cus_kept')
  expect(await next.stop()).toBe(0)
  await folder.remove()
})

/** A program that prints what it finds of its sandbox, and ends with 7. */
const program = `
const { SANDBOX_URL: url, SANDBOX_ID: id, SANDBOX_API_KEY: key } = process.env
const Authorization = 'Bearer ' + key
const body = new URLSearchParams({ customer_id: 'cus_ada', plan: 'pro' })
fetch(url + '/v1/subscriptions', { method: 'POST', body, headers: { Authorization } })
  .then((answer) => answer.json())
  .then(({ status }) => { console.log(url, id, status); process.exit(7) })`

it('runs a command with a sandbox of its own, and ends with its exit code', async () => {
  const running = run(['exec', '--', process.execPath, '-e', program])
  expect(await running.ended).toBe(7)
  const [, url = ''] = /^(\S+) default active\n$/.exec(running.output()) ?? []
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(running.errors()).toBe('')
  await expect(fetch(url)).rejects.toThrow()
})

it('verifies a pact with the core in a process of its own', async () => {
  const verifying = run([
    'verify',
    'contracts/pacts/reference-json-client-subscription-service.json',
  ])
  expect(await verifying.ended).toBe(0)
  expect(verifying.output()).toContain('  ok  ')
})

it('serves the tools of an agent over its standard streams', async () => {
  const [command, ...args] = commandLine
  const transport = new StdioClientTransport({ command, args: [...args, 'mcp'] })
  await using agent = await connected(transport)
  const listed = await agent.client.listTools()
  expect(listed.tools.map(({ name }) => name)).toEqual(toolNames)
  expect(await agent.call('audit')).toMatchObject({ ok: true })
})

it('is a library for programs that import the package', async () => {
  const text = `import { startSandbox } from 'subscription-sandbox'
    const sandbox = await startSandbox({ now: '2027-01-01T00:00:00Z' })
    console.log(await sandbox.clock.now())
    await sandbox.close()`
  const program = runProgram([process.execPath, '--input-type=module', '-e', text])
  expect([await program.ended, program.errors()]).toEqual([0, ''])
  expect(program.output()).toBe('2027-01-01T00:00:00.000Z\n')
})

it.runIf(hasBrowser)('shows the dashboard in a browser', async () => {
  const sandbox = await serveHere()
  const browser = await openBrowser()
  const page = await browser.newPage()
  const seen = await watch(page, sandbox.url)
  await page.goto(`${sandbox.url}/dashboard`)
  expect(await page.locator('h1').first().innerText()).not.toBe('')
  expect(seen).toEqual({ outside: [], refused: [], errors: [] })
  await browser.close()
  await sandbox.stop()
})

it('runs the demo, a year, and ends with 0, with amounts as the rules have them', async () => {
  const demo = runProgram([process.execPath, 'dist/cli/demo.js'])
  expect(await demo.ended).toBe(0)
  const stdout = demo.output()
  const told = (words: string) => stdout.split('\n').filter((line) => line.includes(words))
  expect(told('paid: 8.00 USD')).toHaveLength(3)
  expect(told('card_declined, next attempt 2027-02-16')).toHaveLength(1)
  expect(told('insufficient_funds, next attempt 2027-02-18')).toHaveLength(1)
  expect(told('2027-02-18 00:00  active again')).toHaveLength(1)
  // Half of 31 days at 800 and at 2000: 400 back, 1000 more.
  expect(told('inv_000004 (proration): 6.00 USD due')).toHaveLength(1)
  expect(told('SAVE20 has run out')).toHaveLength(1)
  expect(told('paid: 25.00 USD')).toHaveLength(8)
  expect(told('2027-12-15 00:00  canceled (period_end)')).toHaveLength(1)
  expect(stdout).toContain('A year, 230.00 USD collected')
})
