/**
 * The client of a sandbox for programs: what can be done with it, typed by the document of the control plane. Fields are
 * spelled as on the wire, amounts are integers of minor units, and instants are ISO 8601 texts in UTC. Everything
 * throws `SandboxError` if the sandbox refuses.
 */
import type { SubscriptionClient } from '../client.ts'
import type {
  ClockMethods,
  ContractsMethods,
  EventsMethods,
  PaymentsMethods,
  QueryOf,
  RequestsMethods,
  SandboxMethods,
  Schemas,
} from '../generated/methods.ts'

export type * from '../generated/methods.ts'

/** The part of `fetch` that is used: it takes what that takes. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** One sandbox: its own data, clock, keys and faults. */
export interface Sandbox extends SandboxMethods, AsyncDisposable {
  readonly id: string
  /** The address of the server, without a path: what the application under test is configured with. */
  readonly url: string
  /** The key that the application under test sends. */
  readonly apiKey: string
  /** As the global one, and takes a path of the server too; a sandbox in this process is reached without a socket. */
  readonly fetch: Fetch
  /** The documented surface, with the key of this sandbox. */
  readonly v1: SubscriptionClient

  readonly clock: SandboxClock
  readonly payments: SandboxPayments
  readonly events: SandboxEvents
  readonly requests: SandboxRequests
  readonly contracts: SandboxContracts

  /** Keeps this moment under a name, for `checkpoints.restore` and for forks. */
  checkpoint(name: string): Promise<Schemas['Checkpoint']>
  /** A new sandbox on the same server with everything that this one has, or had at a checkpoint; closing it deletes it. */
  fork(order?: ForkOrder): Promise<Sandbox>
  /** A new sandbox on the same server; closing it deletes it. */
  create(order?: CreateOrder): Promise<Sandbox>
  /** The calls since the last reset, as a script that ends in the same state. */
  recording(format?: 'json' | 'curl' | 'vitest' | 'pytest'): Promise<string>
  /** What customers were billed: the records, and as text, month by month with totals. Throws for an id that does not exist. */
  billing(filter?: BillingFilter): Promise<Billing>
  /** Stops a sandbox that was started here, deletes one that was created or forked here, and leaves any other. */
  close(): Promise<void>
}

/** Virtual time. It passes only when it is moved, or runs. */
export interface SandboxClock extends ClockMethods {
  /** The virtual now. */
  now(): Promise<string>
  /** Moves it by an ISO 8601 duration such as `P14D` or `P1M`, or as an order says; answers what happened on the way. */
  advance(by: string | Schemas['ClockAdvance']): Promise<Schemas['Advance']>
  /** Moves it to an instant. */
  to(instant: string | Date): Promise<Schemas['Advance']>
  /** Moves it to the next instant, or over so many instants, at which something falls due. */
  toNext(times?: number): Promise<Schemas['Advance']>
  /**
   * Moves it until a subscription has a status, and no further than `within`, which is a year if absent. Throws
   * `ConditionNotMet` if the subscription never has it.
   * @example
   * await sandbox.payments.fail({ times: 2 })
   * await sandbox.clock.until({ subscription_id: 'sub_000001', status: 'past_due' })
   */
  until(condition: UntilCondition): Promise<Schemas['Advance']>
}

export interface UntilCondition {
  readonly subscription_id: string
  readonly status: string
  /** An ISO 8601 duration. */
  readonly within?: string
}

/** The subscription or the customer whose payments fail. Omit both to affect all. */
export interface PaymentScope {
  readonly subscription_id?: string
  readonly customer_id?: string
}

/** Why a payment fails. */
export type PaymentFailure = Exclude<Schemas['PaymentScriptCreate']['outcomes'][number], 'succeed'>

export interface SandboxPayments extends PaymentsMethods {
  /** Makes the next payments fail: `times` of them (1), with `reason` (`card_declined`). */
  fail(
    order?: PaymentScope & { readonly reason?: PaymentFailure; readonly times?: number },
  ): Promise<Schemas['PaymentScript']>
}

export interface SandboxEvents extends EventsMethods {
  /** New events, as they happen; with `after`, all later ones. Throws `SandboxError` where they are taken too slowly. */
  follow(filter?: QueryOf<'streamEvents'>): AsyncIterable<Schemas['Event']>
}

export interface SandboxRequests extends RequestsMethods {
  /** New requests, as they are answered. */
  follow(filter?: QueryOf<'streamRequests'>): AsyncIterable<Schemas['Request']>
}

export interface SandboxContracts extends ContractsMethods {
  /** Compares a pact with the document of the service, and replays it if `live` is true. */
  check(
    pact: Schemas['PactDocument'],
    options?: { readonly live?: boolean },
  ): Promise<Schemas['ContractCheckReport']>
}

/** Whose billing it is; everybody's if both are absent. */
export interface BillingFilter {
  readonly customer_id?: string
  /** Charges are outside any subscription, so that there are none with it. */
  readonly subscription_id?: string
}

export interface Billing {
  readonly text: string
  readonly invoices: readonly Schemas['Invoice'][]
  readonly charges: readonly Schemas['Charge'][]
}

/** What a fork begins with. */
export interface ForkOrder {
  /** Its id; if absent, a new one that begins with the id of this sandbox, so that one process has both. */
  readonly id?: string
  /** The checkpoint to begin at; the present state if absent. */
  readonly checkpoint?: string
  readonly settings?: Schemas['SettingsPatch']
}

/** What a new sandbox begins with. */
export interface CreateOrder extends Readonly<Schemas['SandboxFromFixture']> {
  /** Its id; a new one if absent. */
  readonly id?: string
}
