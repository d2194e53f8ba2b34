/** The changes of a what-if, as they are typed: the name of an operation, and then its fields. */
import * as z from 'zod'
import { fieldsOf, unwrap } from '../surface/schema-walk.ts'
import { declarations, readValue } from './fields.ts'
import { UsageError } from './usage.ts'

interface Change {
  readonly operation: string
  [part: string]: unknown
}

/** Reads words such as `cancelSubscription subscription_id=sub_000001 at=2027-03-01`. Throws `UsageError`. */
export function changesOf(words: readonly string[]): Change[] {
  const changes: Change[] = []
  for (const word of words) {
    const [, name = '', text] = /^([^=]+)(?:=(.*))?$/s.exec(word) ?? []
    const change = changes.at(-1)
    if (text === undefined) changes.push(begin(word))
    else if (change === undefined) {
      throw new UsageError(
        `A change begins with an operation, such as updateSubscription; got "${word}".`,
      )
    } else setField(change, name, text)
  }
  return changes
}

/** A sentence of the server about a change, with the words that were typed: `plan of updateSubscription must be ...`. */
export function inTypedWords(sentence: string, words: readonly string[]): string {
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

/** Its parameters are there from the start, so that the server names the one that is missing. */
function begin(operation: string): Change {
  const params = declarations.get(operation)?.params
  return params === undefined ? { operation } : { operation, params: {} }
}

/** Puts a field where its operation has it. What an operation is that nobody knows, the server says. */
function setField(change: Change, name: string, text: string): void {
  const declared = declarations.get(change.operation)
  const params = fieldsIn(declared?.params)
  const part = params.has(name) ? 'params' : 'body'
  const fields = name === 'at' ? change : { ...(change[part] as object | undefined) }
  if (Object.hasOwn(fields, name)) {
    throw new UsageError(
      `${name} of ${change.operation} must be given once; got "${text}" as well.`,
    )
  }
  if (name === 'at') {
    change['at'] = text
    return
  }
  const schema = fieldsIn(declared?.body && unwrap(declared.body.schema)).get(name) ?? z.string()
  const value = part === 'params' ? text : readValue(name, schema, text)
  change[part] = { ...fields, [name]: value }
}

function fieldsIn(schema: z.ZodType | undefined): ReadonlyMap<string, z.ZodType> {
  return schema === undefined ? new Map() : fieldsOf(schema)
}
