/** Verifies pacts in a test of vitest or node:test: what `verify` does, as a call that rejects where a pact does not hold. */
import * as z from 'zod'
import { CannotVerify } from './contracts/common/failure.ts'
import { pretty } from './contracts/report/pretty.ts'
import type { components } from './generated/report.ts'
import { argumentError, requireObject, SandboxError } from './library/sandbox-error.ts'
import { validate } from './surface/field-errors.ts'
import { RefusalError } from './surface/refusals.ts'
import { type BrokerValues, fromBroker } from './verification/broker-source.ts'
import { pactsNamed } from './verification/pacts.ts'
import { ownSandbox, remoteProvider } from './verification/providers.ts'
import { studiesOf } from './verification/studies.ts'
import { verifyPacts } from './verification/verify-all.ts'

/** The report of `verify`, as docs/pact-report.schema.json describes it. */
export type VerificationReport = components['schemas']['VerificationReport']

/** A Pact Broker or PactFlow, and which of its pacts are meant. */
export interface BrokerOptions {
  readonly url: string
  readonly token?: string | undefined
  /** Who asks, with a password, in place of a token. */
  readonly username?: string
  readonly password?: string
  /** Consumer version selectors, as the broker documents them; without them the broker selects. */
  readonly selectors?: readonly object[]
  /** Asks which pacts are pending, which may fail. */
  readonly enablePending?: boolean
  /** Adds pacts that are work in progress since this day, such as 2026-11-01. */
  readonly includeWipSince?: string
  readonly providerVersion?: string
  readonly providerBranch?: string
  /** Publishes the results of the Pact core for `providerVersion`. */
  readonly publish?: boolean
}

/** What the pacts are verified against, in place of a new sandbox for each. */
export interface AgainstOptions {
  /** A server of sandboxes, where each pact gets a new one, or the real service. */
  readonly url: string
  /** Where provider states are set up, or `none`. */
  readonly states?: string
  /** Headers for each request. */
  readonly headers?: Readonly<Record<string, string>>
  /** A sandbox of that server, in place of new ones. */
  readonly sandbox?: string
  readonly controlToken?: string
}

export interface VerifyProviderOptions {
  /** Files, folders, patterns or addresses of pacts. */
  readonly pacts?: string | readonly string[]
  /** In place of `pacts`. */
  readonly broker?: BrokerOptions
  readonly against?: AgainstOptions
  /** The name of the provider, `*` for any; `subscription-service` if absent. */
  readonly provider?: string
  /** Only interactions whose description holds this. */
  readonly filter?: string
  /** Fails what rests on an assumption, as the closed document says. */
  readonly strictDocumented?: boolean
  /** Reports which assumptions each interaction rests on. */
  readonly vary?: boolean
  /** Reports which changes of an answer go unnoticed. */
  readonly mutate?: boolean
  /** How long each request may take; 30,000 if absent. */
  readonly timeoutMs?: number
  /** Ends the run. */
  readonly signal?: AbortSignal
}

/** The pacts do not hold, or that they hold is not known. The message is the report on what failed. */
export class VerificationFailed extends Error {
  override readonly name = 'VerificationFailed'
  readonly report: VerificationReport

  constructor(report: VerificationReport) {
    super(pretty(withFailuresAlone(report), 'plain').trim())
    this.report = report
  }
}

/**
 * Verifies pacts with the official Pact core, each against a new sandbox, and resolves with the report. Rejects with
 * `VerificationFailed` where a pact does not hold, is not verified, or there is none, and where a requested study or
 * publication is missing; with `SandboxError` for wrong options, and where provider, broker or core cannot be reached.
 * @example
 * await verifyProvider({ pacts: 'pacts' })
 * await verifyProvider({ broker: { url: 'https://broker.example', token, selectors: [{ mainBranch: true }] } })
 */
export async function verifyProvider(options: VerifyProviderOptions): Promise<VerificationReport> {
  return verify(options).catch((error) => {
    throw asSandboxError(error)
  })
}

async function verify(options: VerifyProviderOptions): Promise<VerificationReport> {
  const { pacts, broker, against, signal, ...order } = read(options)
  if ((pacts === undefined) === (broker === undefined)) {
    throw argumentError('pacts', 'pacts or broker must be given, and not both.')
  }
  const { url } = against ?? {}
  const studies = studiesOf({ ...order, url }, named)
  const brokered =
    broker && fromBroker({ ...order, ...brokerValues(broker), brokerUrl: broker.url }, named)
  const sources = brokered
    ? await brokered.sources()
    : await pactsNamed([pacts ?? []].flat(), 'pacts', named)
  const { states = null, headers = {}, sandbox = null, controlToken = null } = against ?? {}
  const header = Object.entries(headers)
  const provider =
    url === undefined
      ? await ownSandbox(null)
      : await remoteProvider({ url, states, header, sandbox, controlToken })
  const failures: string[] = []
  const run = {
    ...{ provider, studies, values: order, timeoutMs: order.timeoutMs, base: null },
    publication: brokered?.publication ?? null,
    signal: signal ?? new AbortController().signal,
    // What a person at a terminal would read meanwhile is in the report.
    log: () => undefined,
  }
  const report = (await verifyPacts(sources, run, failures)) as VerificationReport
  if (report.result !== 'passed' || failures.length > 0) throw new VerificationFailed(report)
  return report
}

