import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const TIMEOUT_MS = 120_000
let copy = ''

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'planted-types-'))
  cpSync('src', join(copy, 'src'), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  cpSync('package.json', join(copy, 'package.json'))
  const config = { extends: resolve('tsconfig.json'), include: ['src/billing', 'src/wire'] }
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config))
})

afterAll(() => rmSync(copy, { recursive: true }))

/** The files that do not compile once a text of one file is replaced. */
function brokenBy(file: string, before: string, after: string): string[] {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  expect(source).toContain(before)
  writeFileSync(path, source.replaceAll(before, after))
  const { stdout } = spawnSync(process.execPath, [resolve('node_modules/.bin/tsc'), '--noEmit'], {
    cwd: copy,
    encoding: 'utf8',
  })
  writeFileSync(path, source)
  return [...new Set([...stdout.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, at]) => at ?? ''))]
}

it('the copy compiles as it is', { timeout: TIMEOUT_MS }, () => {
  expect(brokenBy('src/billing/coupon.ts', "'forever'", "'forever'")).toEqual([])
})

it('a fourth duration does not compile before every place decides it', {
  timeout: TIMEOUT_MS,
}, () => {
  const named = "'once', 'repeating', 'forever'"
  expect(brokenBy('src/billing/coupon.ts', `[${named}]`, `[${named}, 'until']`)).toEqual([
    'src/billing/coupon.ts',
    'src/wire/coupon.ts',
  ])
  const until = "{ duration: z.literal('until'), durationInMonths: z.null() }"
  const listed = '...shape, ...durations.forever }),'
  const fourth = `${listed} z.strictObject({ ...couponFields, ...shape, ...${until} }),`
  expect(brokenBy('src/billing/coupon.ts', listed, fourth)).toEqual([
    'src/billing/discount.ts',
    'src/wire/coupon.ts',
  ])
  const attached = `${listed} z.strictObject({ ...discountFields, ...shape, ...${until} }),`
  expect(brokenBy('src/billing/discount.ts', listed, attached)).toEqual([
    'src/billing/discount.ts',
    'src/wire/subscription.ts',
  ])
})

it('a fourth type of coupon does not compile before every place decides it', {
  timeout: TIMEOUT_MS,
}, () => {
  const broken = brokenBy(
    'src/billing/coupon.ts',
    "ReductionType = z.enum(['percentage', 'fixed'])",
    "ReductionType = z.enum(['percentage', 'fixed', 'gift'])",
  )
  expect(broken).toEqual(['src/billing/coupon.ts', 'src/billing/discount.ts'])
})

it('a seventh status and an event without its detail do not compile', {
  timeout: TIMEOUT_MS,
}, () => {
  const broken = brokenBy('src/billing/status.ts', "'expired'])", "'expired', 'frozen'])")
  expect(broken).toContain('src/billing/status.ts')
  const event = "'discount.ended': z.strictObject({"
  expect(brokenBy('src/billing/event.ts', event, `${event} why: text, `)).toEqual([
    'src/billing/billing-period.ts',
  ])
  const report = "report(step, 'discount.ended', "
  const other = "report(step, 'discount.paused', "
  expect(brokenBy('src/billing/billing-period.ts', report, other)).toEqual([
    'src/billing/billing-period.ts',
  ])
})

it('a new collection does not compile before the state document describes it', {
  timeout: TIMEOUT_MS,
}, () => {
  const row = '  tokens: collection('
  const added = `  notes: collection(Product, ({ productId }) => productId),\n${row}`
  expect(brokenBy('src/world/collections.ts', row, added)).toEqual(['src/wire/state.ts'])
})
