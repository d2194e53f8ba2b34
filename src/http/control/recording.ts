/** The recording of a sandbox, as a script that anybody can run: a bug report. */
import * as z from 'zod'
import { RECORDING_BYTES, RECORDING_CALLS } from '../../sandbox/call-recording.ts'
import { endpoints } from '../../surface/declarations.ts'
import { route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import { RecordingQuery } from '../../wire/sandbox/recording.ts'
import { asCurl } from '../recording/curl.ts'
import { asPytest } from '../recording/pytest.ts'
import { asJson, piecesOf, recordingOf } from '../recording/recording.ts'
import { asVitest } from '../recording/vitest.ts'
import { stream } from '../streamed.ts'

const formats = { json: asJson, curl: asCurl, vitest: asVitest, pytest: asPytest }

export const recordingRoutes = [
  route({
    ...endpoints('Requests').get('/sandbox/recording', 'exportRecording'),
    summary: 'Export a recording of the sandbox',
    description: `Exports the calls since the sandbox was created or reset that may have changed something, as a script or a test. It creates a new sandbox and repeats the calls, which gives the same state. A test for vitest or pytest calls methods of the library, compares statuses, amounts and codes of refusals, and counts requests from 1. In the shell script, after reads, a repeated call requests its original request id by the header Sandbox-Request-Id. Tokens and keys are replaced by those of the new sandbox; other secrets are masked. The recording is in memory, up to ${RECORDING_CALLS} calls and ${RECORDING_BYTES} bytes.`,
    query: RecordingQuery,
    replies: {
      200: {
        description: 'The recording, in the format of the request.',
        schema: z.string(),
        mediaType: 'text/plain',
        source: 'sandbox',
      },
    },
    refusals: ['recording_incomplete'],
    answer: async ({ query, c }) => {
      const sandbox = c.get('sandbox')
      const { registry } = c.get('server')
      const recording = orThrow(await recordingOf(sandbox, registry.fixtures))
      const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
      return stream(piecesOf(recording, formats[query.format]), headers)
    },
  }),
]
