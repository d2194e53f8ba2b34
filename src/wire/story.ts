/** Stories on the wire: the formats that one can be written in. */
import * as z from 'zod'

const StoryFormat = z.enum(['json', 'curl', 'vitest', 'pytest']).meta({
  accepts: 'json, curl, vitest or pytest',
  description:
    'The format of the export: the recording itself, a shell script, or a test for vitest or pytest.',
})

export const StoryQuery = z.strictObject({ format: StoryFormat.default('curl') })
