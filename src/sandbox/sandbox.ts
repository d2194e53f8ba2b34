/**
 * One sandbox: reads and commands on its world, one call after another. Sandboxes share nothing, so none waits for
 * another.
 */
import { EventEmitter } from 'node:events'
import { type AssumptionSlug, isDecidedInitially, type Settings } from '../assumptions/register.ts'
import { numberedId } from '../billing/id.ts'
import { isRefusal } from '../billing/refusal.ts'
import type { DocumentFolder, DocumentKind } from '../store/store.ts'
import type { Instant } from '../time/instant.ts'
import { moveWebhooks } from '../world/commands/webhooks.ts'
import { settleDue } from '../world/engine.ts'
import type { Refusal } from '../world/refusal.ts'
import type { Success } from '../world/results.ts'
import type { WebhookDelivery } from '../world/webhook.ts'
import { forkWorld, recordFacts, settingsOf, type World } from '../world/world.ts'
import { CallRecording } from './call-recording.ts'
import type { Checkpoint, Checkpoints } from './checkpoints.ts'
import { ClockMoves } from './clock-moves.ts'
import { Coverage } from './coverage.ts'
import { Deliveries, deliveryTiming } from './deliveries.ts'
import { Receivers } from './receivers.ts'
import { newestRequestIn, RequestLog } from './request-log.ts'
import { clockNow, runClock } from './running-clock.ts'
import {
  apiKeyOf,
  type LookAheadWork,
  type Replacement,
  type SandboxOptions,
  type WorldCommand,
  type WorldMaker,
} from './sandbox-types.ts'
import { serialQueue } from './serial-queue.ts'
import { Session } from './session.ts'
import { SandboxClosed, storeRefusal } from './store-failure.ts'

type Notifications = { change: []; request: []; end: [] }

