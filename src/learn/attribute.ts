/**
 * Which decisions explain the differences: each is tried by replaying with it. One that leaves no exchange with more
 * differences, and some with fewer, is kept; then two at once are tried. What is kept must be needed in the end.
 */
import type { AssumptionSlug } from '../assumptions/register.ts'
import type { AnswerDifference } from './compare.ts'
import {
  type Choice,
  type Decision,
  decidable,
  decided,
  isClosed,
  isSameValue,
  settingsOf,
} from './decisions.ts'
import type { Replayed, Replaying } from './replay.ts'

/** A refusal in place of a success, or the other way round, outweighs all that differs in a body. */
const OUTCOME_WEIGHT = 1000

/** What became known of one assumption; exchanges are indexes. */
export interface AssumptionFinding {
  readonly slug: AssumptionSlug
  readonly verdict: 'confirmed' | 'contradicted' | 'undecided' | 'not_seen'
  /** The value that fits, and the one that was compared with; undefined where there are no others. */
  readonly value: unknown
  readonly before: unknown
  /** Other decisions that fit as well. */
  readonly alsoFits: readonly Decision[]
  /** Whether values that nobody tried may fit too. */
  readonly isOpen: boolean
  /** How many answers rest on it and agree. */
  readonly agreeing: number
  /** The exchanges that would differ were it decided otherwise. */
  readonly shownBy: readonly number[]
}

export interface Attribution {
  readonly replayed: readonly Replayed[]
  readonly choice: Choice
  readonly findings: readonly AssumptionFinding[]
}

type Scores = readonly number[]

export interface Search extends Pick<Replaying, 'replay'> {
  readonly base: Choice
  readonly decisions: readonly Decision[]
  readonly slugs: readonly AssumptionSlug[]
  readonly onProgress: (line: string) => void
}

export async function attribute(search: Search): Promise<Attribution> {
  const found = await explain(search)
  const choice = await withoutNeedless(found, search)
  const replayed = await search.replay(settingsOf(choice))
  const findings = await judge(choice, replayed, search)
  return { replayed, choice, findings }
}

/** The base with all that explains differences. */
async function explain({ replay, base, decisions, onProgress }: Search): Promise<Choice> {
  let choice = base
  let before = await replay(settingsOf(base))
  for (;;) {
    const scores = before.map(scoreOf)
    if (scores.every((score) => score === 0)) return choice
    onProgress(`${scores.filter((score) => score > 0).length} of ${scores.length} answers differ`)
    const tried: { readonly decision: Decision; readonly after: readonly Replayed[] }[] = []
    for (const decision of othersThan(choice, decisions)) {
      tried.push({ decision, after: await replay(settingsOf(decided(choice, decision))) })
    }
    const helping = tried
      .filter(({ after }) => improves(after.map(scoreOf), scores))
      .sort((one, other) => total(one.after.map(scoreOf)) - total(other.after.map(scoreOf)))
      .map(({ decision }) => [decision])
    const others = tried.map(({ decision }) => decision)
    const touching = tried.filter(({ after }) => touches(after, before))
    const next =
      helping.length > 0
        ? helping
        : await helpingPairs(
            touching.map(({ decision }) => decision),
            others,
            { replay, choice, scores },
          )
    if (next.length === 0) return choice
    for (const group of next) {
      const wider = decided(choice, ...group)
      const after = await replay(settingsOf(wider))
      if (!improves(after.map(scoreOf), before.map(scoreOf))) continue
      choice = wider
      before = after
    }
  }
}

interface Reached extends Pick<Search, 'replay'> {
  readonly choice: Choice
  readonly scores: Scores
}

/** Two decisions that explain together what neither does alone; the first of them changes an answer that differs. */
async function helpingPairs(
  touching: readonly Decision[],
  all: readonly Decision[],
  { replay, choice, scores }: Reached,
): Promise<Decision[][]> {
  for (const one of touching) {
    for (const other of all) {
      if (one.slug === other.slug) continue
      const wider = decided(choice, one, other)
      const after = await scoresUpTo(replay, wider, scores)
      if (improves(after, scores)) return [[one, other]]
    }
  }
  return []
}

/** The choice without what can be as it was before, with no more differences. */
async function withoutNeedless(choice: Choice, { replay, base }: Search): Promise<Choice> {
  let scores = (await replay(settingsOf(choice))).map(scoreOf)
  let least = choice
  for (const [slug, value] of base) {
    if (isSameValue(choice.get(slug), value)) continue
    const without = decided(least, { slug, value })
    const after = (await replay(settingsOf(without))).map(scoreOf)
    if (improves(scores, after)) continue
    least = without
    scores = after
  }
  return least
}

/** All that is known in the end, for judging each assumption. */
interface Known extends Search {
  readonly choice: Choice
  readonly scores: Scores
  /** The answers that rest on each assumption, and those of them that agree. */
  readonly named: ReadonlyMap<string, number>
  readonly agreeing: ReadonlyMap<string, number>
}

