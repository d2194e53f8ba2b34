/** The values of a form, and the refusal of the sandbox. */
import { createContext, type Context as JsxContext } from 'hono/jsx'
import { type FieldError, SandboxError } from '../../library/sandbox-error.ts'
import { tryParseJson } from '../../wire/common/text.ts'

export type FormValues = Readonly<ReturnType<typeof valuesOf>>

export interface FormState {
  readonly values: FormValues
  /** Null before anything was sent. */
  readonly refusal: SandboxError | null
  /** The paths by which the sandbox names a field, if they are not its name in the form. */
  readonly paths?: Readonly<Record<string, readonly string[]>>
}

export function valuesOf(form: FormData | URLSearchParams) {
  const raw = (name: string): string => {
    const value: unknown = form.get(name) ?? ''
    return value instanceof File ? value.name : String(value)
  }
  const asNumber = (shape: RegExp) => (name: string) => {
    const text = raw(name).trim()
    if (text === '') return undefined
    return shape.test(text) ? Number(text) : (text as unknown as number)
  }
  return {
    /** As it was typed; empty if the field is. */
    raw,
    /** Undefined if the field is empty: then it is not sent on. */
    text: (name: string) => raw(name) || undefined,
    /** An integer. Anything else is sent on unchanged, so that the sandbox refuses it in its words. */
    integer: asNumber(/^-?\d{1,15}$/),
    /** As `integer`, with or without decimals. */
    number: asNumber(/^-?\d{1,15}(\.\d{1,9})?$/),
    /** The words between commas or spaces; undefined if the field is empty. */
    words: (name: string): string[] | undefined => raw(name).match(/[^\s,]+/g) ?? undefined,
    /** The fields with these names that are not empty, as they were typed. */
    filled: <Name extends string>(names: readonly Name[]): { readonly [Each in Name]?: string } =>
      Object.fromEntries(names.map((name) => [name, raw(name)]).filter(([, text]) => text)),
    /** The chosen file; undefined if no file was chosen. */
    file: (name: string): File | undefined => {
      const value: unknown = form.get(name)
      return value instanceof File && value.name !== '' ? value : undefined
    },
    /** Whether the form has such a field: a box that is not checked is not sent. */
    has: (name: string) => form.has(name),
  }
}

/** The value that a text is in JSON; any other text as it is, for the sandbox to refuse. */
export function jsonOr(typed: string): unknown {
  const value = tryParseJson(typed)
  return value === undefined ? typed : value
}

export const emptyForm: FormState = formWith({})

/** The form that is rendered, for the fields in it. */
export const CurrentForm: JsxContext<FormState> = createContext(emptyForm)

export function formWith(values: Readonly<Record<string, unknown>>): FormState {
  return { values: valuesOf(searchOf(values)), refusal: null }
}

/** Values as a query; those that are null or undefined are left out. */
export function searchOf(values: Readonly<Record<string, unknown>>): URLSearchParams {
  const present = Object.entries(values).filter(([, value]) => (value ?? null) !== null)
  return new URLSearchParams(present.map(([name, value]): [string, string] => [name, `${value}`]))
}

/** The message of the sandbox for one field, or for something within it; undefined where it has none. */
export function messageFor(form: FormState, name: string): string | undefined {
  const own = fieldErrorsOf(form).flatMap(({ field, message }) => (field === name ? message : []))
  return own.join(' ') || undefined
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
  const errors = fields.length > 0 ? fields : [{ field: '', message: whole }]
  return errors.map(({ field, message }) => {
    const [, first = ''] = /^(?:\S+: )?(\S+)/.exec(message) ?? []
    return { field: fieldAt(form, field) ?? fieldAt(form, first) ?? field, message }
  })
}

/** The field of the form for a path, or for what the path is within. */
function fieldAt(form: Omit<FormState, 'refusal'>, path: string): string | undefined {
  const { values, paths = {} } = form
  if (path === '') return undefined
  const named = Object.keys(paths).find((name) => values.has(name) && paths[name]?.includes(path))
  if (named !== undefined) return named
  if (values.has(path)) return path
  return fieldAt(form, path.replace(/[.[]?[^.[]*$/, ''))
}

/** Whether the sandbox refused a request, as a strict one does with 501; its other errors are no fault of the visitor. */
export function isSandboxRefusal(error: unknown): error is SandboxError {
  return error instanceof SandboxError && (error.status < 500 || error.code === 'undocumented')
}

/** What calls find for ids, without those that the sandbox refuses. */
export async function findAll<Found>(ids: readonly string[], call: (id: string) => Promise<Found>) {
  const found = await Promise.all(ids.map((id) => callOrRefusal(() => call(id))))
  return found.flatMap(({ found: each }) => (each === null ? [] : [each]))
}

export async function callOrRefusal<Found>(call: () => Promise<Found>) {
  try {
    return { found: await call(), refusal: null }
  } catch (refusal) {
    if (isSandboxRefusal(refusal)) return { found: null, refusal }
    throw refusal
  }
}
