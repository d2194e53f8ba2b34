/** The pacts of a Pact Broker, as a command line or a program asks for them, and where their results go. */
import { pactsOfBroker } from '../contracts/pacts/broker.ts'
import { brokerAt } from '../contracts/pacts/broker-client.ts'
import { publicationTo } from '../contracts/replay/broker-relay.ts'
import type { OptionNames, PactFilter } from './pacts.ts'

export interface BrokerValues extends PactFilter {
  readonly brokerUrl?: string | undefined
  readonly brokerToken?: string | undefined
  readonly brokerUsername?: string | undefined
  readonly brokerPassword?: string | undefined
  readonly providerVersion?: string | undefined
  readonly providerBranch?: string | undefined
  readonly selector?: readonly object[] | undefined
  readonly enablePending?: boolean | undefined
  readonly includeWipSince?: string | undefined
  readonly publish?: boolean | undefined
}

/** The pacts of a broker, and where their results go; null for nowhere. Throws for options that do not go together. */
export function fromBroker(
  values: BrokerValues & { readonly brokerUrl: string },
  names: OptionNames,
) {
  requirePartners(values, names)
  const broker = brokerAt(values.brokerUrl, authorizationOf(values, names))
  const { provider, selector: selectors = [], includeWipSince: wipSince = null } = values
  const { providerBranch: branch = null, enablePending = false } = values
  const { publish, providerVersion: version } = values
  const isPublished = publish && version !== undefined
  return {
    sources: () => pactsOfBroker(broker, { provider, selectors, branch, enablePending, wipSince }),
    publication: isPublished ? () => publicationTo(broker, { version, branch }) : null,
  }
}

function requirePartners(values: BrokerValues, { name, wrong }: OptionNames): void {
  const { provider, filter, publish, providerVersion, providerBranch: branch } = values
  if (provider === '*') {
    throw wrong(`${name('provider')} must be one name, as the broker has it; got "*".`)
  }
  if (publish && providerVersion === undefined) {
    throw wrong(
      `${name('publish')} needs ${name('providerVersion')}, the version that the results are for.`,
    )
  }
  if (publish && filter !== undefined) {
    throw wrong(
      `${name('publish')} cannot be combined with ${name('filter')}: a result is of a whole pact.`,
    )
  }
  const hasPartners = values.enablePending && branch !== undefined
  if (values.includeWipSince !== undefined && !hasPartners) {
    throw wrong(
      `${name('includeWipSince')} needs ${name('enablePending')} and ${name('providerBranch')}: work in progress is what that branch has not verified.`,
    )
  }
}

/** The value of `Authorization`; null for none. */
function authorizationOf(
  { brokerToken, brokerUsername, brokerPassword }: BrokerValues,
  { name, wrong }: OptionNames,
) {
  const username = name('brokerUsername')
  if ((brokerUsername === undefined) !== (brokerPassword === undefined)) {
    throw wrong(`${username} and ${name('brokerPassword')} go together; one is missing.`)
  }
  if (brokerUsername === undefined)
    return brokerToken === undefined ? null : `Bearer ${brokerToken}`
  if (brokerToken !== undefined) {
    throw wrong(`${name('brokerToken')} cannot be combined with ${username}; give one of them.`)
  }
  return `Basic ${Buffer.from(`${brokerUsername}:${brokerPassword}`).toString('base64')}`
}
