/**
 * Counts the calls of the documented operations of one sandbox by consumer, in memory only. Owns what is counted and for
 * how many consumers; the report knows everything that can be covered.
 */
import { initialSettings, type SettingName, type Settings } from '../assumptions/register.ts'
import type { Transition } from '../billing/status.ts'
import { TransitionCounts } from '../world/transitions.ts'
import type { Content, RequestLogEntry } from './request-log.ts'

/** The most consumers with a row of counts; all others share one row. */
export const CONSUMERS_MAX = 100

/** The most different values of settings that are counted for one consumer; a fuzzer may set any number of them. */
const VALUES_MAX = 200

/** What a request is counted with, beside its log entry; `consumer` is null if it names none. */
interface CountedWith {
  readonly surface: 'documented' | 'control'
  readonly consumer: string | null
  readonly settings: Settings
  /** As the documents have it, whatever the settings vary. */
  readonly status: number | null
}

/** All consumers beyond the bound. */
const others = Symbol('others')
type Consumer = string | null | typeof others

/** The rows in their order: without a consumer, of one consumer, of all others. */
const rowKinds = ['unnamed', 'named', 'others'] as const

/** What is counted, each by a key. */
const kinds = ['answers', 'unmatched', 'codes', 'transitions', 'settings', 'assumptions'] as const
type Kind = (typeof kinds)[number]

/**
 * What was counted: answers by operation, status and media type, requests on /v1 that no operation fits by status, values
 * of settings behind their names, the others by their own names.
 */
export type CoverageCounts = Readonly<Record<Kind, Map<string, number>>>

export function noCounts(): CoverageCounts {
  return Object.fromEntries(kinds.map((kind) => [kind, new Map()])) as unknown as CoverageCounts
}

export function addCounts(to: CoverageCounts, from: CoverageCounts): void {
  for (const kind of kinds) addEntries(to[kind], from[kind])
}

/** Counters. Their identity is what was counted since they were cleared. */
export class Coverage {
  readonly #rows = new Map<Consumer, CoverageCounts>()
  readonly #transitions: () => TransitionCounts

  /** The transitions are taken from the world; in a sum they are counted already. */
  constructor(transitions = () => new TransitionCounts()) {
    this.#transitions = transitions
  }

  note(entry: RequestLogEntry, { surface, consumer, settings, status }: CountedWith): void {
    const transitions = this.#transitions().take(entry.requestId)
    // Where the store did not take a change, nothing was moved; a fault only hides what was.
    const isFaulted = entry.fault !== null
    const moved = isFaulted || (entry.status ?? 0) < 500 ? transitions : nothing
    if (surface === 'control' && moved.size === 0) return
    const counts = this.#countsOf(consumer)
    addEntries(counts.transitions, moved)
    // What a fault has a part in is no answer of the service.
    if (surface === 'control' || isFaulted) return
    const { operationId, sent, refusal, assumptions } = entry
    if (refusal !== null) count(counts.codes, refusal.code)
    for (const slug of assumptions) count(counts.assumptions, slug)
    if (operationId === null) {
      count(counts.unmatched, String(status))
      return
    }
    count(counts.answers, `${operationId} ${status} ${mediaOf(sent)}`)
    for (const value of changedIn(settings)) {
      if (counts.settings.size < VALUES_MAX || counts.settings.has(value)) {
        count(counts.settings, value)
      }
    }
  }

  /** What was counted, by consumer: those without a name first, those beyond the bound last. */
  get rows() {
    // Nobody asked for what real time did.
    const moved = this.#transitions().take(null)
    if (moved.size > 0) addEntries(this.#countsOf(null).transitions, moved)
    return rowKinds.flatMap((kind) =>
      [...this.#rows].flatMap(([consumer, counts]) =>
        kindOf(consumer) === kind
          ? [{ kind, consumer: consumer === others ? null : consumer, counts }]
          : [],
      ),
    )
  }

  add({ rows }: Pick<Coverage, 'rows'>): void {
    for (const { kind, consumer, counts } of rows) {
      addCounts(this.#countsOf(kind === 'others' ? others : consumer), counts)
    }
  }

  clear(): void {
    this.#transitions().take(null)
    this.#rows.clear()
  }

  #countsOf(consumer: Consumer): CoverageCounts {
    const known = this.#rows.get(consumer)
    if (known !== undefined) return known
    const named = [...this.#rows.keys()].filter((each) => typeof each === 'string').length
    if (typeof consumer === 'string' && named >= CONSUMERS_MAX) return this.#countsOf(others)
    const counts = noCounts()
    this.#rows.set(consumer, counts)
    return counts
  }
}

function kindOf(consumer: Consumer): (typeof rowKinds)[number] {
  if (consumer === null) return 'unnamed'
  return consumer === others ? 'others' : 'named'
}

const changedBySettings = new WeakMap<Settings, readonly string[]>()

/** The values that are not the initial ones, each behind the name of its setting; of `vary` one by one. */
function changedIn(settings: Settings): readonly string[] {
  const known = changedBySettings.get(settings)
  if (known !== undefined) return known
  const names = Object.keys(settings) as SettingName[]
  const changed = names.flatMap((name) => {
    if (name === 'vary') return settings.vary.map((slug) => `vary ${JSON.stringify(slug)}`)
    const value = JSON.stringify(settings[name])
    return value === JSON.stringify(initialSettings[name]) ? [] : [`${name} ${value}`]
  })
  changedBySettings.set(settings, changed)
  return changed
}

/** How the body of a request was written: `json`, `form`, `none` or `other`. */
function mediaOf({ bytes, mediaType }: Content): string {
  if (bytes === 0 || mediaType === null) return 'none'
  if (/^application\/json\b/i.test(mediaType)) return 'json'
  return /^application\/x-www-form-urlencoded\b/i.test(mediaType) ? 'form' : 'other'
}

const nothing: ReadonlyMap<Transition, number> = new Map()

function addEntries(counts: Map<string, number>, added: ReadonlyMap<string, number>): void {
  for (const [key, times] of added) count(counts, key, times)
}

function count(counts: Map<string, number>, key: string, times = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + times)
}
