/**
 * JSON as it comes: builds the value from the tokens of a streaming tokenizer, so that no text has to be whole, and no
 * long one holds up other calls. Never repeats what it reads, which may hold a token: a fault is a position. Also bounds
 * nesting, the members of an object and the length of a text, and refuses a key that comes twice.
 */
import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { Tokenizer, TokenType } from '@streamparser/json'
import { JSON_DEPTH_MAX, JSON_MEMBERS_MAX, JSON_TEXT_MAX_BYTES } from '../../surface/operation.ts'
import { invalidFields, printName, RefusalError } from '../../surface/refusals.ts'
import { setMember } from '../../wire/common/case.ts'
import { TimeSlice } from '../../world/time-slice.ts'

/** How many bytes are read between two looks at the time. */
const STEP_BYTES = 4 * 1024

/** What a byte order mark begins with, and no JSON. */
const BYTE_ORDER_MARK = 0xef

/** The most digits of which a double keeps any number. */
const DIGITS_KEPT = 15

/** A tokenizer that keeps the text of the number it read last. */
class NumberTokenizer extends Tokenizer {
  numberText = ''

  protected override parseNumber(text: string): number {
    this.numberText = text
    return Number(text)
  }
}

/** An array or object that is not closed yet, how many members it has, and the name of the one which comes next. */
interface Open {
  readonly value: unknown[] | Record<string, unknown>
  readonly isArray: boolean
  name: string
  members: number
}

/** What can come next, beside the closing of what is empty or complete. */
type Next = 'a value' | 'a name in double quotes' | 'a colon' | 'a comma' | 'nothing more'

/**
 * Reads one JSON value from its bytes as they come; others have their turns meanwhile. Throws 400 with the place of the
 * first fault. Its identity is how far it has come.
 */
export class JsonReader {
  readonly #tokens = new NumberTokenizer()
  readonly #open: Open[] = []
  readonly #valuesMax: number
  readonly #slice = new TimeSlice()
  #values = 0
  /** How many bytes were written since the last token. */
  #sinceToken = 0
  #next: Next = 'a value'
  #value: unknown
  #isBegun = false
  /** Says whether bytes are UTF-8, from the first piece on that ends within a character. */
  #utf8: TextDecoder | null = null

