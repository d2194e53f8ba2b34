import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { initialSettings, Settings } from '../../src/assumptions/register.ts'
import { camelKeys, snakeKeys } from '../../src/wire/common/case.ts'
import { InstantIn, InstantOut } from '../../src/wire/common/fields.ts'
import { presentSettings, SettingsPatch, WireSettings } from '../../src/wire/sandbox/settings.ts'

describe('instants that callers write', () => {
  it.each([
    ['2027-01-31T10:00:00Z', '2027-01-31T10:00:00.000Z'],
    ['2027-01-31T10:00:00.5Z', '2027-01-31T10:00:00.500Z'],
    ['2027-01-31T10:00:00+05:30', '2027-01-31T04:30:00.000Z'],
    ['2027-01-31T23:59:59.999-00:01', '2027-02-01T00:00:59.999Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['1970-01-01T00:00:00.000+00:00', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, instant) => {
    expect(InstantIn.parse(text)).toBe(instant)
  })

  it.each([
    '2027-02-29T00:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-00-10T00:00:00Z',
    '2027-01-01T24:00:00Z',
    '2027-01-01T00:00:60Z',
    '2027-01-01T00:00:00.0000Z',
    '2027-01-01T00:00:00',
    '2027-01-01 00:00:00Z',
    '2027-01-01T00:00:00z',
    '2027-01-01T00:00:00+24:00',
    '1969-12-31T23:59:59Z',
    '0075-01-01T00:00:00Z',
    '1970-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '1970-01-01T12:00:00+00:01',
    '1970-01-01T12:00:00+10:00',
    '1969-12-31T23:00:00-05:00',
    '+12027-01-01T00:00:00Z',
  ])('%s is none', (text) => {
    expect(InstantIn.safeParse(text).success).toBe(false)
  })

  it('reads every instant that the sandbox prints', () => {
    const range = { min: new Date('1970-01-01Z'), max: new Date('9999-12-31T23:59:59.999Z') }
    fc.assert(
      fc.property(fc.date({ ...range, noInvalidDate: true }), (date) => {
        const printed = InstantOut.parse(date.toISOString())
        expect(InstantIn.parse(printed)).toBe(printed)
      }),
    )
  })
})

describe('settings', () => {
  it('are all on the wire, under their slugs with underscores, and come back the same', () => {
    const shown = presentSettings(initialSettings)
    expect(WireSettings.parse(shown)).toEqual(shown)
    expect(shown).toMatchObject({
      retry_schedule: ['P1D', 'P3D', 'P5D', 'P7D'],
      after_retries: 'cancel',
    })
    expect(Settings.parse(camelKeys(SettingsPatch.parse(shown)))).toEqual(initialSettings)
  })
})

it('spells keys there and back', () => {
  const fields = { currentPeriodEnd: 1, planId: 'a', status: null }
  expect(snakeKeys(fields)).toEqual({ current_period_end: 1, plan_id: 'a', status: null })
  expect(camelKeys(snakeKeys(fields))).toEqual(fields)
})
