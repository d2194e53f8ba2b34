/**
 * The face of a sandbox for programs: what can be done with it, typed by the document of the control plane. Fields are
 * spelled as on the wire, amounts are integers of minor units, and instants are ISO 8601 texts in UTC. Everything
 * throws `SandboxError` where the sandbox refuses.
 */
import type { SubscriptionClient } from '../client.ts'
import type { components, operations } from '../generated/control.ts'
import type { components as documented } from '../generated/v1.ts'

/** The part of `fetch` that is used: it takes what that takes. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** The records of the control plane, by their names. */
export type Schemas = components['schemas']

/** A subscription as /v1 answers it. */
type Subscription = documented['schemas']['Subscription']

/** What an operation takes in its query. */
export type QueryOf<Id extends keyof operations> = NonNullable<
  operations[Id]['parameters']['query']
>

/** What a list takes beside the page: the library asks for all pages. */
type ListOf<Id extends keyof operations> = Omit<QueryOf<Id>, 'limit'>
type FilterOf<Id extends keyof operations> = Omit<QueryOf<Id>, 'limit' | 'after'>

/** One sandbox: its own data, clock, keys and faults. */
export interface Sandbox extends AsyncDisposable {
  readonly id: string
  /** The address of the server, without a path: what the application under test is configured with. */
  readonly url: string
  /** The key that the application under test sends. */
  readonly apiKey: string
  /** As the global one; a sandbox in this process is reached without a socket. */
  readonly fetch: Fetch
  /** The documented surface, with the key of this sandbox. */
  readonly v1: SubscriptionClient

  readonly clock: SandboxClock
  readonly products: SandboxRecords<'Product', 'ProductCreate', 'ProductPatch'>
  readonly plans: SandboxRecords<'Plan', 'PlanCreate', 'PlanPatch'>
  readonly customers: SandboxRecords<'Customer', 'CustomerCreate', 'CustomerPatch'>
  readonly coupons: SandboxRecords<'Coupon', 'CouponCreate', 'CouponPatch'>
  readonly promotions: SandboxRecords<'Promotion', 'PromotionCreate', 'PromotionPatch'>
  readonly subscriptions: SandboxSubscriptions
  readonly invoices: SandboxInvoices
  readonly charges: SandboxCharges
  readonly payments: SandboxPayments
  readonly tokens: SandboxTokens
  readonly settings: SandboxSettings
  readonly checkpoints: SandboxCheckpoints
  readonly events: SandboxEvents
  readonly requests: SandboxRequests
  readonly faults: SandboxFaults
  readonly webhooks: SandboxWebhooks
  readonly contracts: SandboxContracts

  /** Id, key, now, counts, and what falls due next. */
  describe(): Promise<Schemas['SandboxDescription']>
  /** Goes back to its fixture, or to another one: data, clock, faults and the log of requests. */
  reset(order?: Schemas['SandboxReset']): Promise<Schemas['SandboxSummary']>
  /** Keeps this moment under a name, for `checkpoints.restore` and for forks. */
  checkpoint(name: string): Promise<Schemas['Checkpoint']>
  /** A new sandbox on the same server with everything that this one has, or had at a checkpoint; closing it deletes it. */
  fork(order?: ForkOrder): Promise<Sandbox>
  /** A new sandbox on the same server; closing it deletes it. */
  create(order?: CreateOrder): Promise<Sandbox>
  /** All sandboxes of the server. */
  siblings(): Promise<Schemas['SandboxRow'][]>
  /** The rules that the interface leaves open, and what the sandbox does about each. */
  assumptions(): Promise<Schemas['Assumption'][]>
  /** Checks the books; `violations` is empty where they are in order. */
  audit(): Promise<Schemas['Audit']>
  /** What of the documented surface was asked for. */
  coverage(query?: Omit<QueryOf<'retrieveCoverage'>, 'format'>): Promise<Schemas['Coverage']>
  /** The calls since the last reset, as a script that ends in the same state. */
  story(format?: 'json' | 'curl' | 'vitest' | 'pytest'): Promise<string>
  /** Two futures, with changes and without, and the difference in money; nothing changes. */
  whatIf(question: Schemas['WhatIfQuestion']): Promise<Schemas['WhatIf']>
  /** The sandbox as a fixture that others can begin with: whole, or only what was set up. */
  exportFixture(query?: QueryOf<'exportFixture'>): Promise<Schemas['Fixture']>
  /** The whole sandbox as one document. */
  exportState(): Promise<Schemas['State']>
  /** Takes over what another one exported; id and key stay its own. */
  restoreState(state: Schemas['State']): Promise<Schemas['SandboxSummary']>
  /** Sets up a provider state of a Pact contract, or takes one down. */
  providerState(change: Schemas['ProviderStateChange']): Promise<Schemas['ProviderStateValues']>
  /** The provider states that it knows. */
  providerStates(): Promise<Schemas['ProviderState'][]>
  /** Stops a sandbox that was started here, deletes one that was created or forked here, and leaves any other. */
  close(): Promise<void>
}

