/** Checkpoints on the wire. */
import * as z from 'zod'
import { strictObject } from 'zod'
import { InstantOut, sandbox } from './fields.ts'
import { RecordCounts } from './sandbox.ts'

const CheckpointName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/)
  .meta({
    accepts: '1 to 64 of A-Z, a-z, 0-9, _, . and -, beginning with a letter or digit',
    description: 'What the moment is called.',
    examples: ['before-renewal'],
  })

export const CheckpointCreate = strictObject({ name: CheckpointName }).meta({
  id: 'CheckpointCreate',
  ...sandbox,
})

export const WireCheckpoint = strictObject({
  name: CheckpointName,
  now: InstantOut.describe('The virtual now that it returns to.'),
  event_seq: z.int().min(0).describe('The number of the last event before it; 0 before the first.'),
  counts: RecordCounts,
}).meta({ id: 'Checkpoint', ...sandbox })
export type WireCheckpoint = z.input<typeof WireCheckpoint>
