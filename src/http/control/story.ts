/** The story of a sandbox, as a script that anybody can run: a bug report. */
import * as z from 'zod'
import { STORY_BYTES, STORY_CALLS } from '../../sandbox/story.ts'
import { endpoints } from '../../surface/declarations.ts'
import { route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import { StoryQuery } from '../../wire/story.ts'
import { asCurl } from '../story/curl.ts'
import { asPytest } from '../story/pytest.ts'
import { asJson, piecesOf, recordingOf } from '../story/recording.ts'
import { asVitest } from '../story/vitest.ts'
import { streamed } from '../streamed.ts'

const formats = { json: asJson, curl: asCurl, vitest: asVitest, pytest: asPytest }

export const storyRoutes = [
  route({
    ...endpoints('Requests').get('/sandbox/story', 'exportRecording'),
    summary: 'Tell the story of the sandbox',
    description: `Exports the calls that may have changed something, since the sandbox was made or reset, as a script or as a test. In a new sandbox, it ends in the same state. A test for vitest or pytest calls methods of the library, compares statuses, amounts and codes of refusals, and counts requests anew. A call of the shell script asks for the request id that it had, by the header Sandbox-Request-Id, where reads came between; any call can, and gets it where it is still ahead. Tokens become those that the new sandbox issues, keys its key, other secrets are masked. The story is kept in memory, up to ${STORY_CALLS} calls and ${STORY_BYTES} bytes.`,
    query: StoryQuery,
    replies: {
      200: {
        description: 'The recording, in the format of the request.',
        schema: z.string(),
        mediaType: 'text/plain',
        source: 'sandbox',
      },
    },
    refusals: ['story_incomplete'],
    answer: async ({ query, c }) => {
      const { sandbox } = c.var
      const { registry } = c.var.server
      const recording = orThrow(await recordingOf(sandbox, registry.fixtures))
      const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
      return streamed(piecesOf(recording, formats[query.format]), { headers })
    },
  }),
]
