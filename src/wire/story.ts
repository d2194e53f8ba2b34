/** Stories on the wire: the formats that one can be written in. */
import * as z from 'zod'

const StoryFormat = z.enum(['http', 'curl', 'vitest', 'pytest']).meta({
  accepts: 'http, curl, vitest or pytest',
  description:
    'What to write: a file for the HTTP Client of JetBrains, a shell script, or a test for vitest or pytest.',
})

export const StoryQuery = z.strictObject({ format: StoryFormat.default('curl') })
