/**
 * Waiting in tests: as long as a test may take. A second, as vitest waits by default, is an assertion on how much else
 * the machine has to do. Runs before each test file.
 */
import { vi } from 'vitest'
import { PATIENCE_MS } from '../../vitest.config.ts'

type Options = Parameters<typeof vi.waitUntil>[1]

function patient(options: Options) {
  const { interval = 20 } = typeof options === 'object' ? options : {}
  return { interval, timeout: PATIENCE_MS }
}

const { waitFor, waitUntil } = vi
vi.waitFor = (check, options) => waitFor(check, patient(options))
vi.waitUntil = (check, options) => waitUntil(check, patient(options))
