import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

/** Tests that replace modules or calls of the system, measure how long they are held up, or load native code into their process. */
export const alone = [
  'test/contract/consumers/**/*.test.ts',
  'test/crash/clients.test.ts',
  'test/crash/hostile.test.ts',
  'test/http/contract-load.test.ts',
  'test/http/contract-replies.test.ts',
  'test/http/control/event-retention.test.ts',
  'test/http/control/followers.test.ts',
  'test/http/control/look-ahead.test.ts',
  'test/http/control/reads.test.ts',
  'test/http/control/sandbox-full.test.ts',
  'test/http/flood-of-fields.test.ts',
  'test/openapi/declared-refusals.test.ts',
  'test/openapi/stated-assumptions.test.ts',
  'test/sandbox/webhook-skipped.test.ts',
  'test/server/lazily.test.ts',
  'test/store/faults.test.ts',
  'test/store/folder-store.test.ts',
  'test/store/journal.test.ts',
  'test/store/lock.test.ts',
  'test/world/capacity.test.ts',
  'test/world/event-log.test.ts',
]

/** How long a test waits for something: less than it may take, so that it fails with what it waited for. */
export const PATIENCE_MS = 150_000

export default defineConfig({
  test: {
    // One more than cores: much of the time goes into waiting for processes and disks.
    maxWorkers: availableParallelism() + 1,
    // For what hangs: how fast a machine is says nothing, and one with other work takes ten times as long.
    testTimeout: 180_000,
    setupFiles: ['test/support/patience.ts'],
    expect: { poll: { timeout: PATIENCE_MS } },
    hookTimeout: 180_000,
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      {
        extends: true,
        // The others share a process, which loads what they test only once.
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone],
          isolate: false,
        },
      },
    ],
  },
})
