/** Where a command differs from its operation: shorter ways to write its body, and which answers end with exit code 1. */
import type { Command } from 'commander'
import type { Connection, ConnectionValues } from './connection.ts'
import { whileAdvancing } from './progress.ts'
import { UsageError } from './usage.ts'
import { changesOf, inTypedWords } from './what-if.ts'

type Fields = Record<string, unknown>

/** The options of a command by their attributes. */
export interface OperationValues extends ConnectionValues {
  readonly [attribute: string]: unknown
  readonly json?: boolean
  readonly body?: string
  readonly follow?: boolean
}

/** Where one command differs from its operation. */
export interface Overrides {
  /** Adds further options. */
  readonly add?: (command: Command) => void
  /** Turns the fields that were typed into those that are sent. */
  readonly adjust?: (
    fields: Fields,
    typed: {
      readonly connection: Connection
      readonly values: Fields
      readonly rest: readonly string[]
    },
  ) => Fields
  /** Puts what was typed in place of what the server names. */
  readonly inTypedWords?: (
    sentence: string,
    typed: { readonly values: Fields; readonly rest: readonly string[] },
  ) => string
  /** Shows progress until the reply arrives. */
  readonly withProgress?: (reply: Promise<Response>, connection: Connection) => Promise<Response>
  /** Prints the answer unchanged, for a file. */
  readonly isRaw?: true
  /** Whether the command ends with exit code 1 after this answer. */
  readonly isNo?: (answer: Fields) => boolean
}

/** By the words of the command. */
export const overrides: Readonly<Record<string, Overrides>> = {
  'clock advance': {
    add: (command) =>
      command.option('--until <id=status>', 'until a subscription has a status, within a year'),
    adjust: (fields, { values }) => {
      const until = values['until']
      requireOne({ ...fields, ...(until === undefined ? {} : { until }) })
      if (until === undefined) return fields
      return { within: 'P1Y', ...fields, until: readUntil(String(until)) }
    },
    inTypedWords: (sentence, { values }) =>
      values['until'] === undefined ? sentence : sentence.replace(/^until\./, '--until: '),
    withProgress: whileAdvancing,
    isNo: ({ stopped_because: reason }) => reason !== 'reached' && reason !== 'condition_met',
  },
  'payments fail': {
    adjust: (fields) => ({
      ...('always' in fields ? {} : { outcomes: ['card_declined'] }),
      ...fields,
    }),
  },
  fork: {
    adjust: (fields, { connection }) => ({
      ...fields,
      from: { sandbox: connection.sandbox, ...(fields['from'] as Fields | undefined) },
    }),
  },
  'what-if': {
    add: (command) =>
      command.argument('[change...]', 'operation name=value ..., perhaps at=INSTANT; any number'),
    adjust: (fields, { rest }) =>
      rest.length === 0 ? fields : { ...fields, changes: changesOf(rest) },
    inTypedWords: (sentence, { rest }) =>
      rest.length === 0 ? sentence : inTypedWords(sentence, rest),
  },
  checkpoint: { inTypedWords: asCheckpoint },
  restore: { inTypedWords: asCheckpoint },
  'checkpoints get': { inTypedWords: asCheckpoint },
  'checkpoints delete': { inTypedWords: asCheckpoint },
  'state export': { isRaw: true },
  fixture: { isRaw: true },
  audit: { isNo: ({ ok }) => ok === false },
  'coverage show': { isNo: ({ ok }) => ok === false },
}

/** The API calls it `name`, which says too little where no request is seen. */
function asCheckpoint(sentence: string): string {
  return sentence.replace(/^name (?=")/, 'checkpoint ')
}

/** What an advance goes by, as it is typed. */
const goals = { by: 'a duration', to: '--to', to_next: '--to-next', until: '--until' }

function requireOne(fields: Fields): void {
  const given = Object.entries(goals).flatMap(([name, label]) => (name in fields ? label : []))
  if (given.length === 1) return
  throw new UsageError(
    `Exactly one of ${Object.values(goals).join(', ')} must be given; got ${given.join(' and ') || 'none'}.`,
  )
}

function readUntil(text: string) {
  const [, id, status] = /^([^=]+)=([^=]+)$/.exec(text) ?? []
  if (id !== undefined) return { subscription_id: id, status }
  throw new UsageError(
    `--until must be a subscription and its status, such as sub_000001=past_due; got "${text}".`,
  )
}
