import { once } from 'node:events'
import { watch } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { call } from '../support/crash-call.ts'
import { temporaryFolder } from '../support/folders.ts'
import {
  hasPidNamespaces,
  runAsFirstProcess,
  serveAfterReusedPid,
  serveAsFirstProcess,
  serveOnHost,
  serveUnreaped,
} from '../support/namespaces.ts'
import {
  failed,
  failToServe,
  type Run,
  run,
  type Served,
  serve,
  served,
} from '../support/process.ts'
import { shortestOf } from '../support/rounds.ts'

/** How often six processes start at once; `LOCK_ROUNDS=50` for a long run. */
const ROUNDS = Number(process.env['LOCK_ROUNDS'] ?? 2)
/** Longer than any lock by time stamps would wait before it takes an owner for dead. */
const SUSPENDED_MS = 7000
/** Longer than any starter would wait to see whether it is alone. */
const STARTER_SUSPENDED_MS = 300
const TAKEN_OVER_WITHIN_MS = 1000

const hasNamespaces = hasPidNamespaces()
if (!hasNamespaces) {
  process.stderr.write(
    'NOT RUN: the tests of owners in other namespaces, because unshare is not permitted here.\n',
  )
}

type Finished = TestContext['onTestFinished']

async function folderFor(finished: Finished): Promise<string> {
  const folder = await temporaryFolder()
  finished(folder.remove)
  return folder.path
}

/** Serves a folder; whatever the test comes to, the process ends with it. */
async function ownerOf(folder: string, finished: Finished): Promise<Served> {
  const owner = await serve('--data', folder)
  finished(() => void owner.child.kill('SIGKILL'))
  return owner
}

/** Makes a customer; throws unless that is acknowledged. */
function make(sandbox: Served, customer_id: string): Promise<unknown> {
  return call(sandbox, 'POST /sandbox/customers', { body: { customer_id } })
}

/** Suspends every second process for a while, in the midst of what the first of all does to the folder. */
async function suspendHalf(runs: readonly Run[], folder: string): Promise<void> {
  const watcher = watch(folder)
  await once(watcher, 'change')
  watcher.close()
  const half = runs.filter((_, index) => index % 2 === 0)
  for (const { child } of half) child.kill('SIGSTOP')
  await pause(STARTER_SUSPENDED_MS)
  for (const { child } of half) child.kill('SIGCONT')
}

/** The customers that a new process finds in a folder. */
async function customersIn(folder: string): Promise<string[]> {
  const sandbox = await serve('--data', folder)
  const state = await call<{ customers: { customer_id: string }[] }>(sandbox, 'GET /sandbox/state')
  await sandbox.stop()
  return state.customers.map(({ customer_id }) => customer_id)
}

