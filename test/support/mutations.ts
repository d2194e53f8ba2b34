/**
 * Mutations of a state document: small and large things that can be wrong in one. Each is chosen by numbers alone, so
 * that fast-check can shrink it, and is applied to the document as the wire has it.
 */
import fc from 'fast-check'
import { FailureReason } from '../../src/billing/payment.ts'
import { Status } from '../../src/billing/status.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Document = { [key: string]: Json }

/** Where a value stands: in `holder`, at `key`. */
interface Place {
  readonly holder: Json[] | { [key: string]: Json }
  readonly key: string
  readonly value: Json
}

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
const shifts = [1, 1000, DAY_MS, 31 * DAY_MS, YEAR_MS, 100 * YEAR_MS, 6900 * YEAR_MS]
const instants = [
  '1970-01-01T00:00:00.000Z',
  '2000-02-29T00:00:00.000Z',
  '8999-12-31T23:59:59.999Z',
  '9000-01-01T00:00:00.000Z',
  '9998-12-31T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '2027-02-30T00:00:00.000Z',
  '2027-02-28',
]
const numbers = [
  ...[0, -1, 1, 2, 0.5, 12.5, 12.34567, 100, 101, 366, 367, 730, 1200, 1201, -0],
  ...[1e9, 1e12, 1e12 + 1, 1e15, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e300],
]
const words = [
  ...[...Status.options, ...FailureReason.options],
  ...`succeeded open paid void uncollectible day week month year once repeating forever fixed percentage
    trial_extension valid none expire stops application refresh gone USD JPY P1D PT0S __proto__`.split(
    /\s+/,
  ),
  ...['', 'a b/c?d#e', '\ud800', 'x'.repeat(300)],
]
const isInstant = (value: Json) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)

/** How one mutation goes: what it does, and numbers that choose where and with what. */
export interface Mutation {
  readonly kind: Kind
  readonly section: number
  readonly at: number
  readonly choice: number
  readonly sign: 1 | -1
}

/** Parts by how much there is to get wrong in them. */
const sections =
  `subscriptions subscriptions subscriptions subscriptions invoices invoices invoices customers coupons
  promotions plans products charges payment_scripts faults token_families tokens events events clock settings sequences
  sequences origin api_keys`.split(/\s+/)

const kinds = {
  shiftOne: (document, mutation) => shift(pick(document, mutation, isInstant), mutation),
  setInstant: (document, mutation) => {
    const place = pick(document, mutation, isInstant)
    const others = leavesOf(document).filter(({ value }) => isInstant(value))
    const known = chosen(others, mutation.choice)?.value ?? null
    put(place, mutation.sign < 0 ? known : chosen(instants, mutation.choice))
  },
  shiftRecord: (document, mutation) => shiftIn(recordOf(document, mutation), mutation),
  shiftAll: shiftIn,
  setNumber: (document, mutation) =>
    put(pick(document, mutation, isNumber), chosen(numbers, mutation.choice)),
  stepNumber: (document, mutation) => {
    const place = pick(document, mutation, isNumber)
    if (typeof place?.value === 'number') put(place, place.value + mutation.sign)
  },
  flip: (document, mutation) => {
    const place = pick(document, mutation, (value) => typeof value === 'boolean')
    if (place !== null) put(place, !place.value)
  },
  setWord: (document, mutation) =>
    put(pick(document, mutation, isWord), chosen(words, mutation.choice)),
  exchange: (document, mutation) => {
    const place = pick(document, mutation, isAny)
    const alike = leavesOf(document).filter(({ key }) => key === place?.key)
    const other = chosen(alike, mutation.choice)
    if (place === null || other === undefined) return
    if (mutation.sign < 0) put(other, place.value)
    put(place, other.value)
  },
  replaceEverywhere: (document, mutation) => {
    const place = pick(document, mutation, isAny)
    if (place === null) return
    const values: readonly Json[] = isNumber(place.value) ? numbers : words
    const value = isInstant(place.value) ? shifted(place.value, mutation) : null
    for (const each of leavesOf(document)) {
      if (each.value === place.value) put(each, value ?? chosen(values, mutation.choice))
    }
  },
  toNull: (document, mutation) => put(pick(document, mutation, isAny), null),
  fromNull: (document, mutation) => {
    const place = pick(document, mutation, (value) => value === null)
    const alike = leavesOf(document).filter(({ key, value }) => key === place?.key && value)
    const other = chosen(alike, mutation.choice)?.value
    const { now } = document['clock'] as { now: string }
    put(place, other ?? chosen([now, 1, 'pro', true, ...instants], mutation.choice))
  },
  removeField: (document, mutation) => {
    const place = pick(document, mutation, isAny)
    if (place !== null && !Array.isArray(place.holder)) delete place.holder[place.key]
  },
  addField: (document, mutation) => {
    const record = recordOf(document, mutation)
    const name = chosen(['colour', 'status', 'now', 'aB'], mutation.choice) ?? ''
    if (record !== null) record[name] = 1
  },
  otherType: (document, mutation) => {
    const others: readonly Json[] = [{}, [], '1', 1, true, [[]], { at: null }]
    put(pick(document, mutation, isAny), chosen(others, mutation.choice))
  },
  removeItem: (document, mutation) => {
    const list = listOf(document, mutation)
    list?.splice(mutation.at % Math.max(list.length, 1), 1)
  },
  doubleItem: (document, mutation) => {
    const list = listOf(document, mutation)
    const item = list && chosen(list, mutation.choice)
    if (item !== undefined && item !== null) list?.push(structuredClone(item))
  },
  swapItems: (document, mutation) => {
    const list = listOf(document, mutation) ?? []
    if (list.length > 1) list.unshift(...list.splice(1 + (mutation.at % (list.length - 1)), 1))
  },
  emptyList: (document, mutation) => listOf(document, mutation)?.splice(0),
} satisfies Record<string, (document: Document, mutation: Mutation) => unknown>
type Kind = keyof typeof kinds

