/**
 * Two futures for a timeline: the lane of each subscription that differs, as things stand, and the branch that a change
 * makes of it. Owns how many are drawn, and the difference in money.
 */
import type { Schemas } from '../../library/sandbox.ts'
import { DAY_MS } from '../../time/instant.ts'
import { compareTexts } from '../../world/sorted-tree.ts'
import type { PageContext } from '../ui/page-context.ts'
import { moneyFigure, moneyText } from '../ui/values.tsx'
import { day, endToCome, type Lane, type Moment, type MomentKind } from './lane.ts'
import { groupBy, readTimeline } from './read.ts'
import { isoAt, type TimeWindow } from './window.ts'

type WhatIf = Schemas['WhatIf']
type Row = Schemas['WhatIfInvoice']
type InvoiceStatus = NonNullable<Row['changed']>['status']

/** How many subscriptions are drawn, and how many invoices of each future an answer has. */
const DRAWN_MAX = 25
const ROWS_MAX = 1000

/** How an invoice of the branch ends: as a mark, as on the lane above, and in words. */
export const endings: Readonly<Record<InvoiceStatus, readonly [MomentKind, string]>> = {
  paid: ['period', 'paid'],
  open: ['other', 'open or void'],
  uncollectible: ['failed', 'uncollectible'],
  void: ['other', 'open or void'],
}

/** The life of a subscription from the change on. */
export type Branch = ReturnType<typeof branchOf>

export type DrawnFutures = Awaited<ReturnType<typeof readFutures>>

/** Whether an invoice differs: an answer has others of its customer too. */
export function isDifferent({ as_is: asIs, changed }: Row): boolean {
  const [one, other] = [asIs, changed].map((side) => JSON.stringify({ ...side, invoice_id: null }))
  return one !== other
}

/** The futures of an answer with `unchanged`; `at` is the instant of the first change. */
export async function readFutures(page: PageContext, answer: WhatIf, at: string) {
  const rows = groupBy(answer.invoices, (row) => row.subscription_id)
  const ids = new Set([
    ...answer.invoices.filter(isDifferent).map((row) => row.subscription_id),
    ...answer.subscriptions.map((row) => row.subscription_id),
  ])
  const shown = [...ids].slice(0, DRAWN_MAX)
  const rowOf = (id: string) => answer.subscriptions.find((each) => each.subscription_id === id)
  const existing = shown.filter((id) => rowOf(id)?.as_is !== null)
  const subscriptions = await Promise.all(existing.map((id) => page.sandbox.subscriptions.get(id)))
  const window = windowOf(answer)
  const { lanes, nameOf } = await readTimeline(page, { subscriptions, window, path: '' })
  const until = endOf(answer)
  const drawn = shown.map((id) => {
    // The change may create it.
    const lane = lanes.find(({ subscription }) => subscription.subscription_id === id) ?? null
    const sources = { row: rowOf(id), lane, invoices: rows.get(id) ?? [], answer, at, until }
    return { id, lane, branch: branchOf(sources) }
  })
  const all = page.summary.counts['subscriptions'] ?? 0
  const left = ids.size - shown.length
  const isWhole = answer.invoices.length === answer.invoices_total
  return {
    ...{ answer, window, drawn, nameOf },
    /** How many differ and are not drawn, and how many do not differ; null if the answer has not all invoices. */
    others: isWhole ? { left, same: all - subscriptions.length - left } : null,
    /** Until when the branches are drawn. */
    until,
  }
}

/** All of the comparison, with some of the past and room for what happens at the very end. */
function windowOf({ from, until }: WhatIf): TimeWindow {
  const [start, end] = [Date.parse(from), Date.parse(until)]
  const room = Math.max((end - start) / 30, DAY_MS / 2)
  return { from: isoAt(start - room), until: isoAt(end + room) }
}

/** Until when the invoices with the change are known: there may be more than an answer has. */
function endOf({ invoices, complete_until: until }: WhatIf): string {
  return invoices.filter(({ changed }) => changed !== null)[ROWS_MAX]?.created_at ?? until
}

interface BranchSources {
  /** Whether its status differs. */
  readonly row: WhatIf['subscriptions'][number] | undefined
  readonly lane: Lane | null
  readonly invoices: readonly Row[]
  readonly answer: WhatIf
  readonly at: string
  readonly until: string
}

