/** The studies of `verify --vary` and `verify --mutate`, and their text in every report. */
import * as z from 'zod'

const place = { description: z.string(), line: z.int().min(1) }

export const VariationStudy = z.object({
  source: z.string(),
  tried: z.array(z.string()).meta({ description: 'The assumptions that were decided otherwise.' }),
  interactions: z.array(
    z.object({
      ...place,
      leans_on: z
        .array(z.string())
        .nullable()
        .meta({ description: 'Where it fails then; null where it fails without, too.' }),
    }),
  ),
})
export type VariationStudy = z.infer<typeof VariationStudy>

const Counted = z.object({
  mutations: z.int().meta({ description: 'How often its answer was changed.' }),
  noticed: z.int().meta({ description: 'How often it failed then.' }),
  fields: z.int().meta({ description: 'The fields of its answer.' }),
  unasserted: z
    .array(z.string())
    .meta({ description: 'The fields whose every change went unnoticed.' }),
  unnoticed: z.array(
    z.object({
      at: z.string().meta({ description: 'The field; empty for the answer as a whole.' }),
      change: z.enum(['status', 'dropped', 'type', 'value']),
    }),
  ),
})

export const StrengthStudy = z.object({
  source: z.string(),
  mutations: z.int(),
  noticed: z.int(),
  interactions: z.array(
    z.object({
      ...place,
      strength: Counted.nullable().meta({ description: 'Null where it fails as it is.' }),
    }),
  ),
})
export type StrengthStudy = z.infer<typeof StrengthStudy>

/** The studies of a report; absent if they were not requested. */
interface Studies {
  readonly variations?: readonly VariationStudy[] | undefined
  readonly strength?: readonly StrengthStudy[] | undefined
}

/** The findings of the studies, a block of lines for each pact and study; of one pact only where `source` names it. */
export function studyTexts(
  { variations = [], strength = [] }: Studies,
  source?: string,
): string[][] {
  const isMeant = (study: { readonly source: string }) => {
    return source === undefined || study.source === source
  }
  return [
    ...variations.filter(isMeant).map(variationLines),
    ...strength.filter(isMeant).map(strengthLines),
  ]
}

/** What each interaction of one pact rests on. */
function variationLines({ source, tried, interactions }: VariationStudy): string[] {
  const head = `${source} under ${tried.length} variations`
  if (interactions.every(({ leans_on }) => leans_on?.length === 0)) {
    return [`${head}: every interaction holds under each`]
  }
  const lines = interactions.map(({ description, leans_on }) => {
    if (leans_on === null) return `  ${description}: fails without a variation, too`
    const found = leans_on.length === 0 ? 'holds under each' : `fails under ${leans_on.join(', ')}`
    return `  ${description}: ${found}`
  })
  return [head, ...lines]
}

/** Which changes of its answers one pact does not notice. */
function strengthLines({ source, mutations, noticed, interactions }: StrengthStudy): string[] {
  return [
    `${source} notices ${noticed} of ${mutations} changes of its answers${percent(noticed, mutations)}`,
    ...interactions.map(({ description, strength }) => `  ${description}: ${sentenceOf(strength)}`),
  ]
}

function sentenceOf(strength: StrengthStudy['interactions'][number]['strength']): string {
  if (strength === null) return 'fails as it is, so that nothing was changed'
  const { mutations, noticed, fields, unasserted } = strength
  const said =
    unasserted.length === 0
      ? `asserts something about all of its ${fields} fields`
      : `asserts nothing about ${unasserted.length} of ${fields} fields (${unasserted.join(', ')})`
  return `${noticed} of ${mutations} noticed; ${said}`
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '' : ` (${Math.round((100 * part) / whole)} %)`
}
