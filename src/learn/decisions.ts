/**
 * Decisions: each assumption that can be decided otherwise, the values it can have, and the settings that a choice of
 * values makes. A variation has the values `false` and, as `vary` decides it, `true`.
 */
import * as z from 'zod'
import {
  type AssumptionSlug,
  assumptions,
  initialSettings,
  type Settings,
  settingName,
  settingsInForce,
} from '../assumptions/register.ts'
import { documentedStatuses } from '../assumptions/subscriptions.ts'
import { documentedOperationIds } from '../assumptions/surface.ts'
import { jsonIn } from '../contracts/common/json.ts'
import { documentedWrites } from '../operations/v1.ts'
import { snakeKey } from '../wire/common/case.ts'
import { fieldChangesFrom, renamesFrom } from './field-changes.ts'
import { type RecordedExchange, recordIn } from './recording.ts'
import type { Replayed } from './replay.ts'

/** The value of each assumption that has several. */
export type Choice = ReadonlyMap<AssumptionSlug, unknown>

export interface Decision {
  readonly slug: AssumptionSlug
  readonly value: unknown
}

const decidable = assumptions.filter(({ otherwise }) => otherwise !== null)

/** The choice that settings make. */
export function choiceOf(settings: Partial<Settings>): Choice {
  const inForce = settingsInForce({ ...initialSettings, ...settings })
  return new Map(
    decidable.map(({ slug, terms }) => [
      slug,
      terms === null ? inForce.vary.includes(slug) : inForce[settingName(slug)],
    ]),
  )
}

/** The settings of a choice: all of them, so that those of a fixture do not count. */
export function settingsFor(choice: Choice): Partial<Settings> {
  const values = decidable.flatMap(({ slug, terms }) =>
    terms === null ? [] : [[settingName(slug), choice.get(slug)]],
  )
  const vary = decidable.flatMap(({ slug, terms }) =>
    terms === null && choice.get(slug) === true ? slug : [],
  )
  return { ...Object.fromEntries(values), vary }
}

/** The key of a setting, `vary` for a variation, null where an assumption cannot be decided otherwise. */
export function settingOf({ slug, terms, otherwise }: (typeof assumptions)[number]) {
  if (otherwise === null) return null
  return terms === null ? 'vary' : snakeKey(settingName(slug))
}

export function withDecisions(choice: Choice, ...decisions: readonly Decision[]): Choice {
  return new Map([...choice, ...decisions.map(({ slug, value }) => [slug, value] as const)])
}

export function isSameValue(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other)
}

/** A value as a text; the order of a list says nothing. */
function textOf(value: unknown): string | undefined {
  return JSON.stringify(Array.isArray(value) ? value.toSorted() : value)
}

/** What answers show as it is. */
const shownAsIs: readonly AssumptionSlug[] = ['access-token-lifetime', 'paused-status-name']

/** Whether no value is left that could fit as well as this one and was not tried. */
export function isClosed({ slug, terms }: (typeof decidable)[number], value: unknown): boolean {
  const isShown =
    shownAsIs.includes(slug) || (slug === 'subscription-fields' && isSameValue(value, []))
  return terms === null || isShown || optionsOf(terms.schema) !== null
}

/**
 * Every decision to try: all values of an assumption, or those that the recording suggests beside the two known ones and
 * the one of the base. `replayed` is what the sandbox answered to it.
 */
export function decisionsFor(
  exchanges: readonly RecordedExchange[],
  replayed: readonly Replayed[] = [],
  base: Choice = choiceOf({}),
): readonly Decision[] {
  return decidable.flatMap(({ slug, terms }) => {
    if (terms === null) return [false, true].map((value) => ({ slug, value }))
    const { schema, fallback, varied } = terms
    const suggested = suggestions[slug]?.(exchanges, replayed) ?? []
    const values = optionsOf(schema) ?? [base.get(slug), fallback, varied, ...suggested]
    const valid = values.filter((value) => schema.safeParse(value).success)
    const different = new Map(valid.map((value) => [textOf(value), value]))
    return [...different.values()].map((value) => ({ slug, value }))
  })
}

function optionsOf(schema: z.ZodType): readonly unknown[] | null {
  if (schema instanceof z.ZodEnum) return schema.options
  if (schema instanceof z.ZodLiteral) return [...schema.values]
  return schema instanceof z.ZodBoolean ? [true, false] : null
}

/** Values of numbers, texts and lists, from what was answered. */
const suggestions: {
  readonly [Slug in AssumptionSlug]?: (
    all: readonly RecordedExchange[],
    replayed: readonly Replayed[],
  ) => readonly unknown[]
} = {
  'success-status': successStatusesFrom,
  'subscription-fields': fieldChangesFrom,
  'access-token-lifetime': (all) => all.map(({ answer }) => fieldIn(answer.body, 'expires_in')),
  'paused-status-name': (all, replayed) => {
    const field = renamesFrom(all, replayed).get('status') ?? 'status'
    return all
      .filter(({ path }) => /\/pause$/.test(path))
      .map(({ answer }) => recordIn(answer.body)[field])
      .filter((name) => !documentedStatuses.includes(String(name)))
  },
  'refresh-token-lifetime': (all) => secondsBetweenUses(all, 'refused'),
  'refresh-reuse-leeway': (all) => secondsBetweenUses(all, 'granted').map((each) => each + 1),
  'retry-schedule': () => [[]],
}

/** The last part of the path of each operation on subscriptions; none for creation. */
const operationByEnding = new Map(
  documentedWrites.map(({ path, operationId }) => [path.split('/')[4], operationId]),
)

/** One status that all operations answered, unless it is 200; and each status other than 200 with its operation. */
function successStatusesFrom(all: readonly RecordedExchange[]): string[][] {
  const seen = new Map<string, number>()
  for (const { path, answer } of all) {
    const [, , resource, , ending] = path.split(/[/?]/)
    const operationId = resource === 'subscriptions' && operationByEnding.get(ending)
    if (operationId && answer.status <= 202) seen.set(operationId, answer.status)
  }
  const [one, ...others] = new Set(seen.values())
  const alike = others.length === 0 && one !== undefined && one !== 200 ? [[String(one)]] : []
  const isWhole = alike.length > 0 && seen.size === documentedOperationIds.length
  const named = [...seen].filter(([, status]) => status !== 200)
  return isWhole ? alike : [...alike, named.map((entry) => entry.join('='))]
}

/** The seconds from the first sight of each refresh token to where it was then granted or refused. */
function secondsBetweenUses(
  all: readonly RecordedExchange[],
  end: 'granted' | 'refused',
): number[] {
  const seen = new Map<unknown, number>()
  const seconds = all.flatMap(({ path, body, answer, at }) => {
    const sent = /\/auth\/refresh/.test(path) ? fieldIn(body, 'refresh_token') : undefined
    const now = Date.parse(at)
    const since = seen.get(sent)
    for (const token of [sent, fieldIn(answer.body, 'refresh_token')]) {
      if (token !== undefined && !seen.has(token)) seen.set(token, now)
    }
    const isEnd = (answer.status < 300 ? 'granted' : 'refused') === end
    return since === undefined || !isEnd ? [] : [Math.floor((now - since) / 1000)]
  })
  return [...new Set(seconds)].filter((each) => each > 0).slice(0, SUGGESTED_MAX)
}

const SUGGESTED_MAX = 5

function fieldIn(body: string, name: string): unknown {
  return Object(jsonIn(body))[name]
}
