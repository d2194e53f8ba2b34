/** One cell of the matrix as an option: a service that deviates, for whoever starts it. */
import { expect, it, vi } from 'vitest'
import { type StartSandboxOptions, startSandbox } from '../../src/index.ts'
import { startOrConnect } from '../../src/test-server.ts'
import { outcome, run } from '../support/command-line.ts'
import { temporaryFolder } from '../support/folders.ts'

const order = { customer_id: 'cus_ada', plan: 'basic' }

async function statusesOf({ url, apiKey }: { readonly url: string; readonly apiKey: string }) {
  const send = () =>
    fetch(`${url}/v1/subscriptions`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}` },
      body: new URLSearchParams(order),
    })
  const [first, again] = [await send(), await send()]
  const { status } = (await again.json()) as { status: string }
  return [first.status, again.status, status]
}

it.each([
  ['vary/status-names', [200, 200, 'Active']],
  ['evolution/new-status/active', [200, 200, 'grace']],
  ['fault/500/createSubscription', [500, 200, 'active']],
])('%s is what every sandbox of the library then does', async (deviation, expected) => {
  await using sandbox = await startSandbox({ deviation })
  expect(await statusesOf(sandbox)).toEqual(expected)
  // A fault hits each different request of a server once.
  await using other = await sandbox.create()
  if (!deviation.startsWith('fault')) expect(await statusesOf(other)).toEqual(expected)
})

it.each([
  ['time/leap-day', {}, '2032-02-29T12:00:00.000Z'],
  ['time/january-31', { fixture: 'dunning' }, '2029-01-31T12:00:00.000Z'],
  ['time/year-end', { now: '2031-05-01' }, '2031-05-01T00:00:00.000Z'],
])(
  '%s starts new sandboxes at that time, unless they have another',
  async (deviation, options, now) => {
    await using sandbox = await startSandbox({ ...options, deviation } as StartSandboxOptions)
    expect(await sandbox.clock.now()).toBe(now)
  },
)

it.each(['vary/status-names', 'time/leap-day'])(
  '%s is of new sandboxes, as the log says where one is stored',
  async (deviation) => {
    const { path: data, remove } = await temporaryFolder()
    await (await startSandbox({ data })).close()
    const log = vi.fn()
    const stored = await startSandbox({ data, deviation, log })
    expect(await statusesOf(stored)).toEqual([200, 200, 'active'])
    expect(log).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(`^Except by new sandboxes, the deviation ${deviation} is not used: `),
    )
    await stored.close()
    await remove()
  },
)

it('is what SANDBOX_DEVIATION names for tests of vitest', async () => {
  vi.stubEnv('SANDBOX_URL', '')
  vi.stubEnv('SANDBOX_DEVIATION', 'vary/status-names')
  await using sandbox = await startOrConnect()
  vi.unstubAllEnvs()
  expect(await statusesOf(sandbox)).toEqual([200, 200, 'Active'])
})

it.each([
  ['exec --deviation', ['--deviation', 'vary/success-status'], {}],
  ['SANDBOX_DEVIATION', [], { SANDBOX_DEVIATION: 'vary/success-status' }],
])('is what %s names', async (_, options, environment) => {
  const call = `fetch(process.env.SANDBOX_URL + '/v1/subscriptions', {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + process.env.SANDBOX_API_KEY },
    body: new URLSearchParams({ customer_id: 'cus_ada', plan: 'pro' }),
  }).then(({ status }) => process.exit(status - 200))`
  const { code, err } = await outcome(
    run(['exec', ...options, '--', 'node', '-e', call], environment),
  )
  expect([code, err]).toEqual([1, ''])
})

it('is refused where no cell has that name, and beside the matrix', async () => {
  const rule =
    'deviation must be the name of a cell of exec --matrix; got "vary/after-retires"; the nearest are vary/after-retries, '
  await expect(startSandbox({ deviation: 'vary/after-retires' })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(rule),
  })
  const refused = await outcome(run(['exec', '--deviation', 'vary/after-retires', '--', 'true']))
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(`--${rule}`) })
  const both = ['exec', '--matrix', '--deviation', 'vary/status-names', '--', 'true']
  expect(await outcome(run(both))).toMatchObject({
    code: 2,
    err: expect.stringContaining('--deviation is one cell of the matrix'),
  })
})