/** The options of a broker by their names on the command line. */
function brokerValues(options: z.output<typeof Broker>): Omit<BrokerValues, 'provider'> {
  const { url: _, token, username, password, selectors, ...others } = options
  return {
    ...{ brokerToken: token, brokerUsername: username, brokerPassword: password },
    ...{ ...others, selector: selectors },
  }
}

/** Options by the names that they have here. */
const named = {
  name: (option: string) => {
    if (['provider', 'filter', 'vary'].includes(option)) return option
    if (option === 'url') return 'against'
    return `broker.${option.replace(/^broker(.)/, (_, first: string) => first.toLowerCase())}`
  },
  // Each begins with the option.
  wrong: (message: string) => argumentError(message.replace(/ .*/s, ''), message),
}

const Text = z.string().min(1).meta({ accepts: 'a text that is not empty' })
const Secret = z
  .string()
  .regex(/^[\x21-\x7e]+$/)
  .meta({ accepts: 'visible ASCII characters without spaces', secret: true })
const Switch = z.boolean().meta({ accepts: 'true or false' }).optional()

/** May hold a password, which is not shown. */
const Address = z
  .string()
  .refine((text) => {
    const { protocol, username, password } = URL.canParse(text) ? new URL(text) : new URL('no:')
    return /^https?:$/.test(protocol) && username + password === ''
  })
  .meta({
    accepts: 'an address such as http://127.0.0.1:4010, without a user and a password',
    secret: true,
  })

const Broker = z.strictObject({
  url: Address,
  token: Secret.optional(),
  username: Text.optional(),
  password: Text.meta({ secret: true }).optional(),
  selectors: z.array(z.looseObject({}).meta({ accepts: 'an object' })).optional(),
  enablePending: Switch,
  includeWipSince: z.iso.date().meta({ accepts: 'a date such as 2026-11-01' }).optional(),
  providerVersion: Text.optional(),
  providerBranch: Text.optional(),
  publish: Switch,
})

const HeaderText = z
  .string()
  .regex(/^[\t -~\x80-\xff]*$/)
  .meta({ accepts: 'Latin-1 characters in one line, by the name of a header', secret: true })

const Against = z.strictObject({
  url: Address,
  states: z
    .union([z.literal('none'), Address])
    .meta({ accepts: 'an address, or none', secret: true })
    .optional(),
  headers: z
    .record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), HeaderText)
    .meta({ secret: true })
    .optional(),
  sandbox: Text.optional(),
  controlToken: Secret.optional(),
})

/** What the options accept, for callers without types. */
const Order = z.strictObject({
  pacts: z
    .union([Text, z.array(Text).min(1)])
    .meta({ accepts: 'a text or a list of texts' })
    .optional(),
  broker: Broker.optional(),
  against: Against.optional(),
  provider: Text.default('subscription-service'),
  filter: Text.optional(),
  strictDocumented: Switch,
  vary: Switch,
  mutate: Switch,
  timeoutMs: z
    .int()
    .min(1)
    .max(3_600_000)
    .meta({ accepts: 'an integer from 1 to 3600000' })
    .default(30_000),
  signal: z.instanceof(AbortSignal).meta({ accepts: 'an AbortSignal' }).optional(),
})

function read(options: VerifyProviderOptions): z.output<typeof Order> {
  return validate(Order, requireObject('options', options)) as z.output<typeof Order>
}

/** What is wrong with the options, or keeps the pacts from being verified, as the sandbox would refuse it. */
function asSandboxError(error: Error): Error {
  const { message } = error
  if (error instanceof CannotVerify)
    return new SandboxError(message, { status: 503, code: 'unavailable', fields: [] })
  if (!(error instanceof RefusalError)) return error
  return new SandboxError(message, { status: 400, code: error.code, fields: error.fields })
}

/** The report without the interactions that hold, for people. */
function withFailuresAlone(report: VerificationReport): VerificationReport {
  const pacts = report.pacts.map((pact) => {
    return { ...pact, interactions: pact.interactions.filter(({ result }) => result !== 'passed') }
  })
  return { ...report, pacts, assumptions: [] }
}
