/** Forms. Owns that the message of the sandbox for a field stands beside it, and is read out with it. */
import { type Child, type FC, type PropsWithChildren, useContext } from 'hono/jsx'
import { CurrentForm, type FormState, fieldErrorsOf, messageFor } from '../ui/form-state.ts'
import { usePage } from '../ui/page-context.ts'
import { type FieldDeclaration, labelOf, type Option } from './field.ts'

/** A field of the form around it: its label and control, its hint, and the message of the sandbox. */
export const FormField: FC<FieldDeclaration> = (field) => {
  const { name, hint, kind } = field
  const form = useContext(CurrentForm)
  const id = `field-${name}`
  const message = messageFor(form, name)
  const parts = [hint && 'hint', message && 'wrong'].filter(Boolean)
  const first = fieldErrorsOf(form).find((each) => form.values.has(each.field))
  const box = {
    id,
    name,
    'aria-describedby': parts.map((part) => `${id}-${part}`).join(' ') || undefined,
    'aria-invalid': message === undefined ? undefined : ('true' as const),
    // Its message is read out with it.
    autofocus: first?.field === name || undefined,
  }
  const control = <Control field={field} box={box} form={form} />
  return (
    <div class={kind === 'check' ? 'field check' : 'field'}>
      {kind === 'check' ? (
        <label for={id}>
          {control}
          {labelOf(field)}
        </label>
      ) : (
        <>
          <label for={id}>{labelOf(field)}</label>
          {control}
        </>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {message && (
        <p class="wrong" id={`${id}-wrong`}>
          {message}
        </p>
      )}
    </div>
  )
}

/** The attributes by which the texts of a field are read out with its control. */
interface Box {
  readonly id: string
  readonly name: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': 'true' | undefined
  readonly autofocus: true | undefined
}

const Control: FC<{ field: FieldDeclaration; box: Box; form: FormState }> = ({
  field: { name, kind, options, none, start, placeholder, isRequired, suggest },
  box,
  form: { values },
}) => {
  if (options !== undefined) {
    return (
      <select {...box}>
        {none !== undefined && <option value="">{none}</option>}
        <Options options={options} chosen={values.raw(name)} />
      </select>
    )
  }
  if (kind === 'check') {
    return <input {...box} type="checkbox" value="true" checked={values.isChecked(name)} />
  }
  if (kind === 'file') return <input {...box} type="file" />
  if (kind === 'lines') {
    return (
      <textarea {...box} rows={8} spellcheck={false}>
        {values.has(name) ? values.raw(name) : start}
      </textarea>
    )
  }
  const list = typeof suggest === 'object' ? suggest : undefined
  return (
    <>
      {/* Numbers are typed as text: the sandbox says what is wrong with them. */}
      <input
        {...box}
        type="text"
        inputmode={kind === 'integer' || kind === 'number' ? 'numeric' : undefined}
        value={values.raw(name)}
        placeholder={placeholder}
        required={isRequired ?? false}
        autocomplete="off"
        list={list && `${box.id}-list`}
      />
      {list && (
        <datalist id={`${box.id}-list`}>
          <Options options={list} />
        </datalist>
      )}
    </>
  )
}

const Options: FC<{ options: readonly Option[]; chosen?: string }> = ({ options, chosen }) => (
  <>
    {options.map((option) => {
      if (chosen === undefined) return <option value={String(option)} />
      const [value, label] = typeof option === 'string' ? [option, option] : option
      return (
        <option value={value} selected={value === chosen}>
          {label}
        </option>
      )
    })}
  </>
)

/** Several fields, in order. */
export const FormFields: FC<{ fields: readonly FieldDeclaration[] }> = ({ fields }) => (
  <>
    {fields.map((field) => (
      <FormField {...field} />
    ))}
  </>
)

/** Hidden fields, by name. */
export const Hidden: FC<{ values: Readonly<Record<string, string>> }> = ({ values }) => (
  <>
    {Object.entries(values).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
)

/** The messages of the sandbox that belong to no field of the form. */
export const Refused: FC<{ form: FormState }> = ({ form }) => {
  const { refusal, values } = form
  if (refusal === null) return null
  if (refusal.status >= 500) {
    return (
      <div class="refusal" role="alert">
        <p>Problem of the server: {refusal.message}</p>
        <p>This is not a problem of what you entered.</p>
      </div>
    )
  }
  const elsewhere = fieldErrorsOf(form).filter(({ field }) => !values.has(field))
  return (
    <div class="refusal" role="alert">
      <p>{refusalText(elsewhere.map(({ message }) => message))}</p>
      {elsewhere.length > 1 && (
        <ul>
          {elsewhere.map(({ message }) => (
            <li>{message}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** One sentence: for marked fields alone, for one other error, or above a list of several. */
function refusalText([only, ...others]: readonly string[]): string {
  if (only === undefined) return 'This was refused. See the marked fields below.'
  return others.length === 0 ? only : 'This was refused:'
}

interface FormProps {
  /** For buttons that stand outside of it. */
  readonly id?: string
  readonly action: string
  readonly form: FormState
  readonly fields?: readonly FieldDeclaration[]
  readonly submit: string
  /** Whether the button warns. */
  readonly isDestructive?: boolean
  /** Where those go who do not send it. */
  readonly cancel?: string
  /** The page that shows what it would do, for its fields as a query. */
  readonly preview?: string
}

/** A form that posts, with its refusal above it and its button below. */
export const Form: FC<PropsWithChildren<FormProps>> = (props) => {
  const { id, action, form, fields = [], submit, cancel, preview, children } = props
  const hasFile = fields.some(({ kind }) => kind === 'file')
  return (
    <CurrentForm.Provider value={form}>
      <form
        id={id}
        method="post"
        action={action}
        class="form"
        enctype={hasFile ? 'multipart/form-data' : undefined}
        data-preview={preview}
      >
        <Refused form={form} />
        {children}
        <FormFields fields={fields} />
        <div class="actions">
          <button type="submit" class={props.isDestructive ? 'danger' : 'primary'}>
            {submit}
          </button>
          {preview && (
            <button type="submit" formmethod="get" formaction={preview} class="unscripted">
              Show what it does
            </button>
          )}
          {cancel && <a href={cancel}>Cancel</a>}
        </div>
      </form>
    </CurrentForm.Provider>
  )
}

interface QueryFormProps {
  readonly form: FormState
  readonly action: string
  /** The page whose preview follows what is typed. */
  readonly preview?: string | undefined
  readonly label?: string
  readonly actions: Child
}

/** A form that asks for a page, which leads on or shows a preview. */
export const QueryForm: FC<PropsWithChildren<QueryFormProps>> = (props) => (
  <CurrentForm.Provider value={props.form}>
    <form
      method="get"
      action={props.action}
      class="form"
      aria-label={props.label}
      data-preview={props.preview}
    >
      {props.children}
      <div class="actions">{props.actions}</div>
    </form>
  </CurrentForm.Provider>
)

interface PostButtonProps {
  /** The path that it posts to. */
  readonly to: string
  readonly values?: Readonly<Record<string, string>>
  readonly label?: string
}

/** A button that posts by itself. */
export const PostButton: FC<PropsWithChildren<PostButtonProps>> = (props) => {
  const page = usePage()
  return (
    <form method="post" action={page.to(props.to)} class="inline">
      <Hidden values={props.values ?? {}} />
      <button type="submit" aria-label={props.label}>
        {props.children}
      </button>
    </form>
  )
}