/** Virtual time. It stands still unless it is moved or runs. */
export interface SandboxClock {
  get(): Promise<Schemas['Clock']>
  /** The virtual now. */
  now(): Promise<string>
  /** Moves it by an ISO 8601 duration such as `P14D` or `P1M`, or as an order says; answers what happened on the way. */
  advance(by: string | Schemas['ClockAdvance']): Promise<Schemas['Advance']>
  /** Moves it to an instant. */
  to(instant: string | Date): Promise<Schemas['Advance']>
  /** Moves it to the next instant, or over so many instants, at which something falls due. */
  toNext(times?: number): Promise<Schemas['Advance']>
  /**
   * Moves it until a subscription has a status, and no further than `within`, a year where that is absent. Throws
   * `ConditionNotMet` where it never has it.
   */
  until(condition: UntilCondition): Promise<Schemas['Advance']>
  /** Lets it run with real time, or stops it; moves it first where a now is given. */
  set(order: Schemas['ClockSet']): Promise<Schemas['Clock']>
  /** What will fall due, in order, without moving; a year ahead where `before` is absent. */
  agenda(query?: FilterOf<'listAgenda'>): Promise<Schemas['AgendaItem'][]>
}

export interface UntilCondition {
  readonly subscription_id: string
  readonly status: string
  /** An ISO 8601 duration. */
  readonly within?: string
}

/** Records that can be made, changed and deleted. */
export interface SandboxRecords<
  Name extends keyof Schemas,
  Create extends keyof Schemas,
  Patch extends keyof Schemas,
> {
  /** All of them, oldest first. */
  list(): Promise<Schemas[Name][]>
  get(id: string): Promise<Schemas[Name]>
  create(order: Schemas[Create]): Promise<Schemas[Name]>
  update(id: string, changes: Schemas[Patch]): Promise<Schemas[Name]>
  /** Refused while something refers to it. */
  delete(id: string): Promise<void>
}

export interface SandboxSubscriptions {
  list(filter?: FilterOf<'listSubscriptions'>): Promise<Schemas['SubscriptionRecord'][]>
  get(id: string): Promise<Schemas['SubscriptionRecord']>
  /** As at a checkout: with a trial, and with a coupon or a promotion code. */
  create(order: Schemas['Checkout']): Promise<Schemas['SubscriptionRecord']>
  /** Changes the plan. (Interface section 4, rule 1) */
  update(id: string, order: { readonly plan: string }): Promise<Subscription>
  pause(id: string): Promise<Subscription>
  resume(id: string): Promise<Schemas['SubscriptionRecord']>
  /** At once, or at the end of the period. (Interface section 4, rule 2) */
  cancel(id: string, order?: { readonly at_period_end: boolean }): Promise<Subscription>
  /** The subscription goes on after its period; refused where no cancellation is scheduled. */
  removeScheduledCancellation(id: string): Promise<Schemas['SubscriptionRecord']>
  applyCoupon(id: string, order: { readonly coupon_id: string }): Promise<Subscription>
  /** The invoices to come, a year ahead where `until` is absent; nothing changes. */
  forecast(id: string, query?: { readonly until?: string }): Promise<Schemas['Invoice'][]>
}

export interface SandboxInvoices {
  list(filter?: FilterOf<'listInvoices'>): Promise<Schemas['Invoice'][]>
  get(id: string): Promise<Schemas['Invoice']>
  /** Tries the payment of an open or uncollectible invoice now. */
  pay(id: string): Promise<Schemas['Invoice']>
  /** How every amount came about, with its rounding. */
  explain(id: string): Promise<Schemas['Explanation']>
}

