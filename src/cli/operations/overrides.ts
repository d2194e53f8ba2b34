/** Where a command differs from its operation: shorter ways to write its body, and which answers end with exit code 1. */
import { Argument, type Command } from 'commander'
import { instantText } from '../../wire/common/text.ts'
import { ask, type Connection } from '../terminal/connection.ts'
import type { OutputValues } from '../terminal/output.ts'
import { exitAs } from '../terminal/stoppable.ts'
import { addReaders, createReader, UsageError } from '../terminal/usage.ts'
import { commandOperations, readValue, refuseDecimals, setAt } from './fields.ts'

export type TypedFields = Record<string, unknown>

export interface OperationValues extends Connection, OutputValues {
  readonly [attribute: string]: unknown
  readonly body?: string
  readonly follow?: boolean
}

export interface Typed {
  readonly values: OperationValues
  /** The arguments for the path. */
  readonly ids: readonly string[]
  readonly fields: TypedFields
  /** The arguments that the operation does not have. */
  readonly rest: readonly string[]
}

interface Overrides {
  readonly add?: (command: Command) => void
  /** Turns the fields that were typed into those that are sent. */
  readonly adjust?: (typed: Typed) => TypedFields
  /** Puts what was typed in place of what the server names. */
  readonly inTypedWords?: (sentence: string, typed: Typed) => string
  /** Shows progress until the reply arrives. */
  readonly withProgress?: (reply: Promise<Response>, connection: Connection) => Promise<Response>
  /** Prints the answer unchanged, for a file. */
  readonly isRaw?: true
  /** Whether the command ends with exit code 1 after this answer; what the answer does not say in words is a text. */
  readonly isNo?: (answer: TypedFields, typed: Typed) => boolean | string
}

