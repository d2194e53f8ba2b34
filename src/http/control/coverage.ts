/** Coverage: what of the documented surface somebody asked for, and what nobody did. */
import type { Context } from 'hono'
import { CONSUMERS_MAX, type Coverage } from '../../sandbox/coverage.ts'
import { answers, endpoints } from '../../surface/declarations.ts'
import { noContent, ok, route } from '../../surface/operation.ts'
import { CoverageQuery, CoverageScope, WireCoverage } from '../../wire/coverage.ts'

const { get, remove } = endpoints('Requests')

const { 200: answered } = answers('What was seen, and what was not.', WireCoverage)

export const coverageRoutes = [
  route({
    ...get('/sandbox/coverage', 'retrieveCoverage'),
    summary: 'Retrieve the coverage',
    description: `What of /v1 was asked for, by the header Sandbox-Consumer and in sum, and what no consumer uses. Counted in memory since the start, or since it was deleted: a reset leaves it as it is. The first ${CONSUMERS_MAX} consumers are told apart. Whether thresholds are met is said by \`ok\`, and not by the status.`,
    query: CoverageQuery,
    replies: { 200: { ...answered, textTypes: ['text/plain'] } },
    answer: async ({ query, c }) => {
      // Loaded when it is needed: what there is to be covered is read from a whole document.
      const { coverageReport } = await import('./coverage-report.ts')
      const report = coverageReport(coverageOf(c, query.sandboxes), query)
      if (query.format === 'json') return ok(report)
      const { coverageTables } = await import('./coverage-text.ts')
      return c.body(coverageTables(report), 200, { 'Content-Type': 'text/plain; charset=utf-8' })
    },
  }),
  route({
    ...remove('/sandbox/coverage', 'deleteCoverage'),
    summary: 'Delete the coverage',
    description: 'Counting starts anew.',
    query: CoverageScope,
    replies: { 204: { description: 'Nothing is counted.', schema: null, source: 'sandbox' } },
    answer: ({ query, c }) => {
      if (query.sandboxes === 'all') c.get('server').registry.clearCoverage()
      else c.get('sandbox').coverage.clear()
      return noContent()
    },
  }),
]

function coverageOf(c: Context, sandboxes: CoverageScope['sandboxes']): Pick<Coverage, 'rows'> {
  return sandboxes === 'all' ? c.get('server').registry.coverage() : c.get('sandbox').coverage
}
