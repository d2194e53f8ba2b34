/** Sandboxes on the wire: creating one, what one holds, its checkpoints, and the audit of its books. */
import * as z from 'zod'
import { array, number, record, strictObject, string, xor } from 'zod'
import { type Invariant, invariants } from '../../billing/audit.ts'
import { WireNextDue } from '../billing/clock.ts'
import { camelKeys } from '../common/case.ts'
import {
  FixtureName,
  Flag,
  InstantIn,
  InstantOut,
  inSandbox,
  Natural,
  objectsOf,
  Reference,
  referenceTo,
  TextOrNull,
} from '../common/fields.ts'
import { sandboxId } from './sandbox-id.ts'
import { SettingsPatch } from './settings.ts'

export const SandboxId = string().regex(sandboxId.pattern).meta({
  accepts: sandboxId.accepts,
  description: 'The identifier of a sandbox.',
  source: 'sandbox',
})

const settingsField = {
  settings: SettingsPatch.optional().describe('The settings that the sandbox begins with.'),
}

export const SandboxCreate = xor([
  strictObject({
    fixture: FixtureName.optional().describe('The fixture to start from. Default: `starter`.'),
    now: InstantIn.optional().describe('The start instant. Default: that of the fixture.'),
    ...settingsField,
  }).meta({ id: 'SandboxFromFixture', description: 'A sandbox to create from a fixture.' }),
  strictObject({
    from: strictObject({
      sandbox: referenceTo('sandbox').meta({ examples: ['default'] }),
      checkpoint: Reference.optional().meta({
        accepts: 'the name of a checkpoint of that sandbox',
        description: 'The name of the checkpoint to fork; where absent, the sandbox as it is now.',
        examples: ['before-renewal'],
      }),
    }).meta({
      accepts: 'an object with sandbox and perhaps checkpoint',
      description: 'The sandbox to fork, as it is now or at one of its checkpoints.',
    }),
    ...settingsField,
  }).meta({ id: 'SandboxFork', description: 'A sandbox to create as a fork of another one.' }),
]).meta(inSandbox('SandboxCreate', 'The sandbox to create.'))

export const SandboxReset = strictObject({
  fixture: FixtureName.optional().describe(
    'The name of the fixture to reset to. Default: the one that the sandbox was created from.',
  ),
}).meta(inSandbox('SandboxReset', 'The fixture to reset the sandbox to.'))

const RecordCounts = record(string(), Natural).describe('How many records there are, by kind.')

const identity = {
  sandbox_id: string().describe('The identifier of the sandbox.'),
  api_key: string().describe('The API key of the sandbox.'),
  now: InstantOut.describe('The virtual now of the sandbox.'),
}

export const WireSandbox = strictObject(identity).meta(inSandbox('Sandbox', 'A sandbox.'))
export type WireSandbox = z.input<typeof WireSandbox>

export const WireSandboxRow = strictObject({
  ...identity,
  now: InstantOut.nullable().describe(
    'The virtual now of the sandbox; null where its data is damaged.',
  ),
}).meta(inSandbox('SandboxRow', 'A sandbox in a list.'))
export type WireSandboxRow = z.input<typeof WireSandboxRow>

export const WireSandboxSummary = strictObject({
  ...identity,
  counts: RecordCounts,
  next_due: WireNextDue,
}).meta(inSandbox('SandboxSummary', 'A sandbox, the number of its records, and the next due item.'))
export type WireSandboxSummary = z.input<typeof WireSandboxSummary>

/** How many holds are shown: the longest. */
export const HOLDS_SHOWN = 20

const WireHold = strictObject({
  operation: TextOrNull.describe(
    'The `operationId` of the operation, or the page of the dashboard; null where several were under way, or none, such as for a running clock.',
  ),
  ms: Natural.describe('The duration of the hold, in milliseconds of real time.').meta({
    examples: [42],
  }),
  at: InstantOut.describe('The instant at which the hold ended, in real time.'),
}).meta(inSandbox('Hold', 'A hold: a time during which one operation blocked all others.'))

export const WireSandboxDescription = WireSandboxSummary.extend({
  what_if_progress: number()
    .min(0)
    .max(1)
    .nullable()
    .describe(
      'The share of the work that is done of the comparison of futures that runs, `compareFutures`; null where none runs. Not repeatable.',
    )
    .meta({ examples: [0.4] }),
  longest_holds: array(WireHold)
    .max(HOLDS_SHOWN)
    .nullable()
    .describe(
      'The longest time for which each operation held the event loop of this process since it started, whatever the sandbox, the longest first; without those up to 20 ms. Null in a process that runs other code too, as with `startSandbox`. Real time: not repeatable.',
    ),
}).meta(inSandbox('SandboxDescription', 'A sandbox, and the process that serves it.'))
export type WireSandboxDescription = z.input<typeof WireSandboxDescription>

/** A sandbox to make, under a chosen id or null for one that is generated. */
export function toNewSandbox(
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
    description: 'The name of the checkpoint.',
    examples: ['before-renewal'],
  })

export const CheckpointCreate = strictObject({ name: CheckpointName }).meta(
  inSandbox('CheckpointCreate', 'The checkpoint to create.'),
)

export const WireCheckpoint = strictObject({
  name: CheckpointName,
  now: InstantOut.describe('The virtual now of the checkpoint.'),
  event_seq: Natural.describe(
    'The number of the last event before the checkpoint; 0 before the first event.',
  ),
  counts: RecordCounts,
}).meta(inSandbox('Checkpoint', 'A checkpoint: a moment that the sandbox can return to.'))
export type WireCheckpoint = z.input<typeof WireCheckpoint>

const InvariantName = z.enum(Object.keys(invariants) as [Invariant, ...Invariant[]])

export const WireAudit = strictObject({
  ok: Flag.describe('Whether all invariants hold.'),
  checked: record(string(), Natural).describe('How many records were checked, by kind.'),
  invariants: objectsOf({
    invariant: InvariantName.describe('The name of the invariant.'),
    promise: string().describe('The invariant in words.'),
  }).describe('The invariants that were checked.'),
  violations: objectsOf({
    invariant: InvariantName.describe('The name of the violated invariant.'),
    id: string().describe('The identifier of the record that violates it.'),
    message: string().meta({
      description: 'The violation in words.',
      examples: ['The lines sum up to 900, and the subtotal is 1000.'],
    }),
  }).describe('The violations that were found.'),
}).meta(
  inSandbox(
    'Audit',
    'The result of an audit: whether the records of the sandbox agree with each other.',
  ),
)
export type WireAudit = z.input<typeof WireAudit>
