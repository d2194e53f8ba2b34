import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests that replace modules or calls of the system, measure how long they are held up, or load native code into their process. */
export const alone = [
  'test/contract/consumers/**/*.test.ts',
  'test/http/contract-replies.test.ts',
  'test/http/control/event-retention.test.ts',
  'test/http/control/followers.test.ts',
  'test/http/control/look-ahead.test.ts',
  'test/http/control/reads.test.ts',
  'test/http/control/sandbox-full.test.ts',
  'test/http/flood-of-fields.test.ts',
  'test/openapi/bounded-errors.test.ts',
  'test/openapi/stated-assumptions.test.ts',
  'test/sandbox/webhook-skipped.test.ts',
  'test/server/lazily.test.ts',
  'test/server/running.test.ts',
  'test/store/failed-writes.test.ts',
  'test/store/faults.test.ts',
  'test/store/journal.test.ts',
  'test/store/lock.test.ts',
  'test/store/synced-folders.test.ts',
  'test/world/capacity.test.ts',
  'test/world/event-log.test.ts',
]

/** Tests that start programs, install, browse or kill: `npm run test:outside`. */
export const outside = [
  'test/browser/**/*.test.ts',
  'test/cli/processes/**/*.test.ts',
  'test/cli/verify/**/*.test.ts',
  'test/contract/base-addresses.test.ts',
  'test/contract/broker*.test.ts',
  'test/contract/studies.test.ts',
  'test/contract/verification.test.ts',
  'test/crash/**/*.test.ts',
  'test/deploy/**/*.test.ts',
  'test/generators/**/*.test.ts',
  'test/guides/**/*.test.ts',
  'test/http/live-verification.test.ts',
  'test/http/recording-bytes.test.ts',
  'test/library/verify-provider.test.ts',
  'test/mcp/guide.test.ts',
  'test/mcp/processes.test.ts',
  'test/package/**/*.test.ts',
  'test/properties/recordings.test.ts',
  'test/python/client.test.ts',
  'test/readme/**/*.test.ts',
  'test/store/foreign-folder.test.ts',
]

/** Of those, what measures how long it is held up. */
export const outsideAlone = [
  'test/crash/clients.test.ts',
  'test/crash/hostile.test.ts',
  'test/http/contract-load.test.ts',
]

/** Tests that share a process, which loads what they test only once. */
function shared(name: string, include: string[], others: string[]) {
  const exclude = [...configDefaults.exclude, ...others]
  return { name, include, exclude, isolate: false }
}

/** What starts programs waits for them more: one more at a time, and not beside the others. */
const waiting = { maxWorkers: availableParallelism() + 2, sequence: { groupOrder: 1 } }

/** Short files that take long. Without times of an earlier run, vitest begins with large files, and would end with these. */
const slow = [
  'test/package/checks.test.ts',
  'test/crash/kill.test.ts',
  'test/http/recording-bytes.test.ts',
  'test/browser/learn.test.ts',
  'test/contract/studies.test.ts',
  'test/cli/processes/silence.test.ts',
  'test/learn/second-service.test.ts',
]

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => slow.some((file) => moduleId.endsWith(file))
    const sorted = await super.sort(files)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

/** How long a test waits for something: less than it may take, so that it fails with what it waited for. */
export const PATIENCE_MS = 150_000

export default defineConfig({
  test: {
    // One more than cores: much of the time goes into waiting for processes and disks.
    maxWorkers: availableParallelism() + 1,
    // For what hangs: how fast a machine is says nothing, and one with other work takes ten times as long.
    testTimeout: 300_000,
    globalSetup: ['test/support/one-folder.ts'],
    setupFiles: ['test/support/patience.ts'],
    expect: { poll: { timeout: PATIENCE_MS } },
    hookTimeout: 300_000,
    sequence: { sequencer: SlowFirst },
    projects: [
      { name: 'alone', include: alone },
      shared('together', ['test/**/*.test.ts'], [...alone, ...outside, ...outsideAlone]),
      { name: 'outside-alone', include: outsideAlone, ...waiting },
      { ...shared('outside-together', outside, outsideAlone), ...waiting },
    ].map((test) => ({ extends: true as const, test })),
  },
})
