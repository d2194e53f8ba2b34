/** Declarations of form fields: how each is shown, and how it is sent. What the schema of a body says is read from it. */
import * as z from 'zod'
import { decimalsOf } from '../../billing/currency.ts'
import { figureText, moneyFields } from '../../wire/common/text.ts'
import type { FormValues } from '../ui/form-state.ts'
import { idFieldOf, type RecordKind } from '../ui/links.tsx'
import type { PageContext } from '../ui/page-context.ts'

export interface FieldDeclaration {
  readonly name: string
  /** By default its name in words. */
  readonly label?: string
  /** What it takes, in a few words; it can have links. */
  readonly hint?: string
  /** How it is typed; by default as a line of text. */
  readonly kind?: 'integer' | 'number' | 'money' | 'words' | 'check' | 'lines' | 'file' | 'hidden'
  /** The values that can be chosen, or each with its label. */
  readonly options?: readonly string[] | Readonly<Record<string, string>>
  /** The label of no choice; without it, the first option is chosen. */
  readonly none?: string
  readonly placeholder?: string
  /** The ids that are suggested, or the kind of the records whose ids are. */
  readonly suggest?: readonly string[] | RecordKind
  /** Whether the browser asks for it before it sends. */
  readonly isRequired?: boolean
  /** Whether it stays empty when its form is refused. */
  readonly isSecret?: true
  /** What it contains before it is sent. */
  readonly start?: string
  /** The key that focuses it, where scripts run. */
  readonly shortcut?: string
  /** The paths by which the sandbox names it, if they are not its name; empty for what only this form has. */
  readonly paths?: readonly string[]
  /** What a change sends if it is empty; by default the empty text, for the sandbox to refuse. */
  readonly empty?: null
}

const SUGGESTED = 50

/** The hint of an amount whose currency is a field of the same form, or of its record. */
export const moneyHint = 'Such as 12.50, with the decimals of the currency'
export const generatedIfEmpty = 'Generated if empty'

/** Finds customers, and what belongs to them. */
export const searchField = { name: 'search', placeholder: 'Name, e-mail or id' } as const

/** The hint of an instant; a date is its midnight. */
export function instantHint(empty: string): string {
  return `2027-03-01, which is midnight UTC, or 2027-03-01T12:00:00Z; ${empty} if empty`
}

/** A field without its name: its hint, its label and its hint, or all that is not as usual. */
export type FieldTexts =
  | string
  | readonly [label: string, hint: string]
  | Omit<FieldDeclaration, 'name'>

export function fieldsFrom(texts: Readonly<Record<string, FieldTexts>>): FieldDeclaration[] {
  return Object.entries(texts).map(([name, text]) => {
    if (typeof text === 'string') return { name, hint: text }
    return '0' in text ? { name, label: text[0], hint: text[1] } : { name, ...text }
  })
}

/** Fields of a body in this order: their kinds, and whether null clears them, are those of its schema. */
export function formFieldsOf<Shape extends z.ZodRawShape>(
  { shape }: { readonly shape: Shape },
  texts: { readonly [Name in keyof Shape & string]?: FieldTexts },
): FieldDeclaration[] {
  return fieldsFrom({ ...texts } as Record<string, FieldTexts>).map((field) => {
    const schema = shape[field.name] as unknown as z.ZodType
    const isCleared = schema.safeParse(null).success
    return {
      ...(moneyFields.test(field.name) ? { kind: 'money' as const } : kindOf(schema)),
      ...(isCleared && { empty: null }),
      ...(field.name === 'currency' && { placeholder: 'USD' }),
      ...field,
    }
  })
}

function kindOf(schema: unknown): Pick<FieldDeclaration, 'kind'> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return kindOf(schema.unwrap())
  }
  if (schema instanceof z.ZodDefault) return kindOf(schema.unwrap())
  if (schema instanceof z.ZodNumber) return { kind: 'integer' }
  if (schema instanceof z.ZodBoolean) return { kind: 'check' }
  return schema instanceof z.ZodArray ? { kind: 'words' } : {}
}

export function withSuggestions(page: PageContext, fields: readonly FieldDeclaration[]) {
  return Promise.all(
    fields.map(async (field) => {
      const { suggest } = field
      if (suggest === undefined || typeof suggest !== 'string') return field
      const id = idFieldOf(suggest)
      const { data } = await page.list(`/sandbox/${suggest as 'plan'}s`, { limit: SUGGESTED })
      return { ...field, suggest: data.map((record) => String({ ...record }[id as never])) }
    }),
  )
}

/** The body of a request that creates a record: what is empty is left out. */
export function bodyOf(fields: readonly FieldDeclaration[], values: FormValues) {
  return Object.fromEntries(fields.map((field) => [field.name, jsonValueOf(field, values)]))
}

/** The body of a request that changes a record: what is empty is cleared, or refused by the sandbox. */
export function patchOf(fields: readonly FieldDeclaration[], values: FormValues) {
  const changes = fields.map((field): [string, unknown] => {
    const { name, kind } = field
    if (kind === 'check') return [name, values.has(name)]
    return [name, jsonValueOf(field, values) ?? (field.empty === null ? null : values.raw(name))]
  })
  return Object.fromEntries(changes)
}

/** As its kind is written in JSON; undefined where it is empty. */
function jsonValueOf({ name, kind }: FieldDeclaration, values: FormValues): unknown {
  if (kind === 'check') return values.has(name) || undefined
  // A text that is no amount is sent as it was typed, so that the sandbox refuses it with the other fields.
  if (kind === 'money') return minorUnitsOf(values, name) ?? values.text(name)
  return kind === 'integer' || kind === 'number' || kind === 'words'
    ? values[kind](name)
    : values.text(name)
}

/** An amount as it is typed: `12.50`; without a currency, in minor units. */
export function formatTypedAmount(amount: number, currency: string): string {
  return currency === '' ? String(amount) : figureText(amount, currency)
}

/** The minor units of what was typed in a field of a form that has the currency; null for a text that is no such amount. */
export function minorUnitsOf(values: FormValues, name: string): number | null {
  const typed = values.raw(name).trim()
  const text = /^\d{1,3}(,\d{3})+(\.|$)/.test(typed) ? typed.replaceAll(',', '') : typed
  const decimals = decimalsIn(values)
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined || fraction.length > decimals) return null
  return Number(`${whole}${fraction.padEnd(decimals, '0')}`)
}

/** What is wrong with such a text, which the sandbox refuses as it was typed, or with none. */
export function amountRule(values: FormValues, name: string): string {
  const currency = currencyOf(values)
  const example = formatTypedAmount(125 * 10 ** Math.max(1, decimalsIn(values) - 1), currency)
  const what =
    currency === ''
      ? `an integer of minor units, such as ${example}, where no currency is given`
      : `an amount in ${currency}, such as ${example}`
  const typed = values.raw(name)
  return typed === ''
    ? `${name} is missing; it must be ${what}.`
    : `${name} must be ${what}; got ${JSON.stringify(typed)}.`
}

function decimalsIn(values: FormValues): number {
  const currency = currencyOf(values)
  return currency === '' ? 0 : decimalsOf(currency)
}

const currencyOf = (values: FormValues) => values.raw('currency').trim()
