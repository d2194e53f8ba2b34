import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type History, histories } from '../../src/fast-check.ts'
import { type Sandbox, startSandbox } from '../../src/index.ts'

const START = '2027-01-31T10:00:00Z'

let server: Sandbox
beforeAll(async () => {
  server = await startSandbox()
})
afterAll(() => server.close())

/** What a history leaves, without what names a sandbox or a request. */
async function leftBy(sandbox: Sandbox) {
  const [subscriptions, invoices, charges] = await Promise.all([
    sandbox.subscriptions.list(),
    sandbox.invoices.list(),
    sandbox.charges.list(),
  ])
  return { now: await sandbox.clock.now(), subscriptions, invoices, charges }
}

/** Plays a history in a sandbox of its own; answers what it left. */
async function played(history: History, sandbox: Sandbox) {
  const steps = await history.play(sandbox)
  return { steps, left: await leftBy(sandbox) }
}

it('prints a history that does the same, and says what was refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'histories-'))
  const starter = JSON.parse(await readFile('fixtures/starter.json', 'utf8'))
  const seen = { refused: 0, accepted: 0 }
  const property = fc.asyncProperty(histories({ changesSettings: true }), async (history) => {
    await using sandbox = await server.create({ now: START })
    const { steps, left } = await played(history, sandbox)
    const text = fc.stringify(history)
    const { history: told } = parse(text)
    const refused = steps.filter(({ refusal }) => refusal !== null)
    expect(text.match(/^ {2}# refused, \w+: /gm) ?? []).toHaveLength(refused.length)
    seen.refused += refused.length
    seen.accepted += steps.length - refused.length
    const file = join(folder, 'history.json')
    await writeFile(file, JSON.stringify({ ...starter, now: START, history: told }))
    await using again = await startSandbox({ fixture: file })
    expect(await leftBy(again)).toEqual(left)
  })
  await fc.assert(property, { numRuns: 40 })
  expect(seen.refused).toBeGreaterThan(10)
  expect(seen.accepted).toBeGreaterThan(100)
  await rm(folder, { recursive: true })
})

it('has no coupon where there is none', () => {
  const [history] = fc.sample(histories({ coupons: [] }), { numRuns: 1 })
  expect(String(history)).not.toContain('coupon')
})

it('shrinks a property that does not hold to the steps that matter', async () => {
  const property = fc.asyncProperty(histories(), async (history) => {
    await using sandbox = await server.create()
    await history.play(sandbox)
    const events = await sandbox.events.list({ type: 'subscription.paused' })
    expect(events).toEqual([])
  })
  const { failed, counterexample } = await fc.check(property, { numRuns: 200, seed: 20261124 })
  expect(failed).toBe(true)
  const text = fc.stringify(counterexample?.[0])
  expect(text.match(/^ {2}- \{ pause: /gm)).toHaveLength(1)
  expect(text.split('\n').length).toBeLessThan(7)
})

it('plays in lockstep with a receiver, whose books are right after each step', async () => {
  let booked = 0
  const receiver = createServer((request, answer) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const { type, data } = JSON.parse(text)
      if (type === 'invoice.paid') booked += data.detail.amount_paid
      answer.end()
    })
  }).listen(0, '127.0.0.1')
  const { port } = await new Promise<AddressInfo>((resolve) =>
    receiver.once('listening', () => resolve(receiver.address() as AddressInfo)),
  )
  const property = fc.asyncProperty(histories({ maxSteps: 6 }), async (history) => {
    await using sandbox = await server.create()
    booked = 0
    await sandbox.webhooks.create({ url: `http://127.0.0.1:${port}/` })
    await history.play(sandbox, {
      lockstep: true,
      after: async () => {
        const paid = (await sandbox.invoices.list()).reduce(
          (sum, each) => sum + each.amount_paid,
          0,
        )
        expect(booked).toBe(paid)
      },
    })
  })
  await fc.assert(property, { numRuns: 15 })
  receiver.close()
})

it('refuses a plan that is not there, which no history can be about', async () => {
  const [history] = fc.sample(histories({ plans: ['basc'] }), { numRuns: 1, seed: 1 })
  await using sandbox = await server.create()
  await expect(history?.play(sandbox)).rejects.toThrow('plan "basc" does not exist')
})

it('takes an option that is undefined for one that is absent, and refuses unknown ones', async () => {
  const misspelled = () => histories({ customer: ['cus_ada'] } as object)
  expect(misspelled).toThrow('customer is not a known field; fields: customers, plans,')
  const [history] = fc.sample(histories({ customers: undefined } as object), 1)
  const play = history?.play(server, { lockstp: true } as object)
  await expect(play).rejects.toThrow('lockstp is not a known field; fields: lockstep, after.')
  expect(String(history)).toMatch(/^history:\n/)
})

it.each<[object, string]>([
  [{ customers: [] }, 'customers must be a list of at least one identifier; got an empty list.'],
  [{ plans: 'pro' }, 'plans must be a list of at least one identifier; got "pro".'],
  [{ coupons: 'SAVE20' }, 'coupons must be a list of identifiers; got "SAVE20".'],
  [{ maxSteps: -1 }, 'maxSteps must be an integer from 0; got -1.'],
  [{ maxSteps: 'two' }, 'maxSteps must be an integer from 0; got "two".'],
])('refuses %j by its name', (options, message) => {
  expect(() => histories(options)).toThrow(message)
  expect(() => histories({ coupons: [], maxSteps: 0 })).not.toThrow()
})
