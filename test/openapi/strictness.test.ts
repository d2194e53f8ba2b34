/** Fields whose schema is written beside what checks them: both accept the same. */
import fc from 'fast-check'
import type { RequestBodyObject, SchemaObject } from 'openapi3-ts/oas31'
import { expect, it } from 'vitest'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { controlDocument } from '../../src/openapi/control.ts'
import { VERSION } from '../../src/version.ts'
import { InstantIn } from '../../src/wire/common/fields.ts'
import { openShop } from '../support/control.ts'

const { components, paths } = controlDocument(controlRoutes, VERSION)
const schemas = components?.schemas as Record<string, SchemaObject>

function fieldOf(name: string, ...path: readonly string[]): SchemaObject {
  return path.reduce(
    (schema, step) => schema.properties?.[step] as SchemaObject,
    schemas[name] as SchemaObject,
  )
}

/** As much of JSON Schema as texts have here. */
function fits(schema: SchemaObject, text: string): boolean {
  const { pattern, enum: values, not, anyOf } = schema
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false
  if (values !== undefined && !values.includes(text)) return false
  if (not !== undefined && fits(not as SchemaObject, text)) return false
  return anyOf === undefined || anyOf.some((each) => fits(each as SchemaObject, text))
}

async function taken(key: string, value: unknown): Promise<boolean> {
  const shop = await openShop()
  const { status } = await shop.call('PATCH', '/sandbox/settings', { json: { [key]: value } })
  return status === 200
}

it.each([
  ...['P1D', 'PT12H', 'PT0.5S', 'P1DT12H30M15S', 'PT36H', 'P0DT1S', 'P01D', 'P3650D'],
  ...['P0D', 'PT0S', 'PT0.000S', 'P0DT0H', 'P1W', 'P1M', 'P1Y', '-P1D', 'P', 'PT', 'soon', ''],
])('4.12: an offset of retries of "%s"', async (offset) => {
  const { items } = fieldOf('SettingsPatch', 'retry_schedule')
  expect(fits(items as SchemaObject, offset)).toBe(await taken('retry_schedule', [offset]))
})

it('4.12: what no schema says of the offsets of retries is said in words', async () => {
  const { description } = fieldOf('SettingsPatch', 'retry_schedule')
  expect(await taken('retry_schedule', ['P3651D'])).toBe(false)
  expect(description).toContain('at most 3650 days')
  expect(await taken('retry_schedule', ['P3D', 'P1D'])).toBe(false)
  expect(description).toContain('strictly ascending')
})

it('accepts every instant that its schema does, and no other', () => {
  const two = (max: number) => fc.nat(max).map((number) => String(number).padStart(2, '0'))
  const year = fc.oneof(
    fc.constantFrom('1969', '1970', '2000', '2027', '2028', '2100', '9999'),
    fc.nat(9999).map((number) => String(number).padStart(4, '0')),
  )
  const day = fc.oneof(
    fc.constantFrom('01-01', '02-28', '02-29', '04-31', '12-31', '12-32'),
    fc.tuple(two(13), two(32)).map((parts) => parts.join('-')),
  )
  const zone = fc.oneof(
    fc.constantFrom('Z', '+00:00', 'z', ''),
    fc.tuple(fc.constantFrom('+', '-'), two(24), two(60)).map(([sign, h, m]) => `${sign}${h}:${m}`),
  )
  const time = fc
    .tuple(two(24), two(60), two(60), fc.constantFrom('', '.5', '.123', '.1234'), zone)
    .map(([h, m, s, fraction, offset]) => `T${h}:${m}:${s}${fraction}${offset}`)
  const text = fc
    .tuple(year, day, fc.oneof(fc.constant(''), time))
    .map(([y, d, t]) => `${y}-${d}${t}`)
  const schema = fieldOf('ClockAdvanceTo', 'to')
  fc.assert(
    fc.property(text, (written) => {
      expect(InstantIn.safeParse(written).success).toBe(fits(schema, written))
    }),
    { numRuns: 5000 },
  )
})

it('accepts null where an instant may be cleared', async () => {
  const { type, not } = fieldOf('CouponPatch', 'expires_at')
  expect({ type, not }).toMatchObject({ type: ['string', 'null'], not: { type: 'string' } })
  const shop = await openShop()
  const json = { expires_at: null }
  expect((await shop.call('PATCH', '/sandbox/coupons/SAVE20', { json })).status).toBe(200)
})

it.each(['paused', 'on_hold', 'a', 'trialing', 'past_due', 'expired', 'On_hold', 'paused2', ''])(
  '2.2: a paused status that is called "%s"',
  async (name) => {
    const schema = fieldOf('SettingsPatch', 'paused_status_name')
    expect(fits(schema, name)).toBe(await taken('paused_status_name', name))
  },
)

it.each(['trialing', 'active', 'past_due', 'on_hold', 'canceled', 'expired', 'On_hold', 'Active'])(
  '2.2: waiting for the status "%s" where the paused one is called on_hold',
  async (status) => {
    const shop = await openShop({ settings: { pausedStatusName: 'on_hold' } })
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    const until = { subscription_id: 'sub_000001', status }
    const advanced = await shop.post('/sandbox/clock/advance', { until, within: 'P1D' })
    const schema = fieldOf('ClockAdvanceUntil', 'until', 'status')
    expect(fits(schema, status)).toBe(advanced.status === 200)
  },
)

it('says which format of a state it takes, and the least percent', async () => {
  const shop = await openShop()
  const { format } = JSON.parse(await shop.state())
  expect(fieldOf('State', 'format').const).toBe(format)
  const { minimum } = fieldOf('PercentageCouponCreate', 'value')
  const coupon = { coupon_id: 'LEAST', type: 'percentage', value: minimum, duration: 'once' }
  expect((await shop.post('/sandbox/coupons', coupon)).status).toBe(201)
})

it('says what a body is, and how large it may be', () => {
  const limits = (path: string, method: 'post' | 'put') =>
    (paths?.[path]?.[method]?.requestBody as RequestBodyObject | undefined)?.description
  expect(limits('/sandbox/products', 'post')).toBe(
    'The product to create. If it has no identifier, the sandbox generates one. At most 1048576 bytes. In JSON at most 32 levels and 10000 values.',
  )
  expect(limits('/sandbox/state', 'put')).toBe(
    'The state: a whole sandbox as one document. At most 2147483648 bytes. In JSON at most 32 levels and 10000 members in one object.',
  )
})