export interface SandboxCharges {
  list(filter?: FilterOf<'listCharges'>): Promise<Schemas['Charge'][]>
  get(id: string): Promise<Schemas['Charge']>
  create(order: Schemas['ChargeCreate']): Promise<Schemas['Charge']>
}

/** Whose payments are meant: one subscription's, one customer's, or all where both are absent. */
export interface PaymentScope {
  readonly subscription_id?: string
  readonly customer_id?: string
}

/** Why a payment fails. */
export type PaymentFailure = Exclude<Schemas['PaymentScriptCreate']['outcomes'][number], 'succeed'>

export interface SandboxPayments {
  /** Has the next payments fail, one where `times` is absent, for `reason`, `card_declined` where that is absent. */
  fail(
    order?: PaymentScope & { readonly reason?: PaymentFailure; readonly times?: number },
  ): Promise<Schemas['PaymentScript']>
  /** Scripts the next payments, or has all of them end alike. */
  script(order: Schemas['PaymentOutcomesCreate']): Promise<Schemas['PaymentScript']>
  /** What is left of the scripts. */
  list(): Promise<Schemas['PaymentScript'][]>
  clear(): Promise<void>
}

export interface SandboxTokens {
  /** Issues a pair as a login would. */
  issue(order?: Schemas['TokenIssue']): Promise<Schemas['IssuedTokens']>
  list(): Promise<Schemas['TokenFamily'][]>
  /** Revokes the whole family of a refresh token. */
  revoke(order: Schemas['TokenRevoke']): Promise<Schemas['TokenFamily']>
}

export interface SandboxSettings {
  get(): Promise<Schemas['Settings']>
  change(changes: Schemas['SettingsPatch']): Promise<Schemas['Settings']>
}

export interface SandboxCheckpoints {
  list(): Promise<Schemas['Checkpoint'][]>
  get(name: string): Promise<Schemas['Checkpoint']>
  /** Goes back to a moment that was kept. */
  restore(name: string): Promise<Schemas['SandboxSummary']>
  delete(name: string): Promise<void>
}

export interface SandboxEvents {
  /** Those that are kept, oldest first; with `after`, those with a greater number. */
  list(filter?: ListOf<'listEvents'>): Promise<Schemas['Event'][]>
  /** Those that are still to come, as they come; with `after`, from there on. */
  follow(filter?: QueryOf<'streamEvents'>): AsyncIterable<Schemas['Event']>
}

export interface SandboxRequests {
  /** Those that are kept, newest first, with secrets masked. */
  list(filter?: FilterOf<'listRequests'>): Promise<Schemas['Request'][]>
  /** Those that are still to come, as they are answered. */
  follow(filter?: QueryOf<'streamRequests'>): AsyncIterable<Schemas['Request']>
}

export interface SandboxFaults {
  list(): Promise<Schemas['Fault'][]>
  get(id: string): Promise<Schemas['Fault']>
  create(order: Schemas['FaultCreate']): Promise<Schemas['Fault']>
  delete(id: string): Promise<void>
  clear(): Promise<void>
}

export interface SandboxWebhooks {
  list(): Promise<Schemas['Webhook'][]>
  get(id: string): Promise<Schemas['Webhook']>
  /** Its secret is in this answer only. */
  create(order: Schemas['WebhookCreate']): Promise<Schemas['NewWebhook']>
  delete(id: string): Promise<void>
  deliveries(filter?: FilterOf<'listWebhookDeliveries'>): Promise<Schemas['WebhookDelivery'][]>
  redeliver(deliveryId: string): Promise<Schemas['WebhookDelivery']>
}

export interface SandboxContracts {
  /** The pacts that come with the sandbox. */
  list(): Promise<Schemas['ShippedPact'][]>
  get(file: string): Promise<Schemas['ShippedPactDocument']>
  /** Compares a pact with the document of the service, and replays it where `live` says so. */
  check(
    pact: Schemas['PactDocument'],
    order?: { readonly live?: boolean },
  ): Promise<Schemas['ContractCheckReport']>
}

/** What a fork begins with. */
export interface ForkOrder {
  /** Its id; a new one where it is absent. */
  readonly id?: string
  /** Begins at a checkpoint; as the sandbox is now where it is absent. */
  readonly checkpoint?: string
  readonly settings?: Schemas['SettingsPatch']
}

/** What a new sandbox begins with. */
export interface CreateOrder extends Readonly<Schemas['SandboxFromFixture']> {
  /** Its id; a new one where it is absent. */
  readonly id?: string
}