function branchOf(sources: BranchSources) {
  const { row, invoices, at, until } = sources
  const made = invoices.filter(({ changed, created_at }) => changed !== null && created_at >= at)
  const moments = invoices.flatMap((row) => invoiceMoments(row, at))
  const periods = made.filter(({ reason }) => reason === 'period')
  // The last one is billed; those before it are credited.
  const plans = [...new Set(periods.flatMap(({ changed }) => changed?.plans.at(-1) ?? []))]
  const end = endMoment(sources)
  const status = end === null ? row?.changed?.replaceAll('_', ' ') : ''
  const steps = stepsOf(invoices)
  const currency = invoices[0]?.currency ?? ''
  return {
    from: at,
    until: end?.at ?? until,
    moments: [
      ...moments
        .filter((moment) => moment.at >= at)
        .sort((one, other) => compareTexts(one.at, other.at)),
      ...(end === null ? [] : [end]),
    ],
    /** Its plans, or the status in which nothing is billed. */
    words: plans.join(', then ') || status || '',
    ...{ steps, currency },
    /** The difference in money, in a sentence. */
    sums: sumsText(steps, sources, currency),
  }
}

/** Where it ends with the change; where no end differs, as things stand. */
function endMoment({ row, lane, until }: BranchSources): Moment | null {
  if (row === undefined) {
    const end = lane?.moments.find(({ kind }) => kind === 'ended')
    return end === undefined || end.at > until ? null : end
  }
  const { changed: status, changed_ended_at: at } = row
  if (at === null) return null
  return { at, kind: 'ended', text: `${status}`, event: null, note: endToCome(`${status}`, at) }
}

/** An invoice with the change, and the attempts to pay it unless the first succeeds; of both, what follows an instant. */
function invoiceMoments(row: Row, from: string): Moment[] {
  const { as_is: asIs, changed, currency, created_at: at, reason } = row
  if (changed === null) return []
  const { amount_due: due, status, attempts, invoice_id: run } = changed
  const figure = moneyFigure(due, currency)
  const text = `${moneyText(due, currency)} ${status} (${reason.replaceAll('_', ' ')})`
  const made: Moment = { at, kind: endings[status][0], text, event: null, note: figure }
  if (attempts[0]?.outcome === 'succeeded') return [made]
  const tried = attempts.map((each, index): Moment => {
    const isPaid = each.outcome === 'succeeded'
    const day = Math.round((Date.parse(each.at) - Date.parse(at)) / DAY_MS)
    const attempt = { run, number: index + 1, isPaid, figure, day }
    return { at: each.at, kind: isPaid ? 'recovered' : 'failed', text: null, event: null, attempt }
  })
  // At that very instant, others were made before the change.
  const ofBranch = tried.filter((moment) => moment.at > from || asIs === null)
  // The mark of its attempts has its amount.
  const isTried = ofBranch[0]?.at === at
  return [isTried ? { ...made, note: undefined } : made, ...ofBranch]
}

/** Each instant whose invoices collect more, or less, with the change: how much, and how much in total since the change. */
function stepsOf(rows: readonly Row[]) {
  let total = 0
  return [...groupBy(rows, (row) => row.created_at)].flatMap(([at, group]) => {
    const paid = (side: 'as_is' | 'changed') =>
      group.reduce((sum, row) => sum + (row[side]?.amount_paid ?? 0), 0)
    const more = paid('changed') - paid('as_is')
    total += more
    return more === 0 ? [] : { at, more, total }
  })
}

const SAME = 'the same is paid'

function moreText(more: number, currency: string): string {
  if (more === 0) return SAME
  return `${moneyText(Math.abs(more), currency)} ${more > 0 ? 'more' : 'less'}`
}

/** What all customers pay more, or less, in a sentence. */
export function totalText({ money, complete_until: until }: WhatIf): string {
  // Currencies in which nothing differs need no words.
  const texts = money.map(({ difference, currency }) => moreText(difference.paid, currency))
  const sums = texts.filter((text) => text !== SAME).join(', ') || texts[0] || 'nothing is paid'
  return `All customers together: ${sums} until ${day(until)}.`
}

/** `7.74 USD more due now, 172.74 USD more until 2028-01-01`. */
function sumsText(
  steps: ReturnType<typeof stepsOf>,
  sources: BranchSources,
  currency: string,
): string {
  const { at, answer, until } = sources
  const first = steps.find((step) => step.at === at)
  const total = `${moreText(steps.at(-1)?.total ?? 0, currency)} until ${day(until)}`
  return first === undefined
    ? total
    : `${moreText(first.more, currency)} due ${at === answer.from ? 'now' : `on ${day(at)}`}, ${total}`
}
