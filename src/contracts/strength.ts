/**
 * The strength of a pact: the answers that it holds with are changed, a field at a time, and the core says what of that
 * it notices. They are given from memory, so that neither states nor a provider are in the way.
 */
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { replayAnswers } from './answer-server.ts'
import { CannotVerify } from './failure.ts'
import { type Mutation, mutationsOf, type RecordedAnswer } from './mutations.ts'
import { isUnreadable, type PactFile, type PactInteraction, readPact } from './pact-file.ts'
import type { StrengthStudy } from './report/studies.ts'
import type { Replay } from './variations.ts'
import type { Verified } from './verify.ts'

type Strength = StrengthStudy['interactions'][number]['strength']

/** How many changed answers one run of the core is given: to start it takes as long as some fifty interactions. */
const BATCH = 200

export interface Mutating {
  readonly verify: (
    pact: PactFile,
    asked: { readonly url: string; readonly states: string | null },
  ) => Promise<Replay>
  readonly onProgress: (line: string) => void
}

/** Changes the answers to a pact; `base` is what it comes to with them unchanged. */
export async function strengthStudy(
  pact: PactFile,
  base: readonly Verified[],
  mutating: Mutating,
): Promise<StrengthStudy> {
  const positions = pact.interactions.map((_, position) => position)
  const sound = positions.filter((position) => base[position]?.result === 'passed')
  const answers = base.filter(({ result }) => result === 'passed').map(answerTo)
  const strengths = await strengthsOf(pactOf(pact, sound), answers, mutating)
  const interactions = pact.interactions.map(({ description, line }, position) => ({
    description,
    line,
    strength: strengths[sound.indexOf(position)] ?? null,
  }))
  const sum = (of: 'mutations' | 'noticed') => {
    return interactions.reduce((total, { strength }) => total + (strength?.[of] ?? 0), 0)
  }
  return { source: pact.source, mutations: sum('mutations'), noticed: sum('noticed'), interactions }
}

/** The strength of each interaction of a pact that holds. */
async function strengthsOf(
  pact: PactFile,
  answers: readonly RecordedAnswer[],
  mutating: Mutating,
): Promise<Strength[]> {
  const mutations = answers.map(mutationsOf)
  const all = mutations.flatMap((each, position) => each.map((change) => ({ position, change })))
  const unnoticed = new Set<Mutation>()
  for (let from = 0; from < all.length; from += BATCH) {
    mutating.onProgress(`changing answer ${from + 1} of ${all.length}`)
    const batch = all.slice(from, from + BATCH)
    const copies = batch.map(({ position }) => position)
    const changed = batch.map(({ change }) => change.answer)
    const results = await verifyAgainst(changed, pactOf(pact, copies), mutating)
    batch.forEach(({ change }, at) => {
      if (results[at]?.result === 'passed') unnoticed.add(change)
    })
  }
  return mutations.map((each) => counted(each, unnoticed))
}

/** The answer that an interaction holds with. */
function answerTo({ exchanges }: Verified): RecordedAnswer {
  const answer = exchanges.at(-1)?.answer
  if (answer == null) throw new Error('An interaction passed without an answer')
  const { status, headers, body } = answer
  return {
    status,
    headers: new Headers(headers.map(([name, value]) => [name, value])),
    body: new TextEncoder().encode(body),
  }
}

async function verifyAgainst(
  answers: readonly RecordedAnswer[],
  pact: PactFile,
  { verify }: Mutating,
): Promise<readonly Verified[]> {
  const server = await replayAnswers(answers)
  try {
    return accepted(await verify(pact, { url: server.url, states: null }))
  } finally {
    await server.close()
  }
}

function accepted(replay: Replay): readonly Verified[] {
  if ('refusal' in replay) throw new CannotVerify(replay.refusal)
  return replay
}

/** The same pact with these of its interactions, perhaps several times, each to the byte as it was written. */
function pactOf({ source, text, interactions }: PactFile, positions: readonly number[]): PactFile {
  const tree = parseTree(text)
  const nodeAt = (path: (string | number)[]) => {
    const node = tree && findNodeAtLocation(tree, path)
    if (node === undefined) throw new Error(`${source} has nothing at ${path.join('.')}`)
    return node
  }
  const textOf = ({ index }: PactInteraction) => {
    const { offset, length } = nodeAt(['interactions', index])
    return text.slice(offset, offset + length)
  }
  const texts = interactions.map(textOf)
  const list = nodeAt(['interactions'])
  const chosen = positions.map((position) => texts[position]).join(',')
  const rest = text.slice(list.offset + list.length)
  const read = readPact(source, `${text.slice(0, list.offset)}[${chosen}]${rest}`)
  if (isUnreadable(read)) throw new Error(`${source}: ${read[0]?.message}`)
  return read
}

function counted(all: readonly Mutation[], unnoticed: ReadonlySet<Mutation>): Strength {
  const fields = new Set(all.flatMap(({ at }) => (at === '' ? [] : [at])))
  const isUnnoticed = (field: string) => {
    const changes = all.filter(({ at }) => at === field)
    return changes.every((change) => unnoticed.has(change))
  }
  const passed = all.filter((change) => unnoticed.has(change))
  return {
    mutations: all.length,
    noticed: all.length - passed.length,
    fields: fields.size,
    unasserted: [...fields].filter(isUnnoticed),
    unnoticed: passed.map(({ at, change }) => ({ at, change })),
  }
}
