import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const TIMEOUT_MS = 120_000
/** Several threads would each work out the types that all need. */
const checking = ['--noEmit', '--singleThreaded', '--incremental']
let copy = ''

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'planted-types-'))
  cpSync('src', join(copy, 'src'), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  cpSync('package.json', join(copy, 'package.json'))
  const config = {
    extends: resolve('tsconfig.json'),
    include: ['src/billing', 'src/wire', 'src/http/variation.ts', 'src/http/v1'],
  }
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config))
})

afterAll(() => rmSync(copy, { recursive: true }))

/** A text of a file, what replaces it, and the files that then do not compile. */
type Edit = readonly [file: string, before: string, after: string, broken: readonly string[]]

/** The files that do not compile once texts of files are replaced. */
function brokenBy(edits: readonly Edit[]): string[] {
  const sources = new Map(edits.map(([file]) => [file, readFileSync(join(copy, file), 'utf8')]))
  for (const [file, before, after] of edits) {
    const source = readFileSync(join(copy, file), 'utf8')
    expect(source).toContain(before)
    writeFileSync(join(copy, file), source.replaceAll(before, after))
  }
  const { stdout } = spawnSync(process.execPath, [resolve('node_modules/.bin/tsc'), ...checking], {
    cwd: copy,
    encoding: 'utf8',
  })
  for (const [file, source] of sources) writeFileSync(join(copy, file), source)
  return [...new Set([...stdout.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, at]) => at ?? ''))]
}

const coupon = 'src/billing/coupon.ts'
const discount = 'src/billing/discount.ts'
const catalog = 'src/operations/catalog.ts'
const wireCoupon = 'src/wire/billing/coupon.ts'
const wireSubscription = 'src/wire/billing/subscription.ts'
const events = 'src/billing/event.ts'
const period = 'src/billing/billing-period.ts'
const named = "'once', 'repeating', 'forever'"
const until = "{ duration: z.literal('until'), durationInMonths: z.null() }"
const listed = '...shape, ...durations.forever }),'
const fourth = (fields: string) =>
  `${listed} z.strictObject({ ...${fields}, ...shape, ...${until} }),`
const collections = 'src/world/collections.ts'
const variation = 'src/http/variation.ts'
const tokens = '  tokens: collection('
const notes = '  notes: collection(Product, ({ productId }) => productId),\n'
const ended = "'discount.ended': z.strictObject("

/** Each breaks other files than those beside it in a row do, so that one compilation shows them all. */
const rows: readonly Record<string, Edit>[] = [
  {
    'a fourth duration': [coupon, `[${named}]`, `[${named}, 'until']`, [coupon, wireCoupon]],
    'an event of no type': [period, "'discount.ended', ", "'discount.paused', ", [period]],
    'a new collection': [
      collections,
      tokens,
      `${notes}${tokens}`,
      ['src/wire/sandbox/state.ts', 'src/world/references.ts'],
    ],
    'an assumption with an alternative that nobody implements': [
      'src/assumptions/coupons.ts',
      "expires_at, applies_to_plans, applies_to_products and stackable; currency on fixed coupons.',",
      "expires_at, and others.', { otherwise: 'Others.' },",
      [variation],
    ],
    'a documented operation that nobody performs': [
      'src/operations/v1.ts',
      "    perform: (world, { subscription_id: subscriptionId }, cause) =>\n      executeCommand(world, { subscriptionId, cause }, { kind: 'pause' }),",
      '',
      ['src/operations/v1.ts', 'src/sandbox/fixture-acts.ts'],
    ],
  },
  {
    'a coupon with a fourth duration': [
      coupon,
      listed,
      fourth('couponFields'),
      [discount, catalog],
    ],
    'an event without its detail': [
      events,
      `${ended}discount)`,
      `${ended}{ ...discount, why: text })`,
      [period, 'src/wire/events/event-words.ts'],
    ],
    'an alternative that is implemented and declared no more': [
      variation,
      "  'status-names': onSuccess",
      "  'first-invoice': onSuccess",
      [variation],
    ],
  },
  {
    'a discount with a fourth duration': [
      discount,
      listed,
      fourth('discountFields'),
      [discount, wireSubscription],
    ],
  },
  {
    'a fourth type': [
      coupon,
      "'percentage', 'fixed'])",
      "'percentage', 'fixed', 'gift'])",
      [coupon, discount],
    ],
  },
]

it.each(rows.map((row) => [Object.keys(row).join(', '), Object.values(row)] as const))(
  '%s: does not compile before every place decides it',
  { timeout: TIMEOUT_MS },
  (_, edits) => {
    const broken = edits.flatMap((edit) => edit[3])
    expect(new Set(broken).size).toBe(broken.length)
    expect(brokenBy(edits).sort()).toEqual(broken.sort())
  },
)

it('a seventh status does not compile', { timeout: TIMEOUT_MS }, () => {
  const broken = brokenBy([['src/billing/status.ts', "'expired'])", "'expired', 'frozen'])", []]])
  expect(broken).toContain('src/billing/status.ts')
})