async function judge(choice: Choice, replayed: readonly Replayed[], search: Search) {
  search.onProgress('trying every other decision')
  const scores = replayed.map(scoreOf)
  const named = countsOf(replayed)
  const agreeing = countsOf(replayed.filter(({ differences }) => differences.length === 0))
  const findings: AssumptionFinding[] = []
  for (const slug of search.slugs) {
    findings.push(await findingOn(slug, { ...search, choice, scores, named, agreeing }))
  }
  return findings
}

async function findingOn(slug: AssumptionSlug, known: Known): Promise<AssumptionFinding> {
  const { choice, base } = known
  const entry = decidable.find((each) => each.slug === slug)
  const [value, before] = [choice.get(slug), base.get(slug)]
  const isContradicted = !isSameValue(value, before)
  const { shownBy, fitting } = await otherValues(slug, known)
  const alsoFits = isContradicted ? [...(await insteadOf(slug, known)), ...fitting] : fitting
  const agreeing = known.agreeing.get(slug) ?? 0
  const isConfirmed = entry ? shownBy.length > 0 && alsoFits.length === 0 : agreeing > 0
  const isSeen = known.named.has(slug) || shownBy.length > 0
  return {
    ...{ slug, value, before, alsoFits, agreeing, shownBy },
    verdict: verdictOf({ isContradicted, isConfirmed, isSeen }),
    isOpen: entry !== undefined && !isClosed(entry),
  }
}

/** The other values of an assumption: those that fit as well, and the exchanges that would differ with the others. */
async function otherValues(
  slug: AssumptionSlug,
  { choice, base, scores, replay, decisions }: Known,
): Promise<{ shownBy: readonly number[]; fitting: readonly Decision[] }> {
  const shownBy = new Set<number>()
  const fitting: Decision[] = []
  const isUnchanged = isSameValue(choice.get(slug), base.get(slug))
  for (const decision of othersThan(choice, decisions)) {
    if (decision.slug !== slug) continue
    const after = (await replay(settingsOf(decided(choice, decision)))).map(scoreOf)
    const worse = after.flatMap((score, at) => (score > (scores[at] ?? 0) ? at : []))
    if (worse.length === 0) fitting.push(decision)
    // What contradicts an assumption contradicts what it was before.
    const isShown = isUnchanged || isSameValue(decision.value, base.get(slug))
    for (const at of isShown ? worse : []) shownBy.add(at)
  }
  return { shownBy: [...shownBy].sort((one, other) => one - other), fitting }
}

function verdictOf(
  is: Readonly<Record<'isContradicted' | 'isConfirmed' | 'isSeen', boolean>>,
): AssumptionFinding['verdict'] {
  if (is.isContradicted) return 'contradicted'
  if (is.isConfirmed) return 'confirmed'
  return is.isSeen ? 'undecided' : 'not_seen'
}

/** The decisions on other assumptions that explain what this one does. */
async function insteadOf(
  slug: AssumptionSlug,
  { choice, base, scores, replay, decisions }: Known,
): Promise<Decision[]> {
  const without = decided(choice, { slug, value: base.get(slug) })
  const fitting: Decision[] = []
  for (const decision of othersThan(without, decisions)) {
    if (decision.slug === slug) continue
    const after = await scoresUpTo(replay, decided(without, decision), scores)
    if (isNoWorse(after, scores)) fitting.push(decision)
  }
  return fitting
}

function countsOf(replayed: readonly Replayed[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const slug of replayed.flatMap(({ assumptions }) => assumptions)) {
    counts.set(slug, (counts.get(slug) ?? 0) + 1)
  }
  return counts
}

/** The scores until one is worse than it may be. */
async function scoresUpTo(replay: Search['replay'], choice: Choice, most: Scores): Promise<Scores> {
  const replayed = await replay(
    settingsOf(choice),
    (each, index) => scoreOf(each) <= (most[index] ?? 0),
  )
  return replayed.map(scoreOf)
}

function othersThan(choice: Choice, decisions: readonly Decision[]): Decision[] {
  return decisions.filter(({ slug, value }) => !isSameValue(choice.get(slug), value))
}

function scoreOf({ differences }: Pick<Replayed, 'differences'>): number {
  return differences.length + (differences.some(isOtherOutcome) ? OUTCOME_WEIGHT : 0)
}

export function isOtherOutcome({ at, sandbox, service }: AnswerDifference): boolean {
  return at === 'status' && Number(sandbox) < 400 !== Number(service) < 400
}

function isNoWorse(after: Scores, before: Scores): boolean {
  return after.length === before.length && after.every((score, at) => score <= (before[at] ?? 0))
}

function improves(after: Scores, before: Scores): boolean {
  return isNoWorse(after, before) && total(after) < total(before)
}

function total(scores: Scores): number {
  return scores.reduce((sum, score) => sum + score, 0)
}

/** Whether an answer that differed is another one now. */
function touches(after: readonly Replayed[], before: readonly Replayed[]): boolean {
  return before.some(
    ({ differences }, at) =>
      differences.length > 0 && !isSameValue(differences, after[at]?.differences),
  )
}
