/**
 * A broker of one pact, which the Pact core talks to in place of the real one. So the core decides on pending pacts and
 * writes the result that is published, while each pact still has a separate sandbox and report, and neither
 * credentials, certificates nor proxies reach the process of the core.
 */
import { text as textOf } from 'node:stream/consumers'
import { leadsToSecret } from '../../masking/looks.ts'
import { MASK, maskText } from '../../masking/mask.ts'
import { CannotVerify } from '../common/failure.ts'
import { jsonIn } from '../common/json.ts'
import { listenOnLoopback } from '../common/loopback-server.ts'
import type { Broker, BrokerAnswer, BrokerRequest } from '../pacts/broker-client.ts'
import type { PactFile } from '../pacts/pact-file.ts'

export type Publication = ReturnType<typeof publicationTo>

const HAL = 'application/hal+json'

const hal = (body: object): BrokerAnswer => ({ status: 200, type: HAL, text: JSON.stringify(body) })

/** A pact as the core gets it. */
type Relayed = Required<Pick<PactFile, 'provider' | 'offered' | 'text'>>

/** Serves one pact to the core; nothing can be published without a publication. */
export async function startRelay({ provider, offered, text }: Relayed, publication?: Publication) {
  // The core asks for the path of a link, without its query.
  const { pathname } = new URL(offered._links.self.href, 'http://broker')
  const itself = { href: '/' }
  const links = hal({ _links: { self: itself, 'pb:provider-pacts-for-verification': itself } })
  const selected = hal({ _embedded: { pacts: [offered] } })
  const answerTo = async (request: BrokerRequest) => {
    if (request.path === '/') return request.method === 'POST' ? selected : links
    if (request.path === pathname && request.method === 'GET') return { ...selected, text }
    return publication?.take(request) ?? { ...hal({}), status: 404 }
  }
  const { url, close } = await listenOnLoopback(async (incoming, outgoing) => {
    const { method = 'GET', url: path = '/' } = incoming
    const body = await textOf(incoming).catch(() => null)
    // The core died while it asked.
    if (body === null) return
    const answer = await answerTo({ method, path, body })
    outgoing.writeHead(answer.status, { 'Content-Type': answer.type }).end(answer.text)
  })
  // The relay has selected already, but the core insists on selectors.
  const from = { provider, pactBrokerUrl: url, consumerVersionSelectors: [] }
  return { job: { ...from, enablePending: true, ...publication?.options }, close }
}

/** Where the core publishes the result of one pact, which goes to the broker only once its report is known. */
export function publicationTo(
  broker: Broker,
  /** Of the provider; null for no branch. */
  { version, branch }: { readonly version: string; readonly branch: string | null },
) {
  const held: BrokerRequest[] = []
  let failure = new CannotVerify('The Pact core published no result.')
  const options = { publishVerificationResult: true, providerVersion: version }
  const result = () => held.find(({ method }) => method === 'POST')
  return {
    options: { ...options, ...(branch !== null && { providerVersionBranch: branch }) },
    take: async (request: BrokerRequest) => {
      if (request.method !== 'GET') {
        held.push({ ...request, body: withoutAnsweredTokens(request.body ?? '') })
        return hal({})
      }
      try {
        const { method, path } = request
        const answer = await broker.send({ method, path })
        if (answer.status !== 200) failure = broker.refusal(request, answer)
        return answer
      } catch (error) {
        failure = error as CannotVerify
        return { ...hal({}), status: 404 }
      }
    },
    /** Whether the core's result is that every interaction passed. */
    isSuccess: () => Object(jsonIn(result()?.body ?? '')).success === true,
    /** Sends what the core published. Rejects with `CannotVerify` where the broker does not take it. */
    send: async () => {
      if (result() === undefined) throw failure
      for (const request of held) {
        const answer = await broker.send(request)
        if (answer.status >= 300) throw broker.refusal(request, answer)
      }
    },
  }
}

/** What the core publishes, without the tokens of answers: what it says of a mismatch quotes them. */
function withoutAnsweredTokens(body: string): string {
  const json = jsonIn(body)
  if (json === undefined) return body
  return JSON.stringify(json, (_, value) => {
    if (typeof value === 'string') return maskText(value)
    const isOfToken = leadsToSecret(String(Object(value).identifier))
    return isOfToken ? { ...value, description: MASK } : value
  })
}
