/** What a form sent, and what the sandbox said to it. */
import { type FieldError, SandboxError } from '../library/sandbox-error.ts'

/** The fields of a form as they were sent. */
export interface Values {
  /** As it was typed; empty where the field is. */
  readonly raw: (name: string) => string
  /** Undefined where the field is empty: then the order does not have it. */
  readonly text: (name: string) => string | undefined
  /** An integer; what is none is handed on as it is, so that the sandbox refuses it in its own words. */
  readonly integer: (name: string) => number | undefined
  /** As `integer`, with or without decimals. */
  readonly number: (name: string) => number | undefined
  readonly isChecked: (name: string) => boolean
  /** Of several fields of one name, those that are not empty. */
  readonly all: (name: string) => string[]
  /** A file that was chosen; undefined where none was. */
  readonly file: (name: string) => File | undefined
  /** Whether the form has such a field. */
  readonly has: (name: string) => boolean
}

export interface Sent {
  readonly values: Values
  /** Null before anything was sent. */
  readonly refusal: SandboxError | null
}

export function valuesOf(form: FormData | URLSearchParams): Values {
  const all = (name: string) =>
    form.getAll(name).map((value) => (typeof value === 'string' ? value : value.name))
  const raw = (name: string) => all(name)[0] ?? ''
  const asNumber = (shape: RegExp) => (name: string) => {
    const text = raw(name).trim()
    if (text === '') return undefined
    return shape.test(text) ? Number(text) : (text as unknown as number)
  }
  return {
    raw,
    text: (name) => raw(name) || undefined,
    integer: asNumber(/^-?\d{1,15}$/),
    number: asNumber(/^-?\d{1,15}(\.\d{1,9})?$/),
    isChecked: (name) => form.has(name),
    all: (name) => all(name).filter((value) => value !== ''),
    file: (name) => {
      const value: unknown = form.get(name)
      return value instanceof File && value.name !== '' ? value : undefined
    },
    has: (name) => form.has(name),
  }
}

/** A form before anything was sent. */
export const nothingSent: Sent = { values: valuesOf(new URLSearchParams()), refusal: null }

/** A form that begins with these values. */
export function startingWith(
  values: Readonly<Record<string, string | number | null | undefined>>,
): Sent {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  const params = new URLSearchParams()
  for (const [name, value] of given) params.set(name, String(value))
  return { values: valuesOf(params), refusal: null }
}

/** The form as it was sent; before that, with what the query of its address says. */
export function sentOrAsked(sent: Sent, { asked }: { readonly asked: Values }): Sent {
  return sent.refusal === null ? { values: asked, refusal: null } : sent
}

/** What the sandbox says of one field, or of something in its list; undefined where it says nothing. */
export function messageFor(sent: Sent, name: string): string | undefined {
  return complaintsOf(sent).find(({ field }) => field.replace(/\[\d+\]$/, '') === name)?.message
}

/** What is wrong with which field. A refusal that lists none, such as of an unknown id, begins with the name of one. */
export function complaintsOf({ refusal, values }: Sent): readonly FieldError[] {
  if (refusal === null || refusal.fields.length > 0) return refusal?.fields ?? []
  const [field = ''] = refusal.message.split(' ', 1)
  return values.has(field) ? [{ field, message: refusal.message }] : []
}

/** Whether the sandbox refused what was asked for; anything else that it answers is no fault of the visitor. */
export function isSandboxRefusal(error: unknown): error is SandboxError {
  return error instanceof SandboxError && error.status < 500
}

type FoundOrRefused<Found> =
  | { readonly found: Found; readonly refusal: null }
  | { readonly found: null; readonly refusal: SandboxError }

/** What a call finds, or what the sandbox refuses it with. */
export async function foundOrRefused<Found>(
  call: () => Promise<Found>,
): Promise<FoundOrRefused<Found>> {
  try {
    return { found: await call(), refusal: null }
  } catch (refusal) {
    if (isSandboxRefusal(refusal)) return { found: null, refusal }
    throw refusal
  }
}
