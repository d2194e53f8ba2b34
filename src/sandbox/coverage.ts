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

/** How the body of a request was written. */
export type SentMedia = 'json' | 'form' | 'none' | 'other'

/** Which surface a request was for. */
export type NotedSurface = 'documented' | 'control'

/** What a request is counted with, beside its log entry. */
export interface CountedWith {
  readonly surface: NotedSurface
  /** The consumer that calls; null if the request does not name one. */
  readonly consumer: string | null
  readonly settings: Settings
}

/** The requests that a row counts: of one consumer, without a consumer, or of all consumers beyond the bound. */
export type ConsumerKind = 'named' | 'unnamed' | 'others'

/** What is counted, each by a key. */
const kinds = ['answers', 'unmatched', 'codes', 'transitions', 'settings', 'assumptions'] as const
type Kind = (typeof kinds)[number]

/**
 * What was counted: answers by operation, status and media type, requests on /v1 that no operation fits by status, values
 * of settings behind their names, the others by their own names.
 */
export type CoverageCounts = Readonly<Record<Kind, Map<string, number>>>

/** Nothing counted. */
export function noCounts(): CoverageCounts {
  return Object.fromEntries(kinds.map((kind) => [kind, new Map()])) as unknown as CoverageCounts
}

/** Adds counts to others. */
export function addCounts(to: CoverageCounts, from: CoverageCounts): void {
  for (const kind of kinds) addAll(to[kind], from[kind])
}

/** Counters. Their identity is what was counted since they were cleared. */
export class Coverage {
  /** By consumer; null for those that name none. */
  readonly #rows = new Map<string | null, CoverageCounts>()
  #others: CoverageCounts | null = null
  readonly #transitions: () => TransitionCounts
  /** The values of settings that differ from the initial ones, of the settings that were met last. */
  #changed: { readonly of: Settings; readonly values: readonly string[] } = {
    of: initialSettings,
    values: [],
  }

  /** The transitions are taken from the world; in a sum they are counted already. */
  constructor(transitions = () => new TransitionCounts()) {
    this.#transitions = transitions
  }

  /** Counts a request and its answer. */
  note(entry: RequestLogEntry, { surface, consumer, settings }: CountedWith): void {
    const transitions = this.#transitions().take(entry.requestId)
    // Where the store did not take a change, nothing was moved; a fault only hides what was.
    const isFaulted = entry.fault !== null
    const moved = isFaulted || (entry.status ?? 0) < 500 ? transitions : nothing
    if (surface === 'control' && moved.size === 0) return
    const counts = this.#countsOf(consumer)
    addAll(counts.transitions, moved)
    // What a fault has a part in is no answer of the service.
    if (surface === 'control' || isFaulted) return
    const { operationId, status, sent, refusal, assumptions } = entry
    if (refusal !== null) count(counts.codes, refusal.code)
    if (operationId === null) {
      count(counts.unmatched, String(status))
      return
    }
    count(counts.answers, `${operationId} ${status} ${mediaOf(sent)}`)
    for (const slug of assumptions) count(counts.assumptions, slug)
    for (const value of this.#changedIn(settings)) {
      if (counts.settings.size < VALUES_MAX || counts.settings.has(value)) {
        count(counts.settings, value)
      }
    }
  }

  /** What was counted, by consumer: those without a name first, those beyond the bound last. */
  get rows(): readonly { kind: ConsumerKind; consumer: string | null; counts: CoverageCounts }[] {
    // Nobody asked for what real time did.
    const moved = this.#transitions().take(null)
    if (moved.size > 0) addAll(this.#countsOf(null).transitions, moved)
    const rows = [...this.#rows].map(([consumer, counts]) => {
      return { kind: consumer === null ? 'unnamed' : 'named', consumer, counts } as const
    })
    const unnamed = rows.filter(({ kind }) => kind === 'unnamed')
    const named = rows.filter(({ kind }) => kind === 'named')
    if (this.#others === null) return [...unnamed, ...named]
    return [...unnamed, ...named, { kind: 'others', consumer: null, counts: this.#others }]
  }

  /** Adds what was counted elsewhere. */
  add({ rows }: Pick<Coverage, 'rows'>): void {
    for (const { kind, consumer, counts } of rows) {
      const own = kind === 'others' ? this.#countsOfOthers() : this.#countsOf(consumer)
      addCounts(own, counts)
    }
  }

  clear(): void {
    this.#transitions().take(null)
    this.#rows.clear()
    this.#others = null
  }

  #countsOf(consumer: string | null): CoverageCounts {
    const known = this.#rows.get(consumer)
    if (known !== undefined) return known
    const named = this.#rows.size - (this.#rows.has(null) ? 1 : 0)
    if (consumer !== null && named >= CONSUMERS_MAX) return this.#countsOfOthers()
    const counts = noCounts()
    this.#rows.set(consumer, counts)
    return counts
  }

  #countsOfOthers(): CoverageCounts {
    this.#others ??= noCounts()
    return this.#others
  }

  #changedIn(settings: Settings): readonly string[] {
    if (this.#changed.of !== settings) {
      this.#changed = { of: settings, values: changedValues(settings) }
    }
    return this.#changed.values
  }
}

/** The values that are not the initial ones, each behind the name of its setting; of `vary` one by one. */
function changedValues(settings: Settings): string[] {
  const names = Object.keys(settings) as SettingName[]
  return names.flatMap((name) => {
    if (name === 'vary') return settings.vary.map((slug) => `vary ${JSON.stringify(slug)}`)
    const value = JSON.stringify(settings[name])
    return value === JSON.stringify(initialSettings[name]) ? [] : [`${name} ${value}`]
  })
}

function mediaOf({ bytes, mediaType }: Content): SentMedia {
  if (bytes === 0 || mediaType === null) return 'none'
  if (/^application\/json\b/i.test(mediaType)) return 'json'
  return /^application\/x-www-form-urlencoded\b/i.test(mediaType) ? 'form' : 'other'
}

const nothing: ReadonlyMap<Transition, number> = new Map()

function addAll(counts: Map<string, number>, others: ReadonlyMap<string, number>): void {
  for (const [key, times] of others) count(counts, key, times)
}

function count(counts: Map<string, number>, key: string, times = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + times)
}
