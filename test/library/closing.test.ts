import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { connect, SandboxError, startSandbox } from '../../src/index.ts'
import { temporaryFolder } from '../support/folders.ts'

type Method = (...args: unknown[]) => unknown

/** Every method of a client that answers a promise, by its path; those that follow a stream answer none. */
function methodsOf(client: object, above = ''): [path: string, method: Method][] {
  return Object.entries(client).flatMap(([name, value]) => {
    if (name === 'v1' || name === 'follow' || name === 'close') return []
    if (typeof value === 'function') return [[`${above}${name}`, value as Method]]
    return typeof value === 'object' ? methodsOf(value, `${above}${name}.`) : []
  })
}

it('rejects, and never throws at once, whatever a method is given', async () => {
  await using sandbox = await startSandbox()
  const methods = methodsOf(sandbox)
  expect(methods.length).toBeGreaterThan(70)
  const settled: unknown[] = []
  for (const [path, method] of methods) {
    for (const wrong of [undefined, null, '', '..', 7]) {
      expect(() => settled.push(method(wrong)), `${path}(${wrong})`).not.toThrow()
    }
  }
  for (const answer of settled) expect(answer).toBeInstanceOf(Promise)
  await Promise.allSettled(settled)
})

it.each(['get', 'forecast', 'pause'] as const)('names an empty id to %s', async (name) => {
  await using sandbox = await startSandbox()
  await expect(sandbox.subscriptions[name]('')).rejects.toThrow('subscription_id must be an id')
})

it('says of every call after close() that the sandbox is closed', async () => {
  const sandbox = await startSandbox()
  await sandbox.close()
  const methods = [...methodsOf(sandbox), ['v1', () => sandbox.v1.POST(...order)] as const]
  for (const [path, method] of methods) {
    // An argument of the wrong kind is refused before anything is sent.
    const calls = ['some', {}].map(async (first) => method(first, {}))
    const refusals = await Promise.all(calls.map((call) => call.catch((error: unknown) => error)))
    for (const refusal of refusals) expect(refusal, path).toBeInstanceOf(SandboxError)
    const closed = { code: 'closed', message: expect.stringContaining('"default" is closed') }
    expect(refusals, path).toContainEqual(expect.objectContaining(closed))
  }
  await expect(sandbox.events.follow()[Symbol.asyncIterator]().next()).rejects.toThrow('is closed')
})
const order = ['/v1/subscriptions', { body: { customer_id: 'cus_ada', plan: 'pro' } }] as const

it('follows nothing after close(), also of a sandbox that goes on elsewhere', async () => {
  await using server = await startSandbox()
  const sandbox = await connect(server.url)
  const stream = sandbox.events.follow({ after: 0 })[Symbol.asyncIterator]()
  await server.subscriptions.create({ customer_id: 'cus_ada', plan: 'pro' })
  expect(await stream.next()).toMatchObject({ value: { type: 'subscription.created' } })
  const others = (async () => {
    const types: string[] = []
    for await (const { type } of sandbox.events.follow()) types.push(type)
    return types
  })()
  await sandbox.close()
  expect(await others).toEqual([])
})

it('throws where the server ends a stream, with what it says of it', async () => {
  await using server = await startSandbox()
  const end = { reason: 'too_slow', last_seq: 7, detail: 'The events after 7 were dropped.' }
  const sandbox = await connect(server.url, {
    fetch: async (input, init) =>
      String(input).includes('/stream')
        ? new Response(`id: 7\nevent: end\ndata: ${JSON.stringify(end)}\n\n`)
        : fetch(input, init),
  })
  const next = sandbox.events.follow()[Symbol.asyncIterator]().next()
  await expect(next).rejects.toMatchObject({ message: end.detail, code: 'too_slow' })
})

it('keeps what was made from a client that is closed, until that is closed itself', async () => {
  await using server = await startSandbox()
  const first = await server.create()
  const fork = await first.fork()
  await first.close()
  expect((await fork.describe()).sandbox_id).toBe(fork.id)
  await expect(first.describe()).rejects.toThrow(`Sandbox "${first.id}" is closed`)
  await fork.close()
  expect(await server.siblings()).toHaveLength(1)
})

it('says of what a stopped server held that the server is closed', async () => {
  const server = await startSandbox()
  const made = await server.create()
  await server.close()
  await expect(made.describe()).rejects.toThrow('The server of this sandbox is closed')
})

it('keeps nothing in `memory`, as `serve --data memory` does', async () => {
  await using sandbox = await startSandbox({ data: 'memory' })
  expect(await sandbox.clock.now()).toBe('2027-01-01T00:00:00.000Z')
  expect(existsSync('memory')).toBe(false)
})

it('goes on with what a folder holds, and says what of the order is not used', async () => {
  const { path: data, remove } = await temporaryFolder()
  onTestFinished(remove)
  await (await startSandbox({ data, now: '2029-01-01' })).close()
  const lines: string[] = []
  await using second = await startSandbox({
    data,
    now: '2031-01-01',
    fixture: 'empty',
    settings: { access_token_lifetime: 60 },
    log: (line) => lines.push(line),
  })
  expect(await second.clock.now()).toBe('2029-01-01T00:00:00.000Z')
  expect((await second.settings.get()).access_token_lifetime).toBe(3600)
  expect(lines).toEqual([
    expect.stringContaining('The fixture "empty" is not used'),
    expect.stringContaining('The start 2031-01-01T00:00:00.000Z is not used'),
    expect.stringContaining('The settings are not used'),
  ])
})

it('refuses a folder that another one uses, and data that is damaged, with their codes', async () => {
  const { path: data, remove } = await temporaryFolder()
  onTestFinished(remove)
  await using sandbox = await startSandbox({ data })
  const taken = startSandbox({ data })
  await expect(taken).rejects.toBeInstanceOf(SandboxError)
  await expect(taken).rejects.toMatchObject({ code: 'storage_unavailable', status: 503 })
  await expect(taken).rejects.toThrow(`${data} is in use`)
  await sandbox.close()
  const kept = join(data, 'sandboxes', 'default')
  for (const name of await readdir(kept)) await writeFile(join(kept, name), 'no state')
  const damaged = startSandbox({ data })
  await expect(damaged).rejects.toBeInstanceOf(SandboxError)
  await expect(damaged).rejects.toMatchObject({ code: 'storage_damaged', status: 500 })
})

it.each(['get', 'pause'] as const)('names a sandbox that is gone in %s', async (name) => {
  await using server = await startSandbox()
  const made = await server.create({ id: 'gone' })
  const sandbox = await connect(server.url, { sandbox: 'gone' })
  await made.close()
  const call = sandbox.subscriptions[name]('sub_000001')
  await expect(call).rejects.toThrow('Sandbox-Id "gone" does not exist')
})
