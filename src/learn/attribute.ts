/**
 * Which decisions explain the differences: each is tried by replaying with it. One that leaves no exchange with more
 * differences, and some with fewer, is kept; then two at once are tried. What is kept must be needed in the end.
 */
import { type AssumptionSlug, assumptions } from '../assumptions/register.ts'
import { countText } from '../wire/common/text.ts'
import type { AnswerDifference } from './compare.ts'
import {
  type Choice,
  type Decision,
  isClosed,
  isSameValue,
  settingOf,
  settingsFor,
  withDecisions,
} from './decisions.ts'
import type { Replayed, Replaying } from './replay.ts'

/** A refusal in place of a success, or the other way round, outweighs all that differs in a body. */
const OUTCOME_WEIGHT = 1000

/** What became known of one assumption, as the report has it. */
export interface AssumptionVerdict {
  readonly slug: AssumptionSlug
  readonly verdict: 'confirmed' | 'contradicted' | 'undecided' | 'not_seen'
  /** The key of the setting, `vary` for a variation, null where it cannot be decided otherwise. */
  readonly setting: string | null
  /** The value that fits, and the one that was compared with; null where it cannot be decided otherwise. */
  readonly value: unknown
  readonly before: unknown
  /** How many answers rest on it and agree. */
  readonly agreeing: number
  /** Other decisions that fit as well. */
  readonly also_fits: readonly Decision[]
  /** Whether values that were not tried may fit as well. */
  readonly other_values_may_fit: boolean
  /** The numbers of the exchanges that would differ were it decided otherwise. */
  readonly shown_by: readonly number[]
}

export type Attribution = Awaited<ReturnType<typeof attribute>>

/** What each exchange differs by. */
type Scores = readonly number[]

export interface SearchOrder extends Pick<Replaying, 'replay'> {
  readonly base: Choice
  readonly decisions: readonly Decision[]
  readonly onProgress: (line: string) => void
}

type Search = ReturnType<typeof searchOf>

/** How long it works before it says how far it is. */
const SILENT_MS = 5000

/** The search: scores that are known are not replayed for. Says now and then how often it replayed: it may take minutes. */
function searchOf({ replay, onProgress, ...order }: SearchOrder) {
  let [count, saidAt] = [0, performance.now()]
  const known = new Map<string, { readonly scores: Scores; readonly isWhole: boolean }>()
  const keyOf = (choice: Choice) => JSON.stringify(settingsFor(choice))
  const replayTo = async (choice: Choice, isAbove = (_score: number, _at: number) => false) => {
    const answers = await replay(settingsFor(choice), (each, at) => !isAbove(scoreOf(each), at))
    const scores = answers.map(scoreOf)
    known.set(keyOf(choice), { scores, isWhole: !scores.some(isAbove) })
    count += 1
    if (performance.now() - saidAt >= SILENT_MS) {
      saidAt = performance.now()
      onProgress(`replayed ${countText(count, 'time')}`)
    }
    return answers
  }
  /** The scores of a choice; with limits, until one is above its own. */
  const scoresOf = async (choice: Choice, limits?: Scores): Promise<Scores> => {
    const isAbove = (score: number, at: number) => limits !== undefined && score > (limits[at] ?? 0)
    const found = known.get(keyOf(choice))
    if (found?.isWhole || found?.scores.some(isAbove)) return found.scores
    return (await replayTo(choice, isAbove)).map(scoreOf)
  }
  return { ...order, onProgress, replay: (choice: Choice) => replayTo(choice), scoresOf }
}

export async function attribute(order: SearchOrder) {
  const search = searchOf(order)
  const choice = await withoutNeedless(await findExplanation(search), search)
  const replayed = await search.replay(choice)
  search.onProgress('trying every other decision')
  const known = { ...search, choice, replayed, scores: replayed.map(scoreOf) }
  const verdicts: AssumptionVerdict[] = []
  for (const entry of assumptions) verdicts.push(await verdictOn(entry, known))
  return { replayed, verdicts }
}

/** The base with all that explains differences. */
async function findExplanation(search: Search): Promise<Choice> {
  const { replay, scoresOf, base, onProgress } = search
  let choice = base
  for (;;) {
    const replayed = await replay(choice)
    const scores = replayed.map(scoreOf)
    const count = scores.filter((score) => score > 0).length
    if (count === 0) return choice
    onProgress(`${count} of ${scores.length} answers differ`)
    const groups = await findHelping({ ...search, choice, replayed, scores })
    if (groups.length === 0) return choice
    for (const group of groups) {
      const wider = withDecisions(choice, ...group)
      if (isBetter(await scoresOf(wider), await scoresOf(choice))) choice = wider
    }
  }
}

/** How far a search has come: a choice, and what replaying with it came to. */
interface SearchState extends Search {
  readonly choice: Choice
  readonly replayed: readonly Replayed[]
  readonly scores: Scores
}

