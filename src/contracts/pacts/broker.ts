/** Which pacts of a Pact Broker are to be verified, and their texts. Links are followed by their paths, as the core does. */
import * as z from 'zod'
import { CannotVerify } from '../common/failure.ts'
import { jsonIn } from '../common/json.ts'
import { type Broker, Offered } from './broker-client.ts'
import { isUnreadable, readPact } from './pact-file.ts'
import type { PactSource } from './sources.ts'

/** What the broker is asked for: its pacts for verification. */
export interface Selection {
  /** The name that the provider has there. */
  readonly provider: string
  /** Consumer version selectors; what they may say is the broker's to decide. */
  readonly selectors: readonly object[]
  /** The branch of the provider; null for none. */
  readonly branch: string | null
  /** Whether it is to say which pacts are pending. */
  readonly enablePending: boolean
  /** The day from which it adds work in progress, such as 2026-11-01; null for none. */
  readonly wipSince: string | null
}

const RELATION = 'pb:provider-pacts-for-verification'
const Index = z.object({ _links: z.object({ [RELATION]: z.object({ href: z.string() }) }) })
const Pacts = z.object({ _embedded: z.object({ pacts: z.array(Offered) }) })

/** The pacts that a broker has for verification, to be read. Rejects with `CannotVerify` where it does not say. */
export async function pactsOfBroker(broker: Broker, selection: Selection): Promise<PactSource[]> {
  const { href } = await linkOf(broker)
  const path = pathOf(href.replaceAll('{provider}', encodeURIComponent(selection.provider)), broker)
  const request = { method: 'POST', path, body: JSON.stringify(queryOf(selection)) }
  const answer = await broker.send(request)
  // It does not know the provider, so nobody has published a pact with it.
  if (answer.status === 404) return []
  if (answer.status !== 200) throw broker.refusal(request, answer)
  const pacts = Pacts.safeParse(jsonIn(answer.text))
  if (!pacts.success) throw new CannotVerify(`${broker.url}${path} lists no pacts.`)
  return pacts.data._embedded.pacts.map((offered) => sourceOf(offered, broker))
}

async function linkOf(broker: Broker) {
  const request = { method: 'GET', path: new URL(broker.url).pathname }
  const answer = await broker.send(request)
  if (answer.status !== 200) throw broker.refusal(request, answer)
  const index = Index.safeParse(jsonIn(answer.text))
  if (index.success) return index.data._links[RELATION]
  throw new CannotVerify(`${broker.url} is no Pact Broker: its answer has no link ${RELATION}.`)
}

function queryOf({ selectors, branch, enablePending, wipSince }: Selection) {
  return {
    consumerVersionSelectors: selectors,
    includePendingStatus: enablePending,
    ...(branch !== null && { providerVersionBranch: branch }),
    ...(wipSince !== null && { includeWipPactsSince: wipSince }),
  }
}

function sourceOf(offered: Offered, broker: Broker): PactSource {
  const { href } = offered._links.self
  const read = async () => {
    const request = { method: 'GET', path: pathOf(href, broker) }
    const answer = await broker.send(request)
    if (answer.status !== 200) throw broker.refusal(request, answer)
    const pact = readPact(href, answer.text)
    if (isUnreadable(pact)) return pact
    const { pending } = offered.verificationProperties
    const mark = <Each extends { readonly isPending: boolean }>(each: Each) => {
      return { ...each, isPending: each.isPending || pending }
    }
    const { interactions, foreign } = pact
    return { ...pact, interactions: interactions.map(mark), foreign: foreign.map(mark), offered }
  }
  return { source: href, read }
}

function pathOf(href: string, { url }: Pick<Broker, 'url'>): string {
  const { pathname, search } = new URL(href, url)
  return `${pathname}${search}`
}
