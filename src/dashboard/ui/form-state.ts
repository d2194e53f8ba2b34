/** The values of a form, and the refusal of the sandbox. */
import { createContext, type Context as JsxContext } from 'hono/jsx'
import { type FieldError, SandboxError } from '../../library/sandbox-error.ts'

/** The fields of a form as they were sent. */
export interface FormValues {
  /** As it was typed; empty where the field is. */
  readonly raw: (name: string) => string
  /** Undefined where the field is empty: then it is not sent on. */
  readonly text: (name: string) => string | undefined
  /** An integer. Anything else is handed on as it is, so that the sandbox refuses it in its own words. */
  readonly integer: (name: string) => number | undefined
  /** As `integer`, with or without decimals. */
  readonly number: (name: string) => number | undefined
  /** The words between commas or spaces; undefined where the field is empty. */
  readonly words: (name: string) => string[] | undefined
  readonly isChecked: (name: string) => boolean
  /** The chosen file; undefined where none was. */
  readonly file: (name: string) => File | undefined
  /** Whether the form has such a field. */
  readonly has: (name: string) => boolean
}

export interface FormState {
  readonly values: FormValues
  /** Null before anything was sent. */
  readonly refusal: SandboxError | null
  /** The paths by which the sandbox names a field, where they are not its name in the form. */
  readonly paths?: Readonly<Record<string, readonly string[]>>
}

export function valuesOf(form: FormData | URLSearchParams): FormValues {
  const raw = (name: string) => {
    const value: unknown = form.get(name) ?? ''
    return value instanceof File ? value.name : String(value)
  }
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
    file: (name) => {
      const value: unknown = form.get(name)
      return value instanceof File && value.name !== '' ? value : undefined
    },
    has: (name) => form.has(name),
  }
}

/** The value that a text is in JSON; any other text as it is, for the sandbox to refuse. */
export function jsonOr(typed: string): unknown {
  try {
    return JSON.parse(typed)
  } catch {
    return typed
  }
}

/** A form before anything was sent. */
export const emptyForm: FormState = { values: valuesOf(new URLSearchParams()), refusal: null }

/** The form that is rendered, for the fields in it. */
export const CurrentForm: JsxContext<FormState> = createContext(emptyForm)

/** A form that begins with these values. */
export function formWith(values: Readonly<Record<string, unknown>>): FormState {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined) params.set(name, String(value))
  }
  return { values: valuesOf(params), refusal: null }
}

/** The form as it was sent; before that, with the query of its address. */
export function formOrQuery(
  form: FormState,
  { queryValues }: { readonly queryValues: FormValues },
): FormState {
  return form.refusal === null ? { values: queryValues, refusal: null } : form
}

/** The form if it has a field; otherwise another one on the page was sent. */
export function formIfHas(form: FormState, name: string): FormState {
  return form.values.has(name) ? form : emptyForm
}

/** The message of the sandbox for one field, or for something within it; undefined where it has none. */
export function messageFor(form: FormState, name: string): string | undefined {
  const own = fieldErrorsOf(form).filter(({ field }) => field === name)
  return own.map(({ message }) => message).join(' ') || undefined
}

/**
 * The errors by field of the form; one without a field keeps the path that the sandbox gives it. A refusal that lists no
 * fields, such as of an unknown id, begins with the path of one, and that of a change with the change before it.
 */
export function fieldErrorsOf(form: FormState): readonly FieldError[] {
  const { refusal } = form
  // A failure of the server is no fault of a field, whatever word its message begins with.
  if (refusal === null || !isSandboxRefusal(refusal)) return []
  const { fields, message: whole } = refusal
  return (fields.length > 0 ? fields : [{ field: '', message: whole }]).map(
    ({ field, message }) => {
      const [, first = ''] = /^(?:\S+: )?(\S+)/.exec(message) ?? []
      return { field: fieldAt(form, field) ?? fieldAt(form, first) ?? field, message }
    },
  )
}

/** The field of the form that stands for a path, or for what it is within. */
function fieldAt(form: Omit<FormState, 'refusal'>, path: string): string | undefined {
  const { values, paths = {} } = form
  if (path === '') return undefined
  const named = Object.keys(paths).find((name) => values.has(name) && paths[name]?.includes(path))
  if (named !== undefined) return named
  if (values.has(path)) return path
  return fieldAt(form, path.replace(/[.[]?[^.[]*$/, ''))
}

/** Whether the sandbox refused a request; its other errors are no fault of the visitor. */
export function isSandboxRefusal(error: unknown): error is SandboxError {
  return error instanceof SandboxError && error.status < 500
}

type FoundOrRefused<Found> =
  | { readonly found: Found; readonly refusal: null }
  | { readonly found: null; readonly refusal: SandboxError }

/** The result of a call, or its refusal by the sandbox. */
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
