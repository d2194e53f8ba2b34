/** The matrix of the broker, which `can-i-deploy` asks. */
import type * as z from 'zod'
import {
  type MatrixQuery,
  type MatrixRow,
  type MatrixSelector,
  matrix,
  namesOf,
} from '../../pacts/matrix.ts'
import type { VersionSelector } from '../../pacts/selection.ts'
import { fieldsRefused } from '../../surface/field-problems.ts'
import { ok, route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import { Matrix, MatrixParameters } from '../../wire/pact-matrix.ts'
import { find } from '../../world/answer.ts'
import { addressed, brokerOperation, HAL, publishedIn } from './broker-calls.ts'
import { BROKER, pactPath, presentResult, versionPath } from './broker-resources.ts'

export const brokerMatrixRoutes = [
  route({
    ...brokerOperation,
    operationId: 'retrieveMatrix',
    method: 'get',
    path: `${BROKER}/matrix`,
    summary: 'Find out whether a version can be deployed',
    description:
      'As `can-i-deploy` asks: each `q[][pacticipant]` begins a selector, and the other parts of `q[]` after it belong to it. With `latest` all others that have a pact with it count too, by their newest version, or the newest of `tag`, of `branch` or of the main branch. Deployments are not recorded, so `environment` is refused.',
    query: MatrixParameters,
    replies: {
      200: { description: 'The matrix.', schema: Matrix, mediaType: HAL, source: 'sandbox' },
    },
    refusals: ['not_found'],
    answer: async ({ query, c }) => {
      const published = await publishedIn(c)
      const names = namesOf(published)
      for (const id of query['q[][pacticipant]']) {
        orThrow(find(names, { field: 'q[][pacticipant]', id }))
      }
      const { rows, summary } = matrix(published, matrixQueryOf(c.req.url, query))
      const notices = [{ type: noticeTypes[`${summary.deployable}`], text: summary.reason }]
      return ok(addressed(c, { summary, notices, matrix: rows.map(presentRow) }))
    },
  }),
]

/** How a command line shows each verdict. */
const noticeTypes = { true: 'success', false: 'error', null: 'warning' } as const

/** Which parameter of a selector says what. */
type Part = readonly [name: string, value: string]

/** The question that a query string asks. Throws 400 where a part belongs to no selector. */
function matrixQueryOf(url: string, query: z.output<typeof MatrixParameters>): MatrixQuery {
  const parts = [...new URL(url).searchParams]
  const { tag, branch } = query
  const [latest, mainBranch] = [query.latest === 'true', query.mainBranch === 'true']
  const others: VersionSelector = { latest, tag, branch, mainBranch }
  const isOpen = Object.values(others).some(Boolean)
  return {
    selectors: groupsOf(parts, 'q').map(selectorOf),
    others: isOpen ? { ...others, latest: true } : null,
    ignored: groupsOf(parts, 'ignore').map(selectorOf),
  }
}

/** The parts of each selector: a pacticipant begins one. The order of the query string is all that tells them apart. */
function groupsOf(parts: readonly Part[], list: string): Part[][] {
  const groups: Part[][] = []
  for (const [name, value] of parts) {
    if (!name.startsWith(`${list}[][`)) continue
    const part = [name.slice(list.length + 3, -1), value] as const
    const group = groups.at(-1)
    if (part[0] === 'pacticipant') groups.push([part])
    else if (group?.every(([before]) => before !== part[0])) group.push(part)
    else {
      const message = `${name} must come once after each ${list}[][pacticipant]; got one more.`
      throw fieldsRefused([{ field: name, message }])
    }
  }
  return groups
}

function selectorOf(parts: readonly Part[]): MatrixSelector {
  const texts: Readonly<Record<string, string | undefined>> = Object.fromEntries(parts)
  const { pacticipant = '', version, tag, branch } = texts
  const [latest, mainBranch] = [texts['latest'] === 'true', texts['mainBranch'] === 'true']
  return { pacticipant, version, tag, branch, latest, mainBranch }
}

function presentRow({ pact, providerVersion, result }: MatrixRow) {
  const { consumer, provider, version } = pact
  return {
    consumer: { name: consumer, version: presentNumber(consumer, version) },
    provider: {
      name: provider,
      version: providerVersion === null ? null : presentNumber(provider, providerVersion),
    },
    pact: { createdAt: pact.at, _links: { self: { href: pactPath(pact) } } },
    verificationResult: result === null ? null : presentResult(pact, result),
  }
}

function presentNumber(pacticipant: string, number: string) {
  return { number, _links: { self: { href: versionPath({ pacticipant, number }) } } }
}
