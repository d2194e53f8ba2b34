/** Forms: those that post or ask for a page, filters of lists, and buttons that post by themselves. */
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import {
  CurrentForm,
  callOrRefusal,
  emptyForm,
  type FormState,
  fieldErrorsOf,
  formWith,
  isSandboxRefusal,
} from '../ui/form-state.ts'
import { type PageContext, usePage } from '../ui/page-context.ts'
import { Section } from '../ui/table.tsx'
import { FormFields, Hidden } from './controls.tsx'
import type { FieldDeclaration } from './field.ts'

/** The messages of the sandbox that belong to no field of the form. */
export const Refused: FC<{ form: FormState }> = ({ form }) => {
  const { refusal, values } = form
  if (refusal === null) return null
  const { message } = refusal
  const isProblem = !isSandboxRefusal(refusal)
  const elsewhere = fieldErrorsOf(form).filter(({ field }) => !values.has(field))
  const texts = elsewhere.map((each) => each.message)
  const [only = 'This was refused. See the marked fields below.'] = texts
  const refused = texts.length > 1 ? 'This was refused:' : only
  return (
    <div class="refusal" role="alert">
      <p>{isProblem ? `Problem of the server: ${message}` : refused}</p>
      {isProblem && <p>This is not a problem of what you entered.</p>}
      {texts.length > 1 && (
        <ul>
          {texts.map((text) => (
            <li>{text}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface FormProps {
  /** The heading of the section around it. */
  readonly title?: string
  /** For buttons outside of it. */
  readonly id?: string
  /** Its name, without a heading. */
  readonly label?: string
  /** The path that it is sent to; by default this page, which no other form of the page may use then. */
  readonly to?: string | undefined
  /** Whether it asks for a page, and changes nothing; the page then says what is refused. */
  readonly isQuery?: boolean
  /** What it shows, if that is not what the page has. */
  readonly form?: FormState
  /** Its values before it is sent; by default those of the query. */
  readonly start?: Readonly<Record<string, unknown>>
  readonly fields?: readonly FieldDeclaration[]
  readonly submit: string
  readonly isDestructive?: boolean
  /** Where those go who do not send it. */
  readonly cancel?: string
  /** What the link there says; by default "Cancel". */
  readonly keep?: string | undefined
  /** The page that shows what it would do, for its fields as a query. */
  readonly preview?: string | undefined
}

/** A form, with its refusal above it and its button below. */
export const Form: FC<PropsWithChildren<FormProps>> = (props) => {
  const { title, to, isQuery, fields = [], submit, cancel, preview, children } = props
  const page = usePage()
  const action = to === undefined ? page.path : page.to(to)
  const state = props.form ?? stateOf(page, action, props)
  const form = (
    <CurrentForm.Provider value={state}>
      <form
        id={props.id}
        method={isQuery ? 'get' : 'post'}
        action={action}
        class="form"
        aria-label={props.label}
        enctype={fields.some(({ kind }) => kind === 'file') ? 'multipart/form-data' : undefined}
        data-preview={preview}
      >
        {!isQuery && <Refused form={state} />}
        <FormFields fields={fields} />
        {children}
        <div class="actions">
          <button type="submit" class={props.isDestructive ? 'danger' : 'primary'}>
            {submit}
          </button>
          {preview && (
            <button type="submit" formmethod="get" formaction={preview} class="unscripted">
              {isQuery ? 'Show' : 'Show what it does'}
            </button>
          )}
          {cancel && <a href={cancel}>{props.keep ?? 'Cancel'}</a>}
        </div>
      </form>
    </CurrentForm.Provider>
  )
  return title === undefined ? form : <Section title={title}>{form}</Section>
}

/** As it was sent, if it was this form of the page that was sent; if not, as it begins. */
function stateOf({ form, path }: PageContext, action: string, { fields = [], start }: FormProps) {
  const names = fields.map(({ name }) => name)
  const isSent = path === action && (names.length === 0 || names.some(form.values.has))
  const paths = Object.fromEntries(fields.map(({ name, paths: own = [] }) => [name, own]))
  if (form.refusal !== null && isSent) return { ...form, paths }
  if (start !== undefined) return formWith(start)
  return form.refusal === null ? form : emptyForm
}

/** A form, and beside it what it would do, which follows each change of it; below it if it needs the whole width. */
export const WithPreview: FC<PropsWithChildren<{ preview: Child; isBelow?: boolean }>> = (
  props,
) => (
  <div class={props.isBelow ? 'above-preview' : 'with-preview'}>
    {props.children}
    <div id="preview" aria-live="polite">
      {props.preview}
    </div>
  </div>
)

/** A form in one line, which asks for the page again: its fields are the query, so that a link keeps what was chosen. */
export const Filter: FC<
  PropsWithChildren<{
    readonly form: FormState
    readonly label: string
    readonly fields: readonly FieldDeclaration[]
    readonly hasAll?: boolean
  }>
> = (props) => {
  const { form, label, fields, hasAll = true, children } = props
  const page = usePage()
  const all = unfilteredAddress(page, fields)
  return (
    <search aria-label={label}>
      <Refused form={form} />
      <form method="get" action={page.path} class="filter">
        {children}
        <Hidden values={page.queryOf('order')} />
        <CurrentForm.Provider value={form}>
          <FormFields fields={fields} />
        </CurrentForm.Provider>
        <button type="submit">Show</button>
        {hasAll && all && <a href={all}>Show all</a>}
      </form>
    </search>
  )
}

/** The address of a page without its filter, and without the part of the list; null if nothing is filtered. */
export function unfilteredAddress(page: PageContext, fields: readonly FieldDeclaration[]) {
  const typed = fields.filter(({ kind }) => kind !== 'hidden').map(({ name }) => name)
  if (!typed.some(page.form.values.raw)) return null
  return page.hereWith(Object.fromEntries([...typed, 'after'].map((name) => [name, null])))
}

/** The result of a query, or null with the filter that says why it is refused. */
export async function filteredList<Found>(page: PageContext, find: () => Promise<Found>) {
  const { values } = page.form
  const { found, refusal } = await callOrRefusal(find)
  // Which part of the list it is has no field in the form: its message is above it.
  const has = (name: string) => !/^(?:after|order)$/.test(name) && values.has(name)
  const form: FormState = { values: { ...values, has }, refusal }
  return { found, form }
}

/** A button that posts by itself. */
export const PostButton: FC<
  PropsWithChildren<{
    readonly to: string
    readonly values?: Readonly<Record<string, string>>
    readonly label?: string
    /** The key that presses it, where scripts run. */
    readonly shortcut?: string
  }>
> = (props) => {
  const page = usePage()
  return (
    <form method="post" action={page.to(props.to)} class="inline">
      <Hidden values={props.values ?? {}} />
      <button type="submit" aria-label={props.label} aria-keyshortcuts={props.shortcut}>
        {props.children}
      </button>
    </form>
  )
}
