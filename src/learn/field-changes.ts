/**
 * How a service writes a subscription record otherwise than the sandbox, as the setting `subscription_fields` has it: by
 * the records that both answered to the same calls.
 */
import { distance } from 'fastest-levenshtein'
import { assumedFields } from '../assumptions/subscriptions.ts'
import { isAsFar } from '../contracts/common/instants.ts'
import { jsonIn } from '../contracts/common/json.ts'
import { momentIn } from './compare.ts'
import { envelopeOf, type JsonFields, type RecordedExchange, recordIn } from './recording.ts'
import type { Replayed } from './replay.ts'

/** The records of one call; that of the sandbox is as it is without the setting. */
interface RecordPair {
  readonly at: Date
  readonly ours: JsonFields
  readonly theirs: JsonFields
  readonly envelope: string | null
}

/** Values of the setting that may explain how records are written; none where they are written alike. */
export function fieldChangesFrom(
  exchanges: readonly RecordedExchange[],
  replayed: readonly Replayed[],
): readonly string[][] {
  const records = recordsOf(exchanges, replayed)
  const values = records.flatMap(({ theirs }) => Object.values(theirs))
  const isTimed = values.some((value) => typeof value === 'number' && momentIn(`${value}`) !== null)
  const envelopes = new Set(records.map(({ envelope }) => envelope))
  const [envelope = null] = envelopes.size === 1 ? envelopes : []
  const around = [
    ...(isTimed ? ['epoch_seconds'] : []),
    ...(envelope === null ? [] : [`envelope=${envelope}`]),
  ]
  const renamed = [...renamesFrom(exchanges, replayed)].map(([field, name]) => `${field}=${name}`)
  return around.length + renamed.length === 0
    ? []
    : [
        [...renamed, ...around],
        ['documented', ...around],
      ]
}

/** The names that a service has for fields of the sandbox: those under which it has the same values most often. */
export function renamesFrom(
  exchanges: readonly RecordedExchange[],
  replayed: readonly Replayed[],
): ReadonlyMap<string, string> {
  const records = recordsOf(exchanges, replayed)
  const segments = new Set(exchanges.flatMap(({ path }) => path.split(/[/?]/)))
  const names = new Set(records.flatMap(({ theirs }) => Object.keys(theirs)))
  const ours = new Set(records.flatMap((each) => Object.keys(each.ours)))
  const unknown = [...names].filter((name) => !ours.has(name) && /^[A-Za-z_]{1,40}$/.test(name))
  const missing = assumedFields.filter((field) => ours.has(field) && !names.has(field))
  const pairs = missing.flatMap((field) =>
    unknown.map((name) => {
      const agreeing = records.filter((each) =>
        fitsRenaming(each, { field, name, segments }),
      ).length
      return { field, name, agreeing, distance: distance(field, name) }
    }),
  )
  pairs.sort((one, other) => other.agreeing - one.agreeing || one.distance - other.distance)
  const renames = new Map<string, string>()
  for (const { field, name, agreeing } of pairs) {
    const isTaken = renames.has(field) || [...renames.values()].includes(name)
    if (agreeing > 0 && !isTaken) renames.set(field, name)
  }
  return renames
}

function recordsOf(
  exchanges: readonly RecordedExchange[],
  replayed: readonly Replayed[],
): readonly RecordPair[] {
  return exchanges.flatMap(({ path, at, answer }, index) => {
    const own = replayed[index]?.answer
    if (own === undefined || !path.startsWith('/v1/subscriptions')) return []
    if (own.status >= 300 || answer.status >= 300 || answer.isBodyKnown === false) return []
    const envelope = envelopeOf(Object(jsonIn(answer.body)))
    return {
      ...{ at: new Date(at), envelope, theirs: recordIn(answer.body) },
      ours: Object(jsonIn(own.body)),
    }
  })
}

interface Renaming {
  readonly field: string
  readonly name: string
  /** The segments of all paths, which name subscriptions. */
  readonly segments: ReadonlySet<string>
}

function fitsRenaming(
  { at, ours, theirs }: RecordPair,
  { field, name, segments }: Renaming,
): boolean {
  if (!(field in ours && name in theirs)) return false
  if (field === 'subscription_id') return segments.has(String(theirs[name]))
  const [one, other] = [JSON.stringify(ours[field]), JSON.stringify(theirs[name])] as const
  const [instant, otherwise] = [momentIn(one), momentIn(other)]
  if (instant !== null && otherwise !== null) return isAsFar([at, instant], [at, otherwise])
  // A status may have another spelling, which is another decision.
  return one.toLowerCase().replaceAll(' ', '_') === other.toLowerCase().replaceAll(' ', '_')
}
