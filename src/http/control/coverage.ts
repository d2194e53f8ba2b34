/** Coverage: what of the documented surface somebody asked for, and what nobody did. */
import { CONSUMERS_MAX } from '../../sandbox/coverage.ts'
import { endpoints, reply } from '../../surface/declarations.ts'
import { noContent, ok, route } from '../../surface/operation.ts'
import { CoverageQuery, CoverageScope, WireCoverage } from '../../wire/sandbox/coverage.ts'

const { get, remove } = endpoints('Requests')

const { 200: answered } = reply.ok('The coverage.', WireCoverage)

export const coverageRoutes = [
  route({
    ...get('/sandbox/coverage', 'retrieveCoverage'),
    summary: 'Retrieve the coverage',
    description: `Returns which operations, statuses, transitions and so on of /v1 were used, in total and for each value of the header Sandbox-Consumer, and which no consumer used. It is counted in memory, from the start of the process or from the last deletion of the coverage; a reset does not change it. The first ${CONSUMERS_MAX} consumers are counted separately. The field \`ok\` says whether all thresholds are met; the status is 200 in both cases. With \`how\`, the answer has commands that show what was not seen.`,
    query: CoverageQuery,
    replies: { 200: { ...answered, textTypes: ['text/plain'] } },
    answer: async ({ query, c }) => {
      // Loaded when it is needed: what there is to be covered is read from a whole document.
      const { coverageReport } = await import('./coverage-report.ts')
      const [server, sandbox] = [c.get('server'), c.get('sandbox')]
      const isAll = query.sandboxes === 'all'
      const report = coverageReport(isAll ? server.registry.coverage() : sandbox.coverage, query)
      if (query.format === 'json') return ok(report)
      const { coverageTables } = await import('./coverage-text.ts')
      return c.body(coverageTables(report), 200, { 'Content-Type': 'text/plain; charset=utf-8' })
    },
  }),
  route({
    ...remove('/sandbox/coverage', 'deleteCoverage'),
    summary: 'Delete the coverage',
    description: 'Deletes the coverage. Counting begins again at zero.',
    query: CoverageScope,
    replies: { 204: { description: 'The coverage is deleted.', schema: null, source: 'sandbox' } },
    answer: ({ query, c }) => {
      if (query.sandboxes === 'all') c.get('server').registry.clearCoverage()
      else c.get('sandbox').coverage.clear()
      return noContent()
    },
  }),
]
