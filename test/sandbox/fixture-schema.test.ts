import { readdirSync, readFileSync } from 'node:fs'
import { type Schema, Validator } from '@cfworker/json-schema'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { fixtureSchema } from '../../scripts/fixture-schema.ts'
import { fixtureText } from '../../src/cli/commands/init.ts'
import { Fixture } from '../../src/sandbox/fixture-format.ts'
import { openShop } from '../support/control.ts'

const published = readFileSync('fixtures/fixture.schema.json', 'utf8')
const validator = new Validator(JSON.parse(published) as Schema, '7', false)
const shipped = readdirSync('fixtures').filter((file) => /(?<!\.schema)\.json$/.test(file))

it('publishes fixtures/fixture.schema.json as the format is', () => {
  expect(published).toBe(fixtureSchema())
})

it('is served, so that an editor needs no file of it', async () => {
  const { app } = await openShop()
  const response = await app.request('/fixture.schema.json')
  expect(response.headers.get('Content-Type')).toBe('application/schema+json')
  expect(await response.text()).toBe(published)
})

it.each(shipped)('fits %s', (file) => {
  expect(validator.validate(JSON.parse(readFileSync(`fixtures/${file}`, 'utf8'))).errors).toEqual(
    [],
  )
})

it('fits what init writes, and what is exported', async () => {
  expect(validator.validate(parse(fixtureText('anywhere'))).errors).toEqual([])
  const shop = await openShop({ fixture: 'dunning' })
  for (const content of ['state', 'catalog']) {
    const { body } = await shop.get(`/sandbox/fixture?content=${content}`)
    expect(validator.validate(body).errors).toEqual([])
  }
})

it.each([
  [
    'an amount with decimals',
    { plans: [{ product_id: 'p', name: 'P', amount: 9.5, currency: 'USD', interval: 'month' }] },
  ],
  ['a field that nobody knows', { plan: [] }],
  ['an instant that is none', { now: 'yesterday' }],
  ['an act that lacks what it needs', { history: [{ pause: {} }] }],
  ['a coupon of an unknown type', { coupons: [{ coupon_id: 'X', type: 'gift', value: 1 }] }],
])('marks %s, as the sandbox does', (_, fixture) => {
  expect(validator.validate(fixture).valid).toBe(false)
  expect(Fixture.safeParse(fixture).success).toBe(false)
})
