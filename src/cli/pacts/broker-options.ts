/** The options of `verify` for a Pact Broker: which pacts, who asks, and where results go. */
import type { Command } from 'commander'
import * as z from 'zod'
import { jsonIn } from '../../contracts/common/json.ts'
import { type BrokerValues, fromBroker } from '../../verification/broker-source.ts'
import {
  addReaders,
  createReader,
  nameOf,
  optionNames,
  readAddress,
  repeatableOption,
  UsageError,
  variableOption,
} from '../terminal/usage.ts'

/** Adds the options; the variables are those of other tools of Pact. */
export function addBrokerOptions(command: Command): Command {
  const selector = 'a version selector: mainBranch, or JSON'
  return addReaders(command, readers)
    .addOption(variableOption('--broker-url <url>', 'a Pact Broker or PactFlow, in place of files'))
    .addOption(variableOption('--broker-token <token>', 'its token; ps does not show variables'))
    .addOption(variableOption('--broker-username <name>', 'the user name, in place of a token'))
    .addOption(variableOption('--broker-password <password>', 'the password of that user'))
    .addOption(repeatableOption('--selector <selector>', selector))
    .option('--enable-pending', 'let pending pacts fail without failing the run')
    .option('--include-wip-since <date>', 'add pacts that are work in progress since then')
    .option('--provider-version <version>', 'the version of the provider that is verified')
    .option('--provider-branch <branch>', 'the branch of that version')
    .option('--publish', 'publish the results to the broker')
}

/** What a selector may say, where it is true and no text. */
const flags = [
  'mainBranch',
  'matchingBranch',
  'deployedOrReleased',
  'deployed',
  'released',
  'latest',
  'fallbackToMainBranch',
]
const texts = ['branch', 'fallbackBranch', 'tag', 'fallbackTag', 'environment', 'consumer']

const readSelector = createReader(
  `a JSON object, or keys and values such as mainBranch or branch=main,consumer=web, of: ${[...flags, ...texts].join(', ')}`,
  (text): object | undefined => {
    const value = jsonIn(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
    const entries = text.split(',').map((part) => {
      const [, key = '', said] = /^(\w+)(?:=(.+))?$/s.exec(part) ?? []
      if (flags.includes(key) && (said ?? 'true') === 'true') return [key, true] as const
      return texts.includes(key) && said !== undefined ? ([key, said] as const) : null
    })
    const known = entries.filter((each) => each !== null)
    return known.length < entries.length ? undefined : Object.fromEntries(known)
  },
)

const readText = createReader('a text with something in it', (text) =>
  text.trim() === '' ? undefined : text,
)

const readers = {
  ...{ selector: readSelector, providerVersion: readText, providerBranch: readText },
  includeWipSince: createReader(
    'a date such as 2026-11-01',
    (text) => z.iso.date().safeParse(text).data,
  ),
}

/** Options for the broker that another one names. */
const dependents = [
  ...['brokerToken', 'brokerUsername', 'brokerPassword', 'selector', 'enablePending'],
  ...['includeWipSince', 'providerVersion', 'providerBranch', 'publish'],
] as const

/**
 * What the options say about a broker; null if files are verified, or pacts of addresses. A broker that only the environment
 * names counts where no pact is named. Throws `UsageError` for options that do not go together.
 */
export function brokerOf(
  named: readonly string[],
  values: BrokerValues,
  command: Command,
): ReturnType<typeof fromBroker> | null {
  const isGiven = (name: keyof BrokerValues) => command.getOptionValueSource(name) === 'cli'
  const { brokerUrl: url } = values
  if (url === undefined || (named.length > 0 && !isGiven('brokerUrl'))) {
    const name = dependents.find(isGiven)
    if (name === undefined) return null
    const rule = 'is for the broker that --broker-url names, and there is none'
    throw new UsageError(`${nameOf(command, name)} ${rule}.`)
  }
  if (named.length > 0) {
    throw new UsageError(`--broker-url cannot be combined with a PACT; got "${named[0]}".`)
  }
  // Not read before: where files are verified, variables of a broker are for others.
  readAddress(url, '--broker-url')
  if (values.brokerToken !== undefined && !/^[\x21-\x7e]+$/.test(values.brokerToken)) {
    const rule = 'must be visible ASCII characters without spaces'
    throw new UsageError(`--broker-token ${rule}; got another value, which is not shown.`)
  }
  return fromBroker({ ...values, brokerUrl: url }, optionNames(command))
}
