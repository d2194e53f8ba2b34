/** Sandboxes on the wire: creating one, what one holds, its checkpoints, and the audit of its books. */
import * as z from 'zod'
import { array, record, strictObject, string, xor } from 'zod'
import { type Invariant, invariants } from '../billing/audit.ts'
import { camelKeys } from './case.ts'
import { WireDueItem } from './event.ts'
import { Flag, InstantIn, InstantOut, inSandbox, Natural, objectsOf, Reference } from './fields.ts'
import { SettingsPatch } from './settings.ts'

export const FixtureName = string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
  .meta({
    accepts: 'the name of a fixture',
    examples: ['starter'],
  })

/** No underscore, so that keys and tokens, which carry the identifier, can be taken apart. */
const sandboxIdPattern = /^[a-z0-9][a-z0-9-]{0,62}$/

export const SandboxId = string().regex(sandboxIdPattern).meta({
  accepts: '1 to 63 of a-z, 0-9 and -, not beginning with -',
  description: 'The identifier of a sandbox.',
  source: 'sandbox',
})

const settings = { settings: SettingsPatch.optional() }

export const SandboxCreate = xor([
  strictObject({
    fixture: FixtureName.optional().describe('The world to start from.'),
    now: InstantIn.optional().describe('Where its clock starts.'),
    ...settings,
  }).meta({ id: 'SandboxFromFixture' }),
  strictObject({
    from: strictObject({
      sandbox: Reference.meta({ accepts: 'the identifier of a sandbox' }),
      checkpoint: Reference.optional().meta({
        accepts: 'the name of a checkpoint of that sandbox',
        description: 'Where to begin; as it is now where absent.',
      }),
    }).meta({
      accepts: 'an object with sandbox and perhaps checkpoint',
      description: 'What to fork: a sandbox as it is now, or at one of its checkpoints.',
    }),
    ...settings,
  }).meta({ id: 'SandboxFork' }),
]).meta(inSandbox('SandboxCreate'))

export const SandboxReset = strictObject({
  fixture: FixtureName.optional().describe('Another world than its own.'),
}).meta(inSandbox('SandboxReset'))

const RecordCounts = record(string(), Natural).describe('How many records it holds, by kind.')

const identity = {
  sandbox_id: string().describe('Its identifier.'),
  api_key: string().describe('The API key that belongs to it.'),
  now: InstantOut.describe('The virtual now.'),
}

export const WireSandbox = strictObject(identity).meta(inSandbox('Sandbox'))
export type WireSandbox = z.input<typeof WireSandbox>

export const WireSandboxRow = strictObject({
  ...identity,
  now: InstantOut.nullable().describe('The virtual now; null where it is damaged.'),
}).meta(inSandbox('SandboxRow'))
export type WireSandboxRow = z.input<typeof WireSandboxRow>

export const WireSandboxSummary = strictObject({
  ...identity,
  counts: RecordCounts,
  next_due: WireDueItem.nullable(),
}).meta(inSandbox('SandboxSummary'))
export type WireSandboxSummary = z.input<typeof WireSandboxSummary>

/** How many holds are shown: the longest. */
export const HOLDS_SHOWN = 20

const WireHold = strictObject({
  operation: string()
    .nullable()
    .describe(
      'Its `operationId`, or the page of the dashboard; null where several were under way, or none, such as for a running clock.',
    ),
  ms: Natural.describe('How long it was, in real milliseconds.'),
  at: InstantOut.describe('When it ended, in real time.'),
}).meta(inSandbox('Hold'))

/** A sandbox that is looked at, and the process that serves it. */
export const WireSandboxDescription = WireSandboxSummary.extend({
  longest_holds: array(WireHold)
    .max(HOLDS_SHOWN)
    .nullable()
    .describe(
      'The longest time for which each operation held the event loop of this process since it started, whatever the sandbox, the longest first; without those up to 20 ms. Null in a process that runs other code too, as with `startSandbox`. Real time: not repeatable.',
    ),
}).meta(inSandbox('SandboxDescription'))
export type WireSandboxDescription = z.input<typeof WireSandboxDescription>

/** A sandbox to make, under a chosen id or null for one that is generated. */
export function sandboxOrder(
  { settings = {}, ...body }: z.output<typeof SandboxCreate>,
  sandboxId: string | null,
) {
  const start = { fixture: null, now: null, from: null, ...camelKeys(body) }
  return { ...start, sandboxId, settings: camelKeys(settings), startsRunning: false }
}

const CheckpointName = string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/)
  .meta({
    accepts: '1 to 64 of A-Z, a-z, 0-9, _, . and -, beginning with a letter or digit',
    description: 'What the moment is called.',
    examples: ['before-renewal'],
  })

export const CheckpointCreate = strictObject({ name: CheckpointName }).meta(
  inSandbox('CheckpointCreate'),
)

export const WireCheckpoint = strictObject({
  name: CheckpointName,
  now: InstantOut.describe('The virtual now that it returns to.'),
  event_seq: Natural.describe('The number of the last event before it; 0 before the first.'),
  counts: RecordCounts,
}).meta(inSandbox('Checkpoint'))
export type WireCheckpoint = z.input<typeof WireCheckpoint>

const names = Object.keys(invariants) as [Invariant, ...Invariant[]]
const InvariantName = z.enum(names)

export const WireAudit = strictObject({
  ok: Flag.describe('Whether every promise holds.'),
  checked: record(string(), Natural).describe('How many records were checked, by kind.'),
  invariants: objectsOf({
    invariant: InvariantName.describe('Its name.'),
    promise: string().describe('What it promises.'),
  }).describe('Every promise that was checked.'),
  violations: objectsOf({
    invariant: InvariantName.describe('The promise that is broken.'),
    id: string().describe('The record that breaks it.'),
    message: string().describe('How.'),
  }).describe('Every violation; empty where there is none.'),
}).meta(inSandbox('Audit', 'Whether the books are in order.'))
export type WireAudit = z.input<typeof WireAudit>
