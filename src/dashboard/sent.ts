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
  /** What stands between commas or spaces; undefined where the field is empty. */
  readonly words: (name: string) => string[] | undefined
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
  /** The paths by which the sandbox names a field, where they are not its name in the form. */
  readonly paths?: Readonly<Record<string, readonly string[]>>
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
    words: (name) => raw(name).match(/[^\s,]+/g) ?? undefined,
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

/** What the sandbox says of one field, or of something within it; undefined where it says nothing. */
export function messageFor(sent: Sent, name: string): string | undefined {
  const own = complaintsOf(sent).filter(({ field }) => field === name)
  return own.map(({ message }) => message).join(' ') || undefined
}

/**
 * What is wrong with which field of the form; what has none keeps the path that the sandbox gives it. A refusal that
 * lists no fields, such as of an unknown id, begins with the path of one, and that of a change with the change before it.
 */
export function complaintsOf(sent: Sent): readonly FieldError[] {
  const { refusal } = sent
  // What the server could not do is no fault of a field, whatever word its message begins with.
  if (refusal === null || !isSandboxRefusal(refusal)) return []
  const { fields, message: whole } = refusal
  return (fields.length > 0 ? fields : [{ field: '', message: whole }]).map(
    ({ field, message }) => {
      const [, first = ''] = /^(?:\S+: )?(\S+)/.exec(message) ?? []
      return { field: fieldAt(sent, field) ?? fieldAt(sent, first) ?? field, message }
    },
  )
}

/** The field of the form that stands for a path, or for what it is within. */
function fieldAt({ values, paths = {} }: Omit<Sent, 'refusal'>, path: string): string | undefined {
  if (path === '') return undefined
  const named = Object.keys(paths).find((name) => values.has(name) && paths[name]?.includes(path))
  if (named !== undefined) return named
  if (values.has(path)) return path
  return fieldAt({ values, paths }, path.replace(/[.[]?[^.[]*$/, ''))
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