describe.concurrent('an owner', () => {
  it('refuses a second process on the same folder, and names the first one', async ({
    expect,
    onTestFinished,
  }) => {
    const folder = await folderFor(onTestFinished)
    const first = await ownerOf(folder, onTestFinished)
    const second = await failToServe('--data', folder)
    expect(second.code).toBe(3)
    expect(second.errors).toContain(`is in use by process ${first.child.pid}`)
    expect(second.errors).not.toContain('doctor')
    await make(first, 'still')
    expect(await first.stop()).toBe(0)
    expect(await customersIn(folder)).toContain('still')
  })

  it('does not leave the folder to a zombie: killed, and not reaped by its parent', async ({
    expect,
    onTestFinished,
  }) => {
    const folder = await folderFor(onTestFinished)
    const unreaped = await serveUnreaped('--data', folder)
    onTestFinished(unreaped.end)
    await make(unreaped.sandbox, 'kept')
    await unreaped.kill()
    const next = await ownerOf(folder, onTestFinished)
    expect(unreaped.isZombie()).toBe(true)
    await next.stop()
    expect(await customersIn(folder)).toContain('kept')
  })

  describe.runIf(hasNamespaces)('process ids that say nothing', () => {
    it('counts an owner in another pid namespace as alive, also for another process 1', async ({
      expect,
      onTestFinished,
    }) => {
      const folder = await folderFor(onTestFinished)
      const owner = await serveAsFirstProcess('--data', folder)
      onTestFinished(() => void owner.child.kill('SIGKILL'))
      await make(owner, 'before')
      const refused = [
        await failed(runAsFirstProcess('--data', folder)),
        await failToServe('--data', folder),
      ]
      for (const { code, errors } of refused) {
        expect(code).toBe(3)
        expect(errors).toContain('is in use by process 1 on ')
      }
      await make(owner, 'after')
      expect(await owner.stop()).toBe(0)
      expect(await customersIn(folder)).toEqual(expect.arrayContaining(['before', 'after']))
    })

    it('does not leave the folder to another process that has the id of a dead owner', async ({
      expect,
      onTestFinished,
    }) => {
      const folder = await folderFor(onTestFinished)
      const { killed, reused, sandbox } = await serveAfterReusedPid('--data', folder)
      onTestFinished(() => void sandbox.child.kill('SIGKILL'))
      expect(reused).toBe(killed)
      await make(sandbox, 'kept')
      await sandbox.stop()
      expect(await customersIn(folder)).toContain('kept')
    })
  })

  describe('that is suspended for longer than any time limit', () => {
    it('keeps the folder, and loses nothing that it acknowledged', async ({
      expect,
      onTestFinished,
    }) => {
      const folder = await folderFor(onTestFinished)
      const owner = await ownerOf(folder, onTestFinished)
      await make(owner, 'before')
      owner.child.kill('SIGSTOP')
      await pause(SUSPENDED_MS)
      const second = await failToServe('--data', folder)
      expect(second.code).toBe(3)
      expect(second.errors).toContain(`is in use by process ${owner.child.pid}`)
      owner.child.kill('SIGCONT')
      await make(owner, 'after')
      expect(await owner.stop()).toBe(0)
      expect(await customersIn(folder)).toEqual(expect.arrayContaining(['before', 'after']))
    })

    it('goes on after a start that wanted its folder and its port', async ({
      expect,
      onTestFinished,
    }) => {
      const folder = await folderFor(onTestFinished)
      const owner = await ownerOf(folder, onTestFinished)
      const { port } = new URL(owner.url)
      owner.child.kill('SIGSTOP')
      await pause(SUSPENDED_MS)
      const second = await failed(run(['serve', '--port', port, '--data', folder]))
      expect(second.code).toBe(3)
      owner.child.kill('SIGCONT')
      await make(owner, 'after')
      expect(await owner.stop()).toBe(0)
      expect(await customersIn(folder)).toContain('after')
    })
  })
})

it(`lets exactly one of six processes serve that start at once after a kill, ${ROUNDS} times`, async () => {
  const folder = await folderFor(onTestFinished)
  const acknowledged: string[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const runs = Array.from({ length: 6 }, () => run(['serve', '--port', '0', '--data', folder]))
    onTestFinished(() => runs.forEach(({ child }) => void child.kill('SIGKILL')))
    const suspended = suspendHalf(runs, folder)
    const serving = runs.map(async (each) => {
      const sandbox = await served(each)
      // While the others still try.
      const customer = `round-${round}-${sandbox.child.pid}`
      await make(sandbox, customer)
      acknowledged.push(customer)
    })
    const outcomes = await Promise.allSettled(serving)
    await suspended
    const winners = runs.filter((_, index) => outcomes[index]?.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    const codes = runs.filter((each) => !winners.includes(each)).map(({ ended }) => ended)
    expect(await Promise.all(codes)).toEqual([3, 3, 3, 3, 3])
    winners[0]?.child.kill('SIGKILL')
  }
  expect(acknowledged).toHaveLength(ROUNDS)
  expect(await customersIn(folder)).toEqual(expect.arrayContaining(acknowledged))
}, 600_000)

const owners = [
  { of: 'this host name', start: serve, isPossible: true },
  {
    of: 'another host name',
    start: (...args: string[]) => serveOnHost('elsewhere', ...args),
    isPossible: hasNamespaces,
  },
].filter(({ isPossible }) => isPossible)

it.each(owners)(
  'serves within a second of the death by kill -9 of an owner with $of',
  async ({ start }) => {
    const folder = await folderFor(onTestFinished)
    const first = await serve('--data', folder)
    await first.stop()
    const kept: string[] = []
    const taken = await shortestOf(TAKEN_OVER_WITHIN_MS, async () => {
      const startedAt = performance.now()
      const owner = await start('--data', folder)
      const ordinaryMs = performance.now() - startedAt
      const customer = `kept_${kept.length}`
      await make(owner, customer)
      kept.push(customer)
      owner.child.kill('SIGKILL')
      const killedAt = performance.now()
      const next = await ownerOf(folder, onTestFinished)
      const takenMs = performance.now() - killedAt - ordinaryMs
      await next.stop()
      return takenMs
    })
    expect(taken).toBeLessThan(TAKEN_OVER_WITHIN_MS)
    expect(await customersIn(folder)).toEqual(expect.arrayContaining(kept))
  },
)