/** The decisions that help alone, the best first; else two that do together, one of which changes an answer that differs. */
async function findHelping(known: SearchState): Promise<readonly Decision[][]> {
  const { replay, scoresOf, choice, scores, replayed } = known
  const all = otherDecisions(choice, known.decisions)
  const single: { readonly group: Decision[]; readonly left: number }[] = []
  for (const decision of all) {
    const its = await scoresOf(withDecisions(choice, decision), scores)
    if (isBetter(its, scores)) single.push({ group: [decision], left: sumOfScores(its) })
  }
  if (single.length > 0) {
    return single.sort((one, other) => one.left - other.left).map(({ group }) => group)
  }
  for (const one of all) {
    if (!changesAnswers(await replay(withDecisions(choice, one)), replayed)) continue
    for (const other of all) {
      if (one.slug === other.slug) continue
      const both = withDecisions(choice, one, other)
      if (isBetter(await scoresOf(both, scores), scores)) return [[one, other]]
    }
  }
  return []
}

/** The choice without what can be as it was before, with no more differences. */
async function withoutNeedless(choice: Choice, { scoresOf, base }: Search): Promise<Choice> {
  let least = choice
  for (const [slug, value] of base) {
    if (isSameValue(choice.get(slug), value)) continue
    const without = withDecisions(least, { slug, value })
    if (isNoWorse(await scoresOf(without), await scoresOf(least))) least = without
  }
  return least
}

async function verdictOn(
  entry: (typeof assumptions)[number],
  known: SearchState,
): Promise<AssumptionVerdict> {
  const { slug } = entry
  const [value, before] = [known.choice, known.base].map((each) => each.get(slug) ?? null)
  const { shownBy, fitting } = await otherValues(slug, known)
  const isContradicted = !isSameValue(value, before)
  const resting = known.replayed.filter(
    ({ assumptions: named }, at) => named.includes(slug) || shownBy.includes(at),
  )
  const agreeing = resting.filter(({ differences }) => differences.length === 0).length
  // An answer that differs in any case proves nothing, and fits nothing.
  const proof = isContradicted ? shownBy : shownBy.filter((at) => known.scores[at] === 0)
  const fits = agreeing > 0 ? fitting : []
  const alsoFits = isContradicted ? [...(await findAlternatives(slug, known)), ...fitting] : fits
  const proving = entry.otherwise === null ? agreeing : proof.length
  const isConfirmed = proving > 0 && alsoFits.length === 0
  const seen = resting.length > 0 ? 'undecided' : 'not_seen'
  const fit = isConfirmed ? 'confirmed' : seen
  return {
    ...{ slug, verdict: isContradicted ? 'contradicted' : fit, setting: settingOf(entry) },
    ...{ value, before, agreeing, also_fits: alsoFits },
    other_values_may_fit: !isClosed(entry, value),
    shown_by: proof.map((index) => index + 1),
  }
}

/** The other values of an assumption: those that fit as well, and the exchanges that would differ with the others. */
async function otherValues(slug: Decision['slug'], known: SearchState) {
  const { choice, base, scores, scoresOf, decisions } = known
  const shownBy = new Set<number>()
  const fitting: Decision[] = []
  const isContradicted = !isSameValue(choice.get(slug), base.get(slug))
  for (const decision of otherDecisions(choice, decisions)) {
    if (decision.slug !== slug) continue
    const after = await scoresOf(withDecisions(choice, decision))
    const worse = after.flatMap((score, at) => (score > (scores[at] ?? 0) ? at : []))
    if (worse.length === 0) fitting.push(decision)
    // Of a contradicted assumption, only what refutes its former value counts.
    if (isContradicted && !isSameValue(decision.value, base.get(slug))) continue
    for (const at of worse) shownBy.add(at)
  }
  return { shownBy: [...shownBy].sort((one, other) => one - other), fitting }
}

/** The decisions on other assumptions that explain what this one does. */
async function findAlternatives(slug: Decision['slug'], known: SearchState): Promise<Decision[]> {
  const { choice, base, scores, scoresOf, decisions } = known
  const without = withDecisions(choice, { slug, value: base.get(slug) })
  const fitting: Decision[] = []
  for (const decision of otherDecisions(without, decisions)) {
    if (decision.slug === slug) continue
    const both = withDecisions(without, decision)
    if (isNoWorse(await scoresOf(both, scores), scores)) fitting.push(decision)
  }
  return fitting
}

function otherDecisions(choice: Choice, decisions: readonly Decision[]): Decision[] {
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

function isBetter(after: Scores, before: Scores): boolean {
  return isNoWorse(after, before) && sumOfScores(after) < sumOfScores(before)
}

function sumOfScores(scores: Scores): number {
  return scores.reduce((sum, score) => sum + score, 0)
}

/** Whether an answer that differed is another one now. */
function changesAnswers(after: readonly Replayed[], before: readonly Replayed[]): boolean {
  return before.some(
    ({ differences }, at) =>
      differences.length > 0 && !isSameValue(differences, after[at]?.differences),
  )
}
