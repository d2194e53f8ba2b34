/**
 * A Pact Broker's double on a port of loopback: its index, pacts for verification, pacts, and results, in HAL as the
 * documentation and the source of the Pact Broker have them.
 */
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { serveHttp } from './providers.ts'

/** A pact that a version of a consumer published. */
interface Published {
  readonly consumer: string
  readonly version?: string
  readonly branch: string
  /** The day of its publication, such as 2026-11-01. */
  readonly on?: string
  readonly isDeployed?: boolean
  /** The branches of the provider that have verified it. */
  readonly verifiedBy?: readonly string[]
  readonly text: string
}

interface Selector {
  readonly mainBranch?: true
  readonly matchingBranch?: true
  readonly deployedOrReleased?: true
  readonly branch?: string
  readonly consumer?: string
  readonly latest?: boolean
}

interface Query {
  readonly consumerVersionSelectors?: readonly Selector[]
  readonly includePendingStatus?: boolean
  readonly includeWipPactsSince?: string
  readonly providerVersionBranch?: string
}

interface Options {
  /** The value of `Authorization` that it asks for. */
  readonly authorization?: string
  /** Refuses to store results, with this status. */
  readonly refusesResults?: number
}

/** What was published to it: a branch of a version of the provider, or the result of a verification. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly body: Record<string, unknown>
}

const PROVIDER = 'subscription-service'
const FOR_VERIFICATION = `/pacts/provider/${PROVIDER}/for-verification`
const PACT = '/pacts/provider/:provider/consumer/:consumer/pact-version/:at/metadata/:data'
const READ_MORE = 'Read more at https://docs.pact.io/go/pending'

export async function servePactBroker(pacts: readonly Published[], options: Options = {}) {
  const sent: Sent[] = []
  const asked: string[] = []
  const queries: Query[] = []
  const app = new Hono()
  const server = await serveHttp(getRequestListener(app.fetch))
  const { url } = server
  const hal = (body: object, status = 200) => {
    const headers = { 'Content-Type': 'application/hal+json;charset=utf-8' }
    return new Response(JSON.stringify(body), { status, headers })
  }
  const keep = async ({ req: { method, path, raw } }: Context) => {
    sent.push({ method, path, body: (await raw.json()) as Sent['body'] })
    return hal({ _links: {} }, 201)
  }
  app.use(async ({ req }, next) => {
    asked.push(`${req.method} ${req.header('host')}${req.path}`)
    const { authorization = req.header('authorization') } = options
    if (req.header('authorization') === authorization) return next()
    return new Response(null, { status: 401, headers: { 'WWW-Authenticate': 'Basic' } })
  })
  app.get('/', () => hal(index(url)))
  app.get(FOR_VERIFICATION, () => hal(selected(pacts, {}, url)))
  app.post(FOR_VERIFICATION, async ({ req }) => {
    const query = await req.json<Query>()
    queries.push(query)
    const errors = errorsIn(query)
    const refusal = { errors: { consumerVersionSelectors: errors } }
    return errors.length > 0 ? hal(refusal, 400) : hal(selected(pacts, query, url))
  })
  app.get(PACT, ({ req }) => {
    const pact = pacts[Number(req.param('at'))]
    return pact === undefined ? hal({}, 404) : hal(withLinks(pact, req.path, url))
  })
  app.post(`${PACT}/verification-results`, async (context) => {
    const { refusesResults: status } = options
    return status === undefined
      ? keep(context)
      : hal({ errors: { success: ['is missing'] } }, status)
  })
  app.get(`/pacticipants/${PROVIDER}`, () => hal(pacticipant(url)))
  app.put('/pacticipants/:name/branches/:branch/versions/:version', keep)
  return { ...server, sent, asked, queries }
}

function index(base: string) {
  const href = `${base}/pacts/provider/{provider}/for-verification`
  return { _links: { 'pb:provider-pacts-for-verification': { href, templated: true } } }
}

function pacticipant(base: string) {
  const href = `${base}/pacticipants/${PROVIDER}/branches/{branch}/versions/{version}`
  return { name: PROVIDER, _links: { 'pb:branch-version': { href, templated: true } } }
}

/** A pact as the broker serves it: with its links, and an identifier for each interaction. */
function withLinks({ text }: Published, path: string, base: string) {
  const document = JSON.parse(text) as { readonly interactions: readonly object[] }
  return {
    ...document,
    createdAt: '2026-11-01T10:00:00+00:00',
    interactions: document.interactions.map((each, at) => ({ ...each, _id: `interaction-${at}` })),
    _links: {
      self: { title: 'Pact', href: `${base}${path}` },
      'pb:provider': { title: 'Provider', href: `${base}/pacticipants/${PROVIDER}` },
      'pb:publish-verification-results': {
        title: 'Results',
        href: `${base}${path}/verification-results`,
      },
    },
  }
}

