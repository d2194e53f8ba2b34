import { describe, expect, it } from 'vitest'
import { couponAssumptions } from '../../src/assumptions/coupons.ts'
import {
  assumptions,
  currentSettings,
  initialSettings,
  Settings,
  settingAssumptions,
  settingName,
} from '../../src/assumptions/register.ts'
import { subscriptionAssumptions } from '../../src/assumptions/subscriptions.ts'
import { surfaceAssumptions } from '../../src/assumptions/surface.ts'

function accepts(name: string, value: unknown): boolean {
  return Settings.safeParse({ ...initialSettings, [name]: value }).success
}

describe('the register of assumptions', () => {
  it('names every assumption once, in lower case words joined by hyphens', () => {
    const slugs = assumptions.map((entry) => entry.slug)
    // A name in two of the tables would be lost under the later one.
    const tables = [subscriptionAssumptions, couponAssumptions, surfaceAssumptions]
    expect(tables.flatMap((table) => Object.keys(table)).sort()).toEqual([...slugs].sort())
    for (const slug of slugs) expect(slug).toMatch(/^[a-z]+(-[a-z]+)*$/)
  })

  it('places every assumption in a section of the interface, with a question and an answer', () => {
    for (const entry of assumptions) {
      expect(entry.section, entry.slug).toMatch(/^[1-9]$/)
      expect(entry.question, entry.slug).toMatch(/\?$/)
      expect(entry.choice, entry.slug).not.toBe('')
    }
  })
})

describe('the settings', () => {
  it('start at what the rules say', () => {
    expect(initialSettings).toEqual({
      subscriptionFields: [],
      pausedStatusName: 'paused',
      unlistedTransitions: 'cancel',
      trialDayLength: '24_hours',
      trialEndWithoutPaymentMethod: 'expire',
      retrySchedule: ['P1D', 'P3D', 'P5D', 'P7D'],
      afterRetries: 'cancel',
      upgradeOrDowngrade: 'yearly_rate',
      proration: 'millisecond',
      firstInvoice: 'at_once',
      amountRounding: 'half_away',
      openInvoicesOnCancellation: 'void',
      redemptionCount: 'each_application',
      intervalChange: 'at_once',
      creditToBalance: 'balance',
      planChangeInTrial: 'at_once',
      cancelWithoutRefund: 'nothing',
      resumeRestoresRemainingPeriod: true,
      couponLimitsOnInvoices: 'each_invoice',
      reappliedCoupon: 'restart',
      successStatus: [],
      stackingOrder: 'percentage_first',
      couponMonthsStart: 'first_billing',
      couponMonthsDuringPause: 'runs',
      unknownFields: 'reject',
      invalidGrantStatus: 403,
      accessTokenLifetime: 3600,
      refreshTokenLifetime: 30 * 86_400,
      refreshRotation: 'rotate',
      refreshReuseLeeway: 0,
      refreshReuseRevokesFamily: true,
      vary: [],
      strict: false,
    })
  })

  it('accept what they start with, and say in words what else', () => {
    expect(Settings.safeParse(initialSettings).success).toBe(true)
    for (const entry of settingAssumptions) {
      expect(entry.schema.safeParse(entry.fallback).success, entry.slug).toBe(true)
      expect(entry.options, entry.slug).not.toBe('')
      expect(initialSettings).toHaveProperty(settingName(entry.slug))
    }
  })

  it('know no others', () => {
    expect(accepts('retryCount', 3)).toBe(false)
  })

  it.each(Object.entries(initialSettings))(
    'have %s, stored by a version without it',
    (name, value) => {
      const { [name as keyof Settings]: _, ...rest } = initialSettings
      expect(Settings.parse(rest)).toHaveProperty(name, value)
    },
  )

  it.each([
    [[]],
    [['P1D']],
    [['PT1S', 'PT1M', 'PT1H', 'P1D']],
    [['PT36H', 'P2D']],
    [['P1DT12H30M15S']],
    [['PT0.5S']],
  ])('4.12: take %j as a retry schedule', (schedule) => {
    expect(accepts('retrySchedule', schedule)).toBe(true)
  })

  it.each([
    ['weeks', ['P1W']],
    ['months', ['P1M']],
    ['years', ['P1Y']],
    ['nothing', ['P0D']],
    ['less than nothing', ['-P1D']],
    ['equal offsets', ['P1D', 'PT24H']],
    ['descending offsets', ['P3D', 'P1D']],
    ['no duration', ['soon']],
    ['numbers', [1, 2]],
    ['one text', 'P1D'],
    ['null', null],
  ])('4.12: do not take %s as a retry schedule', (_, schedule) => {
    expect(accepts('retrySchedule', schedule)).toBe(false)
  })

  it.each([
    ['paused', true],
    ['on_hold', true],
    ['a', true],
    ['a'.repeat(40), true],
    ['a'.repeat(41), false],
    ['', false],
    ['On_hold', false],
    ['on-hold', false],
    ['paused2', false],
    ['trialing', false],
    ['active', false],
    ['past_due', false],
    ['canceled', false],
    ['expired', false],
  ])('2.2: "%s" can be the name of the paused status: %s', (name, isAccepted) => {
    expect(accepts('pausedStatusName', name)).toBe(isAccepted)
  })

  it.each([
    ['trialEndWithoutPaymentMethod', ['expire', 'past_due'], 'active'],
    ['afterRetries', ['cancel', 'keep_past_due'], 'pause'],
    ['stackingOrder', ['percentage_first', 'fixed_first', 'application'], 'best'],
    ['couponMonthsStart', ['first_billing', 'application'], 'never'],
    ['couponMonthsDuringPause', ['runs', 'stops'], 'waits'],
    ['unknownFields', ['reject', 'ignore'], 'warn'],
    ['invalidGrantStatus', [400, 401, 403], 404],
    ['refreshRotation', ['rotate', 'keep'], 'sometimes'],
    ['refreshReuseRevokesFamily', [true, false], 'true'],
    ['refreshReuseLeeway', [0, 60], -1],
    ['accessTokenLifetime', [1, 3600], 0],
    ['refreshTokenLifetime', [1, 2_592_000], 1.5],
  ])('%s takes each of %j and not %j', (name, taken, refused) => {
    for (const value of taken) expect(accepts(name, value)).toBe(true)
    expect(accepts(name, refused)).toBe(false)
  })

  it('are read as an earlier version stored them, with an ending that there is no longer', () => {
    const { refreshReuseLeeway: _, ...stored } = { ...initialSettings, afterRetries: 'expire' }
    expect(Settings.parse(stored)).toEqual({ ...initialSettings, afterRetries: 'cancel' })
  })

  it.each([
    ['200', []],
    ['201', ['201']],
    ['201_for_creation', ['createSubscription=201']],
  ])('are read as an earlier version stored them, with the status of success %s', (was, now) => {
    const stored = { ...initialSettings, successStatus: was } as unknown as Settings
    expect(currentSettings(stored)).toEqual({ ...initialSettings, successStatus: now })
    expect(currentSettings(initialSettings)).toBe(initialSettings)
  })
})
