import { describe, expect, it } from 'vitest'
import { hasNetworksOfItsOwn, runAlone } from '../../support/process.ts'

describe.runIf(hasNetworksOfItsOwn())('with no route out', () => {
  it.each([
    ['check', 'contracts/pacts'],
    ['verify', 'contracts/pacts/reference-form-client-subscription-service.json'],
  ])('%s finds what it finds elsewhere', async (...command) => {
    const alone = runAlone([...command, '--json'])
    expect([await alone.ended, alone.errors().includes('rror')]).toEqual([0, false])
    const { totals } = JSON.parse(alone.output()) as { totals: Record<string, number> }
    expect(totals['interactions']).toBeGreaterThan(10)
    expect(totals['passed']).toBe(totals['interactions'])
  })
})
