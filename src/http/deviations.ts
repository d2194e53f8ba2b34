/**
 * The deviations that a client of the service should stand: assumptions decided otherwise, what a service may add
 * without breaking a promise, faults, and other days to start on. Only those that show in what a client asked for.
 */
import type * as z from 'zod'
import {
  type AssumptionSlug,
  assumptions,
  initialSettings,
  isDecidedInitially,
} from '../assumptions/register.ts'
import { refuse } from '../billing/refusal.ts'
import { Status } from '../billing/status.ts'
import { jsonIn } from '../contracts/common/json.ts'
import { v1Operations } from '../operations/v1.ts'
import type { CapturedCall } from '../provider/capture/captured-call.ts'
import { mapValues } from '../surface/schema-book.ts'
import { Instant } from '../time/instant.ts'
import { FaultCreate, toNewFault } from '../wire/sandbox/fault.ts'
import { CLOCK_MAX } from '../world/advance.ts'
import type { Refusal } from '../world/refusal.ts'
import { nearestNames } from '../world/results.ts'
import {
  type AnswerFields,
  DEFAULT_SEED,
  type DeviatingFault,
  type Deviation,
  type Evolution,
  withBody,
} from './request/deviation.ts'

/** The calls of a client, and the assumptions that its sandboxes used, also where it moved their clocks. */
interface ClientRun {
  readonly calls: readonly CapturedCall[]
  readonly assumed: ReadonlySet<AssumptionSlug>
}

/** What a client rests on, and had answered. */
interface Seen {
  readonly operations: ReadonlySet<string>
  /** But those that the client decided itself, by a setting. */
  readonly assumptions: ReadonlySet<AssumptionSlug>
  readonly statuses: ReadonlySet<string>
  /** Whether an error has a code that the interface does not show. */
  readonly hasAssumedCode: boolean
  /** The latest instant in sandboxes that chose no start, which is after their fixtures; null if all chose one. */
  readonly latest: Instant | null
}

/** The deviations that a client may notice, in the order of the rows below. */
export function deviationsFor(run: ClientRun, seed: number): Deviation[] {
  return deviationsOf(seenIn(run), seed)
}

/** The deviation with a name, whatever a client calls; clocks start after `latest`. Refuses an unknown name. */
export function deviationNamed(name: string, latest: Instant): Deviation | Refusal {
  const all = {
    operations: new Set(v1Operations.map(({ operationId }) => operationId)),
    assumptions: new Set(assumptions.map(({ slug }) => slug)),
    statuses: new Set(Status.options),
    hasAssumedCode: true,
    latest,
  }
  const known = deviationsOf(all, DEFAULT_SEED)
  const found = known.find((each) => each.name === name)
  if (found !== undefined) return found
  const names = known.map((each) => each.name)
  const near = nearestNames(name, names).ranked.slice(0, 3).join(', ')
  const rule = `must be the name of a cell of exec --matrix; got "${name}"; the nearest are ${near}`
  return refuse('invalid_request', `--deviation ${rule}.`)
}

function deviationsOf(seen: Seen, seed: number): Deviation[] {
  return [...variationsIn(seen), ...evolutionsIn(seen, seed), ...faultsIn(seen), ...startsIn(seen)]
}

function seenIn({ calls, assumed }: ClientRun): Seen {
  const own = calls.filter(({ fault }) => fault === null)
  const statuses = own.flatMap(({ answer, status }) => {
    const body = (status ?? 500) < 300 ? jsonIn(answer ?? '') : null
    return String(Object(body).status ?? '')
  })
  const resting = own.flatMap(({ assumptions: all, before }) =>
    ([...all] as AssumptionSlug[]).filter((slug) =>
      isDecidedInitially(before?.chosenSettings ?? initialSettings, slug),
    ),
  )
  const refusals = own.filter(({ refusal }) => refusal !== null)
  const begun = own.filter(({ before }) => before?.origin.startAt === null)
  return {
    operations: new Set(calls.map(({ operationId }) => operationId ?? '')),
    assumptions: new Set([...resting, ...assumed]),
    statuses: new Set(statuses),
    hasAssumedCode: refusals.some((call) => call.assumptions.has('error-codes')),
    latest:
      begun
        .map(({ at }) => at)
        .sort()
        .at(-1) ?? null,
  }
}

function variationsIn(seen: Seen): Deviation[] {
  return assumptions.flatMap(({ slug, question, otherwise }) =>
    otherwise === null || !seen.assumptions.has(slug)
      ? []
      : [{ name: `vary/${slug}`, text: `${question} ${otherwise}`, vary: slug }],
  )
}

/** Names and statuses that no version of the service has, of which the seed takes one. */
const newNames = ['region', 'risk_level', 'source_channel', 'tax_profile']
const newStatuses = ['in_review', 'grace', 'renewing', 'scheduled']

function oneOf(texts: readonly string[], seed: number): string {
  return texts[seed % texts.length] ?? ''
}

type EvolutionRow = readonly [
  text: string,
  isSeen: (seen: Seen) => boolean,
  change: Pick<Deviation, 'hasLowerCaseHeaders'> | ((seed: number) => Evolution),
]

/** The status of those who have access changes: what a client makes of an unknown one should not lock them out. */
const newStatus = (status: string): EvolutionRow => [
  `some subscriptions that were ${status} have a status that is new`,
  ({ statuses }) => statuses.has(status),
  (seed) =>
    withBody((fields) =>
      fields['status'] === status ? { ...fields, status: oneOf(newStatuses, seed) } : fields,
    ),
]

