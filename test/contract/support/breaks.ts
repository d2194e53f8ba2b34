/** Planted breaks: copies of a pact in which one interaction expects what no provider answers. */
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { publishedPact } from './published.ts'

interface Response {
  status: number
  headers: Record<string, string[]>
  body: { content: Record<string, unknown> }
  matchingRules?: Record<string, Record<string, unknown>>
}

interface WireInteraction {
  readonly description: string
  readonly response: Response
}

const breaks = {
  status(response: Response) {
    response.status = 418
    delete response.matchingRules?.['status']
  },
  field(response: Response) {
    response.body.content['never_there'] = 'a value'
  },
  type(response: Response) {
    const field = Object.keys(response.body.content)[0] ?? ''
    response.body.content[field] = ['a list']
    const byType = { combine: 'AND', matchers: [{ match: 'type' }] }
    response.matchingRules = {
      ...response.matchingRules,
      body: { ...response.matchingRules?.['body'], [`$.${field}`]: byType },
    }
  },
  header(response: Response) {
    response.headers['Never-There'] = ['a value']
  },
} satisfies Record<string, (response: Response) => void>

const breakKinds = Object.keys(breaks) as (keyof typeof breaks)[]

/** A copy with one broken interaction and, beside it, one that is sound. */
interface Planted {
  readonly file: string
  /** The description of the broken one. */
  readonly broken: string
}

/** Plants the n-th kind of break into a copy of a published pact. */
export async function plantBreak(source: string, folder: string, nth = 0): Promise<Planted> {
  const { document } = await publishedPact(source)
  const copy = structuredClone(document) as { interactions: WireInteraction[] }
  const { length } = copy.interactions
  const kind = breakKinds[nth % breakKinds.length] ?? 'status'
  const index = nth % length
  const [broken, sound] = [copy.interactions[index], copy.interactions[(index + 1) % length]]
  if (broken === undefined || sound === undefined) throw new Error(`${source} has too little`)
  breaks[kind](broken.response)
  const file = join(folder, `${kind}-${basename(source)}`)
  await writeFile(file, JSON.stringify({ ...copy, interactions: [broken, sound] }))
  return { file, broken: broken.description }
}
