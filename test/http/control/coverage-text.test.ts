import { describe, expect, it } from 'vitest'
import { coverageTables } from '../../../src/http/control/coverage-text.ts'
import { v1Operations } from '../../../src/operations/v1.ts'
import type { WireProblem } from '../../../src/wire/common/errors.ts'
import type { WireCoverage } from '../../../src/wire/sandbox/coverage.ts'
import { askAs as ask, subscribeAs as subscribe } from '../../support/consumers.ts'
import { openShop } from '../../support/control.ts'

describe('the coverage for people', () => {
  it('fits a terminal of 80 columns, whatever was counted', async () => {
    const shop = await openShop()
    await subscribe(shop, { consumer: 'n'.repeat(300) })
    await ask(shop, 'nowhere')
    const { coverage } = shop.registry.default
    const [row] = coverage.rows
    row?.counts.answers.set('createSubscription 418 other', 123_456_789_012)
    row?.counts.answers.set('createSubscription 200 form', 99_999)
    const answer = await shop.app.request('/sandbox/coverage?format=text&min_operations=80')
    expect(answer.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    const text = await answer.text()
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
    expect(text).toContain(' 123G')
    expect(text).toMatch(/operations +1 +6 +16\.6 +80 +no\n/)
    expect(text).toContain('A threshold is not met.')
    for (const { operationId } of v1Operations.slice(1)) {
      expect(text).toMatch(new RegExp(`operations:[^:]*${operationId}`))
    }
    expect(text).toContain('past_due retries_exhausted canceled')
  })

  it('takes the room of a wider terminal', async () => {
    const shop = await openShop()
    const name = `checkout of the ${'n'.repeat(60)} shop`
    await subscribe(shop, { consumer: name })
    const { body } = await shop.get<WireCoverage>('/sandbox/coverage')
    const narrow = coverageTables(body)
    expect(narrow).not.toContain(name)
    expect(coverageTables(body, 40)).toBe(narrow)
    const lines = coverageTables(body, 160).split('\n')
    expect(lines.find((line) => line.startsWith(name))).toMatch(/ 1 +\d/)
    expect(Math.max(...lines.map((line) => line.length))).toBeGreaterThan(120)
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(160)
  })

  it('says how many calls there were, and that every threshold is met', async () => {
    const shop = await openShop()
    await subscribe(shop, { consumer: 'shop' })
    const answer = await shop.app.request('/sandbox/coverage?format=text&min_operations=10')
    const text = await answer.text()
    expect(text).toContain('Coverage of /v1: 1 call.\nEvery threshold is met.')
    expect(text).toMatch(/operations +1 +6 +16\.6 +10 +yes\n/)
    expect(text).toMatch(/\nshop +1 /)
    expect(text).toContain('pauseSubscription 200 400 401 404 409 413 415')
  })

  it('refuses a format that there is none of', async () => {
    const shop = await openShop()
    const { status, body } = await shop.get<WireProblem>('/sandbox/coverage?format=summary')
    expect(status).toBe(400)
    expect(body.detail).toContain('json or text')
  })
})