export const overrides: Readonly<Record<string, Overrides>> = {
  'clock advance': {
    add: (command) =>
      addReaders(command, { until: readUntil }).option(
        '--until <id=status>',
        'until a subscription has a status, within a year',
      ),
    adjust: ({ fields, values: { until } }) => {
      const all = until === undefined ? fields : { ...fields, until }
      requireOne(all)
      return all
    },
    inTypedWords: (sentence, { values }) => {
      if (values['until'] !== undefined) return sentence.replace(/^until\./, '--until: ')
      return values.body === undefined
        ? sentence.replace(/^by (?=must)/, 'the argument by ')
        : sentence
    },
    withProgress: showProgress,
    isNo: ({ stopped_because: reason, to }, { values: { until } }) => {
      if (reason === 'reached' || reason === 'condition_met') return false
      if (until === undefined) return true
      const { subscription_id: id, status } = until as TypedFields
      return `The clock was moved to ${instantText(String(to))}; ${id} did not become ${status}.`
    },
  },
  'coupons create': {
    adjust: ({ fields, values }) => {
      refuseFixedDecimals('--value', values)
      return fields
    },
  },
  'payments fail': {
    adjust: ({ fields }) =>
      'always' in fields ? fields : { outcomes: ['card_declined'], ...fields },
  },
  fork: {
    adjust: ({ fields, values: { sandbox } }) => ({
      ...fields,
      from: { sandbox, ...(fields['from'] as TypedFields | undefined) },
    }),
  },
  'what-if': {
    add: (command) => {
      const words = 'operation name=value ..., perhaps at=INSTANT; any number'
      const change = new Argument('[change...]', words)
      const operations = [...commandOperations]
      change.argChoices = operations.flatMap(([id, { isChange }]) => (isChange ? id : []))
      command.addArgument(change)
    },
    // A table has all invoices of a customer; a program asks for those that it needs.
    adjust: ({ fields, rest, values: { json, output } }) => ({
      ...(json || output !== 'table' ? {} : { unchanged: true }),
      ...fields,
      ...(rest.length === 0 ? {} : { changes: readChanges(rest) }),
    }),
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

function requireOne(fields: TypedFields): void {
  const given = Object.entries(goals).flatMap(([name, label]) => (name in fields ? label : []))
  if (given.length === 1) return
  throw new UsageError(
    `Exactly one of ${Object.values(goals).join(', ')} must be given; got ${given.join(' and ') || 'none'}.`,
  )
}

const readUntil = createReader(
  'a subscription and its status, such as sub_000001=past_due',
  (text) => {
    const [, id, status] = /^([^=]+)=([^=]+)$/.exec(text) ?? []
    return id === undefined ? undefined : { subscription_id: id, status }
  },
)

/** A fixed discount is an amount; a percentage may have decimals. */
function refuseFixedDecimals(name: string, { type, value }: TypedFields): void {
  if (type === 'fixed') refuseDecimals(name, value)
}

/** The texts of the fields of a change, by name. */
type ChangeTexts = Record<string, string>

/** Reads words such as `cancelSubscription subscription_id=sub_000001 at=2027-03-01`. Throws `UsageError`. */
function readChanges(words: readonly string[]): TypedFields[] {
  const typed: { readonly operation: string; readonly texts: ChangeTexts }[] = []
  for (const word of words) {
    const [, name = '', text] = /^([^=]+)(?:=(.*))?$/s.exec(word) ?? []
    const last = typed.at(-1)
    if (text === undefined) typed.push({ operation: word, texts: {} })
    else if (last === undefined) {
      throw new UsageError(
        `A change begins with an operation, such as updateSubscription; got "${word}".`,
      )
    } else if (Object.hasOwn(last.texts, name)) {
      throw new UsageError(
        `${name} of ${last.operation} must be given once; got "${text}" as well.`,
      )
    } else last.texts[name] = text
  }
  return typed.map(({ operation, texts }) => changeOf(operation, texts))
}

/** Puts each field where its operation has it. The server refuses an unknown operation. */
function changeOf(operation: string, { at, ...texts }: ChangeTexts): TypedFields {
  refuseFixedDecimals('value', texts)
  const { params = {}, fields = [] } = commandOperations.get(operation) ?? {}
  // Parameters and the body are there from the start, so that the server names what is missing in them.
  const start = (parts: object) => (Object.keys(parts).length > 0 ? {} : undefined)
  const change: TypedFields = { operation, params: start(params), body: start(fields) }
  if (at !== undefined) change['at'] = at
  for (const [name, text] of Object.entries(texts)) {
    const field = fields.find(({ path }) => path.join('.') === name) ?? { kind: 'text' }
    if (Object.hasOwn(params, name)) setAt(change, ['params', name], text)
    else setAt(change, ['body', name], readValue(name, field, text))
  }
  return change
}

/** A sentence of the server about a change, with the words that were typed: `plan of updateSubscription must be ...`. */
function inTypedWords(sentence: string, words: readonly string[]): string {
  const operations = words.filter((word) => !word.includes('='))
  return sentence.replace(
    /^changes\[(\d+)\](?:\.(?:params|body)(?=\.))?(?:\.([\w.[\]-]+))?/,
    (_, digits: string, name?: string) => {
      const operation = operations[Number(digits)] ?? ''
      const change = `change ${Number(digits) + 1}`
      if (name === 'operation') return `The operation of ${change}`
      const isOnly = operations.filter((each) => each === operation).length === 1
      const called = isOnly ? operation : `${operation} (${change})`
      return name === undefined ? called : `${name} of ${called}`
    },
  )
}

const LOOK_MS = 500

const ERASE = '\r\x1b[2K'

/** Waits for an advance, and shows the virtual now to a person at stderr. */
async function showProgress(reply: Promise<Response>, connection: Connection): Promise<Response> {
  if (!process.stderr.isTTY) return reply
  // Of the server, because those of the sandbox itself wait for the advance.
  const path = `/sandboxes/${encodeURIComponent(connection.sandbox)}`
  const startedAt = performance.now()
  let shown: 'nothing' | 'now' | 'all' = 'nothing'
  const looking = setInterval(async () => {
    // The advance itself is about to say what is wrong.
    const answer = await ask(connection, path).catch(() => null)
    const now = answer && ((await answer.json()) as { now: string }).now
    if (now === null || shown === 'all') return
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    process.stderr.write(`${ERASE}advancing: ${instantText(now)}, ${seconds} s`)
    shown = 'now'
  }, LOOK_MS)
  const leave = (signal: NodeJS.Signals) => {
    process.stderr.write(`${ERASE}The server goes on with the advance to its end.\n`)
    exitAs(signal)
  }
  process.once('SIGINT', leave)
  return reply.finally(() => {
    process.off('SIGINT', leave)
    clearInterval(looking)
    if (shown === 'now') process.stderr.write(ERASE)
    shown = 'all'
  })
}
