/** Recordings on the wire: the calls of a sandbox as data, and the formats that a recording can be written in. */
import * as z from 'zod'
import { array, int, record, strictObject, string, union, unknown } from 'zod'

const RecordingFormat = z.enum(['json', 'curl', 'vitest', 'pytest']).meta({
  accepts: 'json, curl, vitest or pytest',
  description: 'json: the recording as data. curl: a shell script. vitest, pytest: a test.',
})

export const RecordingQuery = z.strictObject({ format: RecordingFormat.default('curl') })

/** A piece of a text, or a variable of the script. */
const Part = union([string(), strictObject({ variable: string() })])
const Parts = array(Part).readonly()

/** A body: text, variables, and bytes that are not UTF-8. */
const Body = array(union([Part, strictObject({ base64: string() })])).readonly()

const RecordedCall = strictObject({
  note: string().optional(),
  method: string(),
  target: Parts,
  /** Names and values; the values are bytes, one character each. */
  headers: array(z.tuple([string(), Parts]).readonly()).readonly(),
  body: Body.optional(),
  status: int(),
  /** The answer without what differs each time; absent if it is not compared. */
  answer: unknown().optional(),
  /** The variables that fields of the answer are kept in. */
  keeps: record(string(), string()).optional(),
})
export type RecordedCall = Readonly<z.infer<typeof RecordedCall>>
export type Part = z.infer<typeof Part>
export type Parts = z.infer<typeof Parts>
export type Body = z.infer<typeof Body>

/** A recording, as the format `json` writes it. */
export const WireRecording = strictObject({
  format: z.literal(1),
  about: array(string()).readonly(),
  left_out: array(string()),
  /** The body that creates a sandbox as the recorded one was created. */
  origin: record(string(), unknown()),
  calls: array(RecordedCall),
})