const number = fc.nat({ max: 1_000_000 })

/** One mutation. */
export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom(...(Object.keys(kinds) as Kind[])),
  section: fc.nat({ max: sections.length - 1 }),
  at: number,
  choice: number,
  sign: fc.constantFrom(1, -1),
})

/** A copy of a document with mutations, one after the other. */
export function mutated(document: Document, mutations: readonly Mutation[]): Document {
  const copy = structuredClone(document)
  for (const each of mutations) kinds[each.kind](copy, each)
  return copy
}

function chosen<Value>(values: readonly Value[], choice: number): Value | undefined {
  return values[choice % values.length]
}

function isAny(): boolean {
  return true
}

function isNumber(value: Json): boolean {
  return typeof value === 'number'
}

function isWord(value: Json): boolean {
  return typeof value === 'string' && !isInstant(value)
}

/** The part that a mutation is about; one whose part is gone or of another type changes nothing. */
function partOf(document: Document, { section }: Mutation): Json {
  return document[chosen(sections, section) ?? ''] ?? null
}

/** The record of its part that a mutation is about, or the part where that is one. */
function recordOf(document: Document, mutation: Mutation): { [key: string]: Json } | null {
  const part = partOf(document, mutation)
  const record = Array.isArray(part) ? chosen(part, mutation.at) : part
  return typeof record === 'object' && !Array.isArray(record) ? record : null
}

/** A list somewhere in its part, or the part itself. */
function listOf(document: Document, mutation: Mutation): Json[] | null {
  const part = partOf(document, mutation)
  const lists = [part, part, ...placesOf(recordOf(document, mutation)).map(({ value }) => value)]
  return chosen(lists.filter(Array.isArray), mutation.choice) ?? null
}

function pick(
  document: Document,
  mutation: Mutation,
  fits: (value: Json) => boolean,
): Place | null {
  const leaves = leavesOf(recordOf(document, mutation)).filter(({ value }) => fits(value))
  return chosen(leaves, mutation.choice + mutation.at) ?? null
}

/** Every value in another, at every depth, itself left out. */
function placesOf(holder: Json): Place[] {
  if (typeof holder !== 'object' || holder === null) return []
  return Object.entries(holder).flatMap(([key, value]) => [
    { holder, key, value },
    ...placesOf(value),
  ])
}

function leavesOf(holder: Json): Place[] {
  return placesOf(holder).filter(({ value }) => typeof value !== 'object' || value === null)
}

function put(place: Place | null, value: Json | undefined): void {
  if (place === null || value === undefined) return
  if (Array.isArray(place.holder)) place.holder[Number(place.key)] = value
  else place.holder[place.key] = value
}

function shift(place: Place | null, mutation: Mutation): void {
  if (place !== null) put(place, shifted(place.value, mutation))
}

/** Shifts every instant in a value alike. */
function shiftIn(holder: Json, mutation: Mutation): void {
  for (const place of leavesOf(holder)) if (isInstant(place.value)) shift(place, mutation)
}

/** An instant some time earlier or later; the same where no four digits write its year. */
function shifted(instant: Json, { choice, sign }: Mutation): Json {
  const millis = Date.parse(String(instant)) + sign * (chosen(shifts, choice) ?? 0)
  const moved = Number.isFinite(millis) ? new Date(millis).toISOString() : ''
  return moved.length === 24 ? moved : instant
}
