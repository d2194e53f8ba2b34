/**
 * The strength of a pact: its passing answers are changed, one field at a time, and the core says which changes it
 * notices. The answers come from memory, without states and without a provider.
 */
import { replayAnswers } from './answer-server.ts'
import { type Mutation, mutationsOf } from './mutations.ts'
import type { PactFile } from './pact-file.ts'
import type { ProviderAnswer } from './recorder.ts'
import type { StrengthStudy } from './report/studies.ts'
import type { Verified } from './verify.ts'

type Strength = StrengthStudy['interactions'][number]['strength']

/** The number of changed answers for one run of the core, which reports no progress before its end. */
const BATCH = 200

export interface Mutating {
  readonly verify: (
    pact: PactFile,
    asked: { readonly url: string; readonly states: string | null },
  ) => Promise<readonly Verified[]>
  readonly onProgress: (line: string) => void
}

/** Changes the answers to a pact; `base` is the result with unchanged answers. */
export async function strengthStudy(
  pact: PactFile,
  base: readonly Verified[],
  mutating: Mutating,
): Promise<StrengthStudy> {
  const mutations = base.map((each) => {
    return each.result === 'passed' ? mutationsOf(answerTo(each)) : null
  })
  const unnoticed = await unnoticedOf(pact, mutations, mutating)
  const interactions = pact.interactions.map(({ description, line }, position) => {
    const own = mutations[position] ?? null
    return { description, line, strength: own && counted(own, unnoticed) }
  })
  const sum = (of: 'mutations' | 'noticed') => {
    return interactions.reduce((total, { strength }) => total + (strength?.[of] ?? 0), 0)
  }
  return { source: pact.source, mutations: sum('mutations'), noticed: sum('noticed'), interactions }
}

/** The mutations under which an interaction still passes. */
async function unnoticedOf(
  pact: PactFile,
  mutations: readonly (readonly Mutation[] | null)[],
  mutating: Mutating,
): Promise<ReadonlySet<Mutation>> {
  const all = mutations.flatMap((each, position) => {
    return (each ?? []).map((change) => ({ position, change }))
  })
  const unnoticed = new Set<Mutation>()
  for (let from = 0; from < all.length; from += BATCH) {
    mutating.onProgress(`changing answer ${from + 1} of ${all.length}`)
    const batch = all.slice(from, from + BATCH)
    const copies = batch.flatMap(({ position }) => pact.interactions[position] ?? [])
    const changed = batch.map(({ change }) => change.answer)
    const results = await verifyAgainst(changed, { ...pact, interactions: copies }, mutating)
    batch.forEach(({ change }, at) => {
      if (results[at]?.result === 'passed') unnoticed.add(change)
    })
  }
  return unnoticed
}

/** The answer with which an interaction passed. */
function answerTo({ exchanges }: Verified): ProviderAnswer {
  const answer = exchanges.at(-1)?.answer
  if (answer == null) throw new Error('An interaction passed without an answer')
  return answer
}

async function verifyAgainst(
  answers: readonly ProviderAnswer[],
  pact: PactFile,
  { verify }: Mutating,
): Promise<readonly Verified[]> {
  const server = await replayAnswers(answers)
  try {
    return await verify(pact, { url: server.url, states: null })
  } finally {
    await server.close()
  }
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
