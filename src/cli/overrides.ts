/** Where a command differs from its operation: shorter ways to write its body, and which answers end with exit code 1. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { instantText } from '../wire/text.ts'
import { ask, type Connection, type ConnectionValues } from './connection.ts'
import { UsageError } from './usage.ts'
import { changesOf, inTypedWords } from './what-if.ts'

/** The fields that a command sends. */
export type Fields = Record<string, unknown>

/** The options of a command by their attributes. */
export interface OperationValues extends ConnectionValues {
  readonly [attribute: string]: unknown
  readonly json?: boolean
  readonly body?: string
  readonly follow?: boolean
}

/** What was typed. */
export interface Typed {
  readonly values: OperationValues
  /** The arguments for the path. */
  readonly ids: readonly string[]
  readonly fields: Fields
  /** The arguments that the operation does not have. */
  readonly rest: readonly string[]
}

/** Where one command differs from its operation. */
interface Overrides {
  /** Adds further options and arguments. */
  readonly add?: (command: Command) => void
  /** Turns the fields that were typed into those that are sent. */
  readonly adjust?: (typed: Typed) => Fields
  /** Puts what was typed in place of what the server names. */
  readonly inTypedWords?: (sentence: string, typed: Typed) => string
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
    adjust: ({ fields, values: { until } }) => {
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
    adjust: ({ fields }) =>
      'always' in fields ? fields : { outcomes: ['card_declined'], ...fields },
  },
  fork: {
    adjust: ({ fields, values: { sandbox } }) => ({
      ...fields,
      from: { sandbox, ...(fields['from'] as Fields | undefined) },
    }),
  },
  'what-if': {
    add: (command) =>
      command.argument('[change...]', 'operation name=value ..., perhaps at=INSTANT; any number'),
    adjust: ({ fields, rest }) =>
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

/** How often the clock is read. */
const LOOK_MS = 500

/** Removes the line that the cursor is in. */
const ERASE = '\r\x1b[2K'

/** Waits for an advance, and shows the virtual now on stderr. */
async function whileAdvancing(reply: Promise<Response>, connection: Connection): Promise<Response> {
  const ended = new AbortController()
  const showing = process.stderr.isTTY ? show(connection, ended.signal) : null
  try {
    return await reply
  } finally {
    ended.abort()
    await showing
  }
}

async function show(connection: Connection, ended: AbortSignal): Promise<void> {
  // Of the server, because those of the sandbox itself wait for the advance.
  const path = `/sandboxes/${encodeURIComponent(connection.sandbox)}`
  const startedAt = performance.now()
  let isShown = false
  while (await stillAfter(LOOK_MS, ended)) {
    const now = await ask(connection, path).then(
      async (answer) => ((await answer.json()) as { now: string }).now,
      // The advance itself is about to say what is wrong.
      () => null,
    )
    if (now === null || ended.aborted) continue
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    process.stderr.write(`${ERASE}advancing: ${instantText(now)}, ${seconds} s`)
    isShown = true
  }
  if (isShown) process.stderr.write(ERASE)
}

async function stillAfter(milliseconds: number, ended: AbortSignal): Promise<boolean> {
  await pause(milliseconds, null, { signal: ended }).catch(() => undefined)
  return !ended.aborted
}
