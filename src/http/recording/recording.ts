/** The recording of a sandbox, which every format writes: how the sandbox was created, and its calls. */

import { initialSettings } from '../../assumptions/register.ts'
import { refuse } from '../../billing/refusal.ts'
import { recordingGaps, type UnmaskedCall } from '../../sandbox/call-recording.ts'
import type { FixtureLibrary } from '../../sandbox/fixtures.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { VERSION } from '../../version.ts'
import { camelKeys } from '../../wire/common/case.ts'
import type { RecordedCall } from '../../wire/sandbox/recording.ts'
import { presentOtherSettings } from '../../wire/sandbox/settings.ts'
import type { Refusal } from '../../world/refusal.ts'
import { TimeSlice } from '../../world/time-slice.ts'
import type { World } from '../../world/world.ts'
import { leftOut, recordedCalls } from './recorded-calls.ts'

export type Recording = Exclude<Awaited<ReturnType<typeof recordingOf>>, Refusal>

/** How a recording is written in one language, line by line. */
export type Format = (recording: Recording) => {
  readonly head: readonly string[]
  readonly call: (call: RecordedCall, index: number) => readonly string[]
  readonly tail: readonly string[]
}

/** Where a sandbox listens by default. */
export const SANDBOX_ADDRESS = 'http://127.0.0.1:4010'

/** A recording as JSON, a line for each call. */
export const asJson: Format = ({ about, origin }) => ({
  head: [
    `{"format":1,"about":${JSON.stringify(about)},`,
    `"left_out":${JSON.stringify(leftOut)},`,
    `"origin":${JSON.stringify(origin)},`,
    '"calls":[',
  ],
  call: (call, index) => [`${index === 0 ? '' : ','}${JSON.stringify(call)}`],
  tail: [']}'],
})

/** What the tests for vitest and pytest say of themselves. */
export function aboutTest({ about: [what = ''] }: Recording): string[] {
  return [
    what,
    `Written by subscription-sandbox ${VERSION}. It compares statuses, amounts and the codes of refusals.`,
  ]
}

/** The recording of a sandbox so far, or a refusal if it is incomplete. */
export async function recordingOf(sandbox: Sandbox, fixtures: FixtureLibrary) {
  const { id } = sandbox
  const { calls, isRunning, origin, varies } = await sandbox.read((world) => {
    const { origin, clock, chosenSettings } = world
    const { calls } = sandbox.recording
    const isRunning = origin.startsRunning || clock.offsetMs !== null
    const varies = chosenSettings.vary.length > 0
    return { calls: typeof calls === 'string' ? calls : [...calls], isRunning, origin, varies }
  })
  if (typeof calls === 'string') return incompleteRefusal(recordingGaps[calls])
  const setsRunning = ({ operationId, answer }: UnmaskedCall) =>
    operationId === 'setClock' && /"mode":"running"/.test(answer ?? '')
  if (isRunning || calls.some(setsRunning)) {
    return incompleteRefusal('its clock ran, and real time is never the same')
  }
  const isOurs = /^(?:starter|empty|dunning|calendar-hazards)$/.test(origin.fixture)
  const needs = isOurs ? '' : ` SANDBOX_FIXTURE must name the file of ${origin.fixture}.`
  return {
    about: [
      `The recording of sandbox "${id}": the calls that may have changed something, since it was made or reset.${needs}`,
      `Written by subscription-sandbox ${VERSION}, which must be running at SANDBOX_URL.`,
      'Each run makes its own sandbox, and leaves it there; RECORDING_SANDBOX_ID chooses its id.',
      'It ends with the state that the recording ended with, but for its id and the digests of tokens.',
    ],
    origin: originOf(origin, fixtures),
    /** Whether it ends with variations, which may come from its fixture. */
    varies,
    calls: await recordedCalls(calls, id),
  }
}

function incompleteRefusal(why: string): Refusal {
  const message = `The recording of this sandbox is incomplete: ${why}. After POST /sandbox/reset a new recording begins.`
  return refuse('recording_incomplete', message)
}

/** The body that creates a sandbox as this one was created. */
function originOf(origin: World['origin'], fixtures: FixtureLibrary): object {
  const { fixture, startAt } = origin
  const own = camelKeys(fixtures.get(fixture)?.settings ?? {})
  const settings = presentOtherSettings(origin.settings, { ...initialSettings, ...own })
  return {
    fixture,
    ...(startAt === null ? {} : { now: startAt }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  }
}

/** The text of a recording, call by call. */
export async function* piecesOf(recording: Recording, format: Format): AsyncGenerator<string> {
  const { head, call: linesOf, tail } = format(recording)
  const slice = new TimeSlice()
  const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
  yield textOf(head)
  for (const [index, call] of recording.calls.entries()) {
    yield textOf(linesOf(call, index))
    if (slice.isOver()) await slice.next()
  }
  yield textOf(tail)
}