const evolutions: Readonly<Record<string, EvolutionRow>> = {
  'unknown-fields': [
    'every object has new fields: a text, an object and null',
    ({ operations }) => operations.size > 0,
    (seed) => {
      const name = oneOf(newNames, seed)
      const added = { [name]: 'new', [`${name}_details`]: { list: [1] }, [`${name}_until`]: null }
      return withObjects((each) => ({ ...each, ...added }))
    },
  ],
  'field-order': [
    'the fields of every object are in another order',
    ({ operations }) => operations.size > 0,
    () => withObjects((each) => Object.fromEntries(Object.entries(each).reverse())),
  ],
  'header-case': [
    'the names of headers are in lower case',
    ({ operations }) => operations.size > 0,
    { hasLowerCaseHeaders: true },
  ],
  'error-code': [
    'errors have new codes where the interface shows none',
    ({ hasAssumedCode }) => hasAssumedCode,
    () => (answer, restsOn) =>
      answer.status >= 400 && answer.status < 500 && restsOn.has('error-codes')
        ? withBody(({ error, ...rest }) => ({ error: `${error}_new`, ...rest }))(answer)
        : answer,
  ],
  'new-status/trialing': newStatus('trialing'),
  'new-status/active': newStatus('active'),
}

function evolutionsIn(seen: Seen, seed: number): Deviation[] {
  return Object.entries(evolutions).flatMap(([name, [text, isSeen, change]]) => {
    if (!isSeen(seen)) return []
    const how = typeof change === 'function' ? { evolve: change(seed) } : change
    return [{ name: `evolution/${name}`, text, ...how }]
  })
}

/** Changes every object in a body, from the inside out. */
function withObjects(change: (fields: AnswerFields) => AnswerFields): Evolution {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside)
    if (typeof value !== 'object' || value === null) return value
    return change(mapValues(value, inside))
  }
  return withBody((fields) => inside(fields) as AnswerFields)
}

/** An outage ends a little before the second that `Retry-After` names: timers may be early. */
const OUTAGE_MS = 950

const html = '<html><body><h1>502 Bad Gateway</h1></body></html>'

type FaultRow = readonly [
  text: string,
  create: z.input<typeof FaultCreate>,
  hits?: Partial<Pick<DeviatingFault, 'forMs' | 'isOutage'>>,
]

const faults: Readonly<Record<string, FaultRow>> = {
  '500': ['is answered 500', { effect: { status: 500 } }],
  '503': [
    'is answered 503 for a second, with Retry-After',
    { effect: { status: 503, headers: { 'Retry-After': '1' } } },
    { forMs: OUTAGE_MS },
  ],
  '429': [
    'is answered 429 for a second, with Retry-After',
    { effect: { status: 429, headers: { 'Retry-After': '1' } } },
    { forMs: OUTAGE_MS },
  ],
  'not-json': [
    'is answered 502 by a proxy, with HTML',
    { effect: { status: 502, body: html, headers: { 'Content-Type': 'text/html' } } },
  ],
  restart: [
    'meets a restart: for a second no call of /v1 is answered',
    { effect: { drop: true } },
    { forMs: OUTAGE_MS, isOutage: true },
  ],
  'timeout-before': [
    'is lost: the connection closes without an answer, and nothing was done',
    { effect: { drop: true } },
  ],
  'timeout-after': [
    'is done, and its answer is lost: the connection closes',
    { when: 'after', effect: { drop: true } },
  ],
  cut: ['is done, and the connection closes in the middle of the body', { effect: { cut: true } }],
  slow: [
    'is answered a second late, for a second',
    { effect: { delay_ms: 1000 } },
    { forMs: OUTAGE_MS },
  ],
}

/** The id of the fault of a deviation, in the header `Sandbox-Fault`. */
export const DEVIATING_FAULT = 'matrix'

function faultsIn({ operations }: Seen): Deviation[] {
  const called = v1Operations.filter(({ operationId }) => operations.has(operationId))
  return Object.entries(faults).flatMap(([name, [text, create, hits]]) =>
    called.map(({ operationId: operation, summary }) => {
      const order = toNewFault(FaultCreate.parse({ ...create, match: { operation } }))
      const fault = { faultId: DEVIATING_FAULT, ...order, matched: 0, used: 0 }
      return {
        name: `fault/${name}/${operation}`,
        text: `"${summary}" ${text}`,
        fault: { fault, forMs: null, isOutage: false, ...hits },
      }
    }),
  )
}

/** Starts by name, after a year. */
const starts: Readonly<Record<string, readonly [text: string, start: (year: number) => string]>> = {
  'january-31': ['31 January', (year) => `${year + 1}-01-31T12:00:00.000Z`],
  'leap-day': ['29 February', (year) => `${year + 4 - (year % 4)}-02-29T12:00:00.000Z`],
  'year-end': ['the last second of a year', (year) => `${year + 1}-12-31T23:59:59.000Z`],
}

function startsIn({ latest }: Seen): Deviation[] {
  if (latest === null) return []
  return Object.entries(starts).flatMap(([name, [text, at]]) => {
    const now = Instant.safeParse(at(Number(latest.slice(0, 4)))).data
    // 2100 is no leap year.
    if (now === undefined || now > CLOCK_MAX) return []
    return [{ name: `time/${name}`, text: `the clock starts on ${text}, ${now}`, now }]
  })
}