export class Sandbox {
  /** Emits `change` after each commit, `request` after each logged request, and `end` when no more will come. */
  readonly notifications = new EventEmitter<Notifications>().setMaxListeners(0)
  /** The coverage of the documented surface; resets and restores do not clear it. */
  readonly coverage = new Coverage(() => this.#session.world.transitions)
  readonly recording: CallRecording
  readonly requestLog = new RequestLog()
  readonly receivers: Receivers
  readonly clock: ClockMoves
  /** How far the comparison of futures that runs has come, from 0 to 1; null where none runs. */
  whatIfProgress: number | null = null
  /** The calls that are not answered yet: until then it is in use. */
  callsUnderWay = 0
  readonly #options: SandboxOptions
  readonly #session: Session
  readonly #deliveries: Deliveries
  /** One look-ahead at a time: a fork may grow to as many records as its sandbox may hold. */
  readonly #lookAheads = serialQueue()
  /** The number of the newest request; a new process goes on from the newest whose events are stored. */
  #newestRequest: number
  #writes = 0
  #replacements = 0
  #usedAt: number
  #isEnded = false

  constructor(options: SandboxOptions) {
    this.#options = options
    const onCommit = () => {
      this.notifications.emit('change')
      this.#deliveries.deliverPending()
    }
    const session = new Session({ ...options, onCommit })
    this.#session = session
    const { receivers = new Receivers(), timing = deliveryTiming } = options.webhooks ?? {}
    this.receivers = receivers
    const deliveries = new Deliveries({ ...options, session, receivers, timing })
    this.#deliveries = deliveries
    const replacements = () => this.#replacements
    this.clock = new ClockMoves({ ...options, session, deliveries, replacements })
    this.#newestRequest = newestRequestIn(options.world)
    this.recording = new CallRecording(options.gap ?? null)
    this.#usedAt = options.time.now()
  }

  get id(): string {
    return this.#session.world.sandboxId
  }

  /** The API key of this sandbox on /v1; further keys add a suffix. */
  get apiKey(): string {
    return apiKeyOf(this.id)
  }

  /** The settings in force. */
  get settings(): Settings {
    return settingsOf(this.#session.world)
  }

  /** The assumptions that steps on its world have used, but those that a setting decides. */
  get assumed(): AssumptionSlug[] {
    const { assumed, chosenSettings } = this.#session.world
    return [...assumed].filter((slug) => isDecidedInitially(chosenSettings, slug))
  }

  /** Its checkpoints by name, oldest first. */
  get checkpoints(): ReadonlyMap<string, Checkpoint> {
    return this.#options.checkpoints.byName
  }

  /** The virtual now. A running clock shows no instant after the next unsettled item. */
  now(): Instant {
    const { clock, due } = this.#session.world
    const now = clockNow(clock, this.#options.time.now())
    const dueAt = due.head()?.at ?? now
    return dueAt < now ? dueAt : now
  }

  /** Whether an API key with this suffix (empty for the sandbox's own) exists and is not revoked. */
  hasKey(suffix: string): boolean {
    const { apiKeys } = this.#session.world
    return suffix === '' || apiKeys.some((key) => key.suffix === suffix && !key.revoked)
  }

  get hasFaults(): boolean {
    return this.#session.world.faults.size > 0
  }

  /** The number of requests so far that may have changed something, including those before resets. */
  get writes(): number {
    return this.#writes
  }

  /** How often the world was replaced: its events then count from the beginning, or from an earlier number. */
  get replacements(): number {
    return this.#replacements
  }

  /** The number of the newest event; 0 before the first. */
  get newestEvent(): number {
    return this.#session.world.sequences.events
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** The next request's id: counted, so that a script gets the same on each run. `requested` is used where it is ahead. */
  nextRequestId(kind: 'read' | 'write', requested = 0): string {
    this.use()
    if (kind === 'write') this.#writes += 1
    this.#newestRequest = Math.max(this.#newestRequest + 1, requested)
    return numberedId('req_', this.#newestRequest)
  }

  use(): void {
    this.#usedAt = this.#options.time.now()
  }

  /** When it was last used, in real time; now, during a call or while a client follows its events. */
  usedAt(): number {
    const { notifications: followers, callsUnderWay } = this
    const users = followers.listenerCount('change') + followers.listenerCount('request')
    if (callsUnderWay + users > 0) this.use()
    return this.#usedAt
  }

  /** Runs a function on the world; its result contains only committed changes. */
  read<Value>(question: (world: World) => Value | Promise<Value>): Promise<Value> {
    return this.#session.read(question)
  }

  /** Executes a command, and resolves once the store has committed its changes. The id is assigned in its turn. */
  execute<Value>(
    command: WorldCommand<Value>,
    requestId: () => string,
  ): Promise<Success<Value> | Refusal> {
    const work = (world: World) => command(world, { kind: 'request', requestId: requestId() })
    return this.#session.execute(work).catch(storeRefusal)
  }

  redeliver(deliveryId: string): Promise<WebhookDelivery | Refusal> {
    return this.#deliveries.redeliver(deliveryId).catch(storeRefusal)
  }

  /** Runs work on a fork of the world beside other calls. Throws if the sandbox or its client is gone before. */
  lookAhead<Value>(work: LookAheadWork<Value>, client?: AbortSignal): Promise<Value> {
    const isCut = () => this.#isEnded || client?.aborted === true
    const check = () => {
      if (isCut()) throw new SandboxClosed(this.id)
    }
    return this.#lookAheads(async () => {
      check()
      try {
        const onShare = (share: number) => {
          this.whatIfProgress = share
        }
        const pace = { onPause: () => undefined, isCut, onShare }
        const answer = await work(await this.read(forkWorld), pace)
        check()
        return answer
      } finally {
        this.whatIfProgress = null
      }
    })
  }

  documents<Value>(
    kind: DocumentKind,
    work: (folder: DocumentFolder, world: World) => Promise<Value | Refusal>,
  ): Promise<Value | Refusal> {
    return this.#run((world) => work(this.#options.stored.documents(kind), world))
  }

  /** Works on the checkpoints, once the whole world is on disk. */
  checkpoint<Value>(
    work: (checkpoints: Checkpoints, world: World) => Promise<Value | Refusal>,
  ): Promise<Value | Refusal> {
    return this.#run(async (world) => {
      await this.#options.stored.flushed()
      return work(this.#options.checkpoints, world)
    })
  }

  /** Replaces the world, with an event about it. A reset also counts requests from 1 again, and removes the checkpoints. */
  replace<Value>(make: WorldMaker, replacement: Replacement<Value>): Promise<Value | Refusal> {
    return this.#run(async (before) => {
      const world = await make(before, this.#options.checkpoints)
      if (isRefusal(world)) return world
      this.#startClock(world)
      await settleDue(world)
      moveWebhooks(world, before)
      const isReset = replacement.as === 'reset'
      const newestRequest = this.#newestRequest
      // The id is assigned only now: after a reset, the same script gives the same bytes.
      if (isReset) this.#newestRequest = 0
      const subject = { kind: 'sandbox', id: world.sandboxId } as const
      const detail = { fixture: world.origin.fixture, ...replacement.detail }
      const fact = { type: `sandbox.${replacement.as}`, subject, detail } as const
      recordFacts(world, [fact], { kind: 'request', requestId: replacement.requestId() })
      // In one step with the world: a crash leaves the old one with its checkpoints, or the new one without.
      const emptied = isReset ? (['checkpoints'] as const) : []
      await this.#session.replace(world, emptied).catch((error) => {
        if (isReset) this.#newestRequest = newestRequest
        throw error
      })
      this.#replacements += 1
      if (isReset) {
        this.requestLog.clear(this.#replacements)
        this.recording.begin(this.#replacements)
      }
      return replacement.answer(world)
    })
  }

  /** Begins with its initial world: starts its clock, and stores it whole. */
  begin(): Promise<Refusal | null> {
    const begun = this.#session.runAsLeft(async (world) => {
      this.#startClock(world)
      // A fork may be of a moment within an instant.
      await settleDue(world)
      return this.#session.replace(world)
    })
    return begun.then(() => null, storeRefusal)
  }

  /** Settles what an advance that was cut short left, before any call at that instant. */
  resume(): Promise<Refusal | null> {
    return this.#run(async () => {
      await this.#session.settleLeft()
      this.#deliveries.deliverPending()
      return null
    })
  }

  /** Stops a running advance after a whole due item, and ends every look-ahead. */
  stop(): void {
    this.#session.stop()
    this.#deliveries.stop()
    this.#isEnded = true
    this.notifications.emit('end')
    this.notifications.removeAllListeners()
  }

  /** Waits for the running calls, and for their changes to be on disk. */
  async close(before?: 'removal'): Promise<void> {
    this.stop()
    await this.#session.close(before)
    this.#deliveries.markPending()
  }

  #run<Value>(work: (world: World) => Promise<Value | Refusal>): Promise<Value | Refusal> {
    return this.#session.run(work).catch(storeRefusal)
  }

  /** A running clock continues from the world's now, whenever that was stored. */
  #startClock({ clock }: World): void {
    if (clock.offsetMs !== null) runClock(clock, this.#options.time.now())
  }
}