function errorsIn({ consumerVersionSelectors = [] }: Query): string[] {
  return consumerVersionSelectors.flatMap((selector, at) => {
    const { consumer: _, ...others } = selector
    return Object.keys(others).length > 0
      ? []
      : [`must specify a value for environment or tag or branch (at index ${at})`]
  })
}

function selected(pacts: readonly Published[], query: Query, base: string) {
  const { consumerVersionSelectors: selectors = [], includeWipPactsSince: since } = query
  const { providerVersionBranch: branch, includePendingStatus } = query
  const isPending = ({ verifiedBy = [] }: Published) => !verifiedBy.includes(branch ?? '')
  const entries = pacts.flatMap((pact, at) => {
    const { consumer, version = '1.0', on = '2026-11-01' } = pact
    const isSelected = selectors.some((selector) => isOf(pact, selector, branch))
    const isWip =
      !isSelected && since !== undefined && branch !== undefined && on >= since && isPending(pact)
    if (!isSelected && !isWip) return []
    const href = `${base}/pacts/provider/${PROVIDER}/consumer/${encodeURIComponent(consumer)}/pact-version/${at}/metadata/c3Q`
    const pending = isPending(pact)
    const notices = noticesOf({ href, isWip, pending, isPendingAsked: includePendingStatus })
    const properties = { ...(includePendingStatus && { pending }), ...(isWip && { wip: true }) }
    return {
      shortDescription: `latest from branch ${pact.branch}`,
      verificationProperties: { ...properties, notices },
      _links: { self: { href, name: `Pact between ${consumer} (${version}) and ${PROVIDER}` } },
    }
  })
  const self = { href: `${base}/pacts/provider/${PROVIDER}/for-verification` }
  return { _embedded: { pacts: entries }, _links: { self } }
}

function isOf(pact: Published, selector: Selector, branch?: string): boolean {
  if (selector.consumer !== undefined && selector.consumer !== pact.consumer) return false
  if (selector.mainBranch) return pact.branch === 'main'
  if (selector.matchingBranch) return pact.branch === branch
  if (selector.deployedOrReleased) return pact.isDeployed ?? false
  return selector.branch === undefined || selector.branch === pact.branch
}

interface Reasons {
  readonly href: string
  readonly isWip: boolean
  readonly pending: boolean
  readonly isPendingAsked?: boolean | undefined
}

function noticesOf({ href, isWip, pending, isPendingAsked }: Reasons) {
  const why = isWip
    ? "it is a 'work in progress' pact"
    : "the pact content belongs to the consumer version matching the following criterion:\n    * latest version from branch 'main'"
  const before = {
    when: 'before_verification',
    text: `The pact at ${href} is being verified because ${why}`,
  }
  if (!isPendingAsked) return [before]
  if (!pending) {
    const text = `This pact has previously been successfully verified. If this verification fails, it will fail the build. ${READ_MORE}`
    return [before, { when: 'before_verification', text }]
  }
  const after = (when: string, text: string) => ({ when: `after_verification:${when}`, text })
  return [
    before,
    { when: 'before_verification', text: `This pact is in pending state. ${READ_MORE}` },
    after('success_true_published_false', 'This pact is still in pending state, unpublished.'),
    after('success_false_published_false', 'This pact is still in pending state, as it failed.'),
    after('success_true_published_true', 'This pact is no longer in pending state.'),
    after('success_false_published_true', 'This pact is still in pending state, published.'),
  ]
}