  constructor(valuesMax = Number.POSITIVE_INFINITY) {
    this.#valuesMax = valuesMax
    this.#tokens.onToken = ({ token, value, offset }) => this.#readToken(token, value, offset)
    this.#tokens.onError = (error) => {
      throw error instanceof RefusalError ? error : this.#fault(positionIn(error))
    }
    this.#tokens.onEnd = () => undefined
  }

  /** Reads the next bytes; a promise where that takes longer. */
  take(bytes: Uint8Array): Promise<void> | void {
    const isLong = bytes.length > STEP_BYTES || this.#slice.isOver()
    return isLong ? this.#takeInSlices(bytes) : this.#write(bytes)
  }

  /** The value, once all of it was taken. */
  end(): unknown {
    this.#assertUtf8()
    this.#tokens.end()
    if (this.#next !== 'nothing more') throw this.#fault(null)
    return this.#value
  }

  async #takeInSlices(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; from += STEP_BYTES) {
      if (this.#slice.isOver()) await this.#slice.next()
      this.#write(bytes.subarray(from, from + STEP_BYTES))
    }
  }

  #write(bytes: Uint8Array): void {
    this.#assertUtf8(bytes)
    if (!this.#isBegun && bytes[0] === BYTE_ORDER_MARK) throw this.#fault(0)
    this.#isBegun ||= bytes.length > 0
    this.#sinceToken += bytes.length
    this.#tokens.write(bytes)
    // The tokenizer holds what it has of a token, and a body may be large.
    if (this.#sinceToken > JSON_TEXT_MAX_BYTES + STEP_BYTES) {
      throw invalidBody(`The JSON has a text of more than ${JSON_TEXT_MAX_BYTES} bytes.`)
    }
  }

  /** Checks what comes next; without it, that no character is incomplete. The tokenizer would replace it by a mark. */
  #assertUtf8(next?: Uint8Array): void {
    // Nearly every piece is whole, which is seen in a thirtieth of the time.
    if (this.#utf8 === null && (next === undefined || isUtf8(next))) return
    this.#utf8 ??= new TextDecoder('utf-8', { fatal: true })
    try {
      this.#utf8.decode(next, { stream: next !== undefined })
    } catch {
      throw notUtf8()
    }
  }

  #readToken(token: TokenType, value: unknown, offset: number): void {
    this.#sinceToken = 0
    const inner = this.#open.at(-1)
    const isInArray = inner?.isArray === true
    if (token === TokenType.LEFT_BRACE) this.#begin({}, offset)
    else if (token === TokenType.LEFT_BRACKET) this.#begin([], offset)
    else if (token === TokenType.RIGHT_BRACE) this.#close(inner !== undefined && !isInArray, offset)
    else if (token === TokenType.RIGHT_BRACKET) this.#close(isInArray, offset)
    else if (token === TokenType.COLON) this.#expect('a colon', offset, 'a value')
    else if (token === TokenType.COMMA) {
      this.#expect('a comma', offset, isInArray ? 'a value' : 'a name in double quotes')
    } else if (this.#next === 'a name in double quotes' && token === TokenType.STRING) {
      this.#name(inner, value as string)
    } else this.#put(value, offset)
  }

  #begin(value: Open['value'], offset: number): void {
    if (this.#next !== 'a value') throw this.#fault(offset)
    if (this.#open.length === JSON_DEPTH_MAX) {
      throw invalidBody(`The JSON is nested deeper than ${JSON_DEPTH_MAX} levels.`)
    }
    const isArray = Array.isArray(value)
    this.#open.push({ value, isArray, name: '', members: 0 })
    if (!isArray) this.#next = 'a name in double quotes'
  }

  #close(fits: boolean, offset: number): void {
    if (!fits || (this.#next !== 'a comma' && this.#open.at(-1)?.members !== 0)) {
      throw this.#fault(offset)
    }
    const closed = this.#open.pop()
    this.#next = 'a value'
    this.#put(closed?.value, offset)
  }

  #name(object: Open | undefined, name: string): void {
    if (object === undefined) throw new Error('A name stands in an object')
    if (Object.hasOwn(object.value, name)) {
      throw invalidBody(`${printName(name)} must be given once; got it twice.`)
    }
    object.members += 1
    if (object.members > JSON_MEMBERS_MAX) {
      throw invalidBody(`The JSON has an object of more than ${JSON_MEMBERS_MAX} members.`)
    }
    object.name = name
    this.#next = 'a colon'
  }

  #put(value: unknown, offset: number): void {
    if (this.#next !== 'a value') throw this.#fault(offset)
    this.#values += 1
    if (this.#values > this.#valuesMax) {
      throw invalidBody(`The JSON holds more than ${this.#valuesMax} values.`)
    }
    const inner = this.#open.at(-1)
    if (typeof value === 'number') this.#assertExact(value)
    this.#next = inner === undefined ? 'nothing more' : 'a comma'
    if (inner === undefined) this.#value = value
    else if (inner.isArray) inner.members = (inner.value as unknown[]).push(value)
    else setMember(inner.value as Record<string, unknown>, inner.name, value)
  }

  /** What is read without a bound on its values, such as a pact, has numbers of its own. */
  #assertExact(value: number): void {
    if (this.#valuesMax === Number.POSITIVE_INFINITY) return
    const text = this.#tokens.numberText
    // Looked for behind another digit only: a run of zeros would be tried from each of them.
    const digits = text.replace(/e.*|[-.]/gi, '').replace(/^0+|(?<=[1-9])0+$/g, '')
    if (digits.length > DIGITS_KEPT ? String(value) === text : value !== 0 || digits === '') return
    const place = this.#open.map((each) => (each.isArray ? `[${each.members}]` : `.${each.name}`))
    const field = place.join('').replace(/^\./, '')
    throw invalidFields([
      {
        field,
        message: `${field === '' ? 'The body' : printName(field)} must have at most ${DIGITS_KEPT} digits if it is a number; got one that would be rounded.`,
      },
    ])
  }

  #expect(expected: Next, offset: number, next: Next): void {
    if (this.#next !== expected) throw this.#fault(offset)
    this.#next = next
  }

  /** Says where the fault is, counted in bytes, and what could stand there. */
  #fault(offset: number | null): RefusalError {
    const place = offset === null ? 'at its end' : `at byte ${offset + 1}`
    const closing = this.#open.at(-1)?.isArray ? ']' : '}'
    const expected = this.#next === 'a comma' ? `a comma or ${closing}` : this.#next
    return invalidBody(`The body must be JSON; expected ${expected} ${place}.`)
  }
}

export function notUtf8(): RefusalError {
  return invalidBody('The body is not UTF-8.')
}

/** Where the tokenizer found a fault; it says so in words only. Null at the end. */
function positionIn({ message }: Error): number | null {
  const [, position] = /position "(\d+)"/.exec(message) ?? []
  return position === undefined ? null : Number(position)
}

export function invalidBody(message: string): RefusalError {
  return new RefusalError('invalid_request', message)
}
