/**
 * A sandbox for each test of vitest: `test` gives it to a test that asks for it, and where the test fails it prints
 * what happened in it and leaves it in a folder; and `toMatchBilling` of `expect`. The tests of one worker share a server,
 * and nothing else.
 */
import { test as base, expect, Snapshots, type TestAPI } from 'vitest'
import type { BillingFilter, CreateOrder, Sandbox } from './index.ts'
import {
  bundleFolder,
  newestRequest,
  removeBundle,
  reportFailure,
  testName,
} from './library/failure.ts'
import { startOrConnect } from './test-server.ts'

declare module 'vitest' {
  interface Matchers<T> {
    /**
     * Whether customers were billed as the snapshot of vitest says, which is written if absent. Await it. For an
     * inline snapshot: `expect((await sandbox.billing()).text).toMatchInlineSnapshot()`.
     */
    toMatchBilling(filter?: BillingFilter): Promise<void>
  }
}

expect.extend({
  async toMatchBilling(received: Sandbox, filter?: BillingFilter) {
    if (typeof received?.billing !== 'function') {
      throw new TypeError(`toMatchBilling takes a sandbox; got ${typeof received}.`)
    }
    if (this.isNot) throw new TypeError('toMatchBilling cannot be negated, as no snapshot can.')
    const { text } = await received.billing(filter)
    return Snapshots.toMatchSnapshot.call(this, text)
  },
})

/** What a test may ask for. */
export interface SandboxFixtures {
  /** What the sandbox of each test begins with: `starter` unless `test.override({ sandboxOrder: { fixture } })` names another. */
  sandboxOrder: CreateOrder
  /**
   * The default sandbox of the server: the one that SANDBOX_URL names, with SANDBOX_CONTROL_TOKEN, or one in this process,
   * which also has the fixtures that SANDBOX_FIXTURE names, else `sandbox.fixture.yaml` of the working folder, the settings
   * of SANDBOX_SETTINGS, and the deviation of SANDBOX_DEVIATION.
   */
  sandboxServer: Sandbox
  /** The sandbox of this test; it is deleted with its end. */
  sandbox: Sandbox
}

/** As vitest's own, with `sandbox`. */
export const test: TestAPI<SandboxFixtures> = base.extend<SandboxFixtures>({
  sandboxOrder: {},
  sandboxServer: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what is needed.
    async ({}, use) => {
      await using server = await startOrConnect()
      await use(server)
    },
    { scope: 'worker' },
  ],
  sandbox: async ({ sandboxOrder, sandboxServer, task }, use) => {
    await using sandbox = await sandboxServer.create(sandboxOrder)
    const folder = bundleFolder(testName(task))
    const since = await newestRequest(sandboxServer)
    // A test that is repeated, or tried again, has the errors of all its runs.
    const before = task.result?.errors?.length ?? 0
    if (before === 0) await removeBundle(folder)
    await use(sandbox)
    const errors = task.result?.errors?.slice(before) ?? []
    // One of `test.fails` is expected to.
    if (errors.length > 0 && !task.fails) {
      const diffs = errors.flatMap(({ diff = [] }) => diff)
      const failed = { sandbox, server: sandboxServer, since, folder, diffs }
      // A test may have closed its sandbox.
      const why = 'The sandbox of this test cannot be asked what happened'
      console.error(await reportFailure(failed).catch(({ message }) => `${why}: ${message}`))
    }
  },
})
