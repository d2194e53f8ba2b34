/**
 * Studies of a verified pact: which assumptions it rests on, and how many changes of its answers it notices. For the
 * second the core judges changed answers, which come from memory, without states and without a provider.
 */
import { listenOnLoopback } from '../common/loopback-server.ts'
import type { StrengthStudy, VariationStudy } from '../common/report-shape.ts'
import type { PactFile } from '../pacts/pact-file.ts'
import { type Mutation, mutationsOf } from './mutations.ts'
import type { Verified } from './verify.ts'

/** The number of changed answers for one run of the core, which reports no progress before its end. */
const BATCH = 200

/** Receives what is done next, and the number of the like before it. */
type OnProgress = (line: string, before: number) => void

interface Varying<Variation extends string> {
  /** The names of the assumptions with an alternative. */
  readonly variations: readonly Variation[]
  /** The positions of the interactions that fail against a provider that uses this alternative. */
  readonly failing: (variation: Variation) => Promise<readonly number[]>
  readonly onProgress: OnProgress
}

/** Replays a pact once for each variation; `base` is the result without any. */
export async function variationStudy<Variation extends string>(
  { source, interactions }: PactFile,
  base: readonly Verified[],
  { variations, failing, onProgress }: Varying<Variation>,
): Promise<VariationStudy> {
  const restsOn: Variation[][] = interactions.map(() => [])
  for (const [at, variation] of variations.entries()) {
    onProgress(`varying ${at + 1} of ${variations.length}: ${variation}`, at)
    for (const index of await failing(variation)) restsOn[index]?.push(variation)
  }
  return {
    source,
    tried: [...variations],
    interactions: interactions.map(({ description, line }, index) => ({
      description,
      line,
      rests_on: base[index]?.result === 'passed' ? (restsOn[index] ?? []) : null,
    })),
  }
}

interface Mutating {
  readonly verify: (
    pact: PactFile,
    asked: { readonly url: string; readonly states: string | null },
  ) => Promise<readonly Verified[]>
  readonly onProgress: OnProgress
}

/** Changes the answers to a pact; `base` is the result with unchanged answers. */
export async function strengthStudy(
  pact: PactFile,
  base: readonly Verified[],
  mutating: Mutating,
): Promise<StrengthStudy> {
  const mutations = base.map(({ result, exchanges }) => {
    if (result !== 'passed') return null
    const answer = exchanges.at(-1)?.answer
    if (answer == null) throw new Error('An interaction passed without an answer')
    return mutationsOf(answer)
  })
  const unnoticed = await unnoticedOf(pact, mutations, mutating)
  const interactions = pact.interactions.map(({ description, line }, position) => {
    const own = mutations[position] ?? null
    return { description, line, strength: own && countMutations(own, unnoticed) }
  })
  const sum = (of: 'mutations' | 'noticed') =>
    interactions.reduce((total, { strength }) => total + (strength?.[of] ?? 0), 0)
  return { source: pact.source, mutations: sum('mutations'), noticed: sum('noticed'), interactions }
}

/** The mutations under which an interaction still passes. */
async function unnoticedOf(
  pact: PactFile,
  mutations: readonly (readonly Mutation[] | null)[],
  { verify, onProgress }: Mutating,
): Promise<ReadonlySet<Mutation>> {
  const all = mutations.flatMap((each, position) =>
    (each ?? []).map((change) => ({ position, change })),
  )
  const unnoticed = new Set<Mutation>()
  for (let from = 0; from < all.length; from += BATCH) {
    onProgress(`changing answer ${from + 1} of ${all.length}`, from)
    const batch = all.slice(from, from + BATCH)
    const interactions = batch.flatMap(({ position }) => pact.interactions[position] ?? [])
    const server = await serveInOrder(batch.map(({ change }) => change))
    try {
      const results = await verify({ ...pact, interactions }, { url: server.url, states: null })
      batch.forEach(({ change }, at) => {
        if (results[at]?.result === 'passed') unnoticed.add(change)
      })
    } finally {
      await server.close()
    }
  }
  return unnoticed
}

/** Serves one changed answer after another, whatever the request: the n-th request is for the n-th interaction. */
function serveInOrder(mutations: readonly Mutation[]) {
  const left = mutations.values()
  return listenOnLoopback((_, outgoing) => {
    const { answer } = left.next().value ?? { answer: { status: 410, headers: [], body: '' } }
    // The body may be longer or shorter than it was.
    const headers = answer.headers.filter(([name]) => !/^content-length$/i.test(name))
    outgoing.writeHead(answer.status, headers.flat()).end(answer.body)
  })
}

function countMutations(all: readonly Mutation[], unnoticed: ReadonlySet<Mutation>) {
  const fields = new Set(all.flatMap(({ at }) => (at === '' ? [] : [at])))
  const passed = all.filter((change) => unnoticed.has(change))
  const noticed = new Set(all.filter((change) => !unnoticed.has(change)).map(({ at }) => at))
  return {
    mutations: all.length,
    noticed: all.length - passed.length,
    fields: fields.size,
    unasserted: [...fields].filter((field) => !noticed.has(field)),
    unnoticed: passed.map(({ at, change }) => ({ at, change })),
  }
}
