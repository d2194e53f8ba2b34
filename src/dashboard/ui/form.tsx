/** Forms. Owns that what the sandbox says of a field stands beside it, and is read out with it. */
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import { complaintsOf, messageFor, type Sent } from '../sent.ts'

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly sent: Sent
  /** What it takes, in a few words. */
  readonly hint?: Child
}

interface Box {
  readonly id: string
  readonly name: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': 'true' | undefined
  readonly autofocus: true | undefined
}

/** A field's hint and what is wrong with it, and the attributes by which they are read out with its control. */
function describedBy({ name, sent, hint }: FieldProps) {
  const id = `field-${name}`
  const message = messageFor(sent, name)
  const parts = [hint && 'hint', message && 'wrong'].filter(Boolean)
  const first = complaintsOf(sent).find(({ field }) => sent.values.has(field))
  const described = parts.map((part) => `${id}-${part}`).join(' ')
  const box: Box = {
    id,
    name,
    'aria-describedby': described || undefined,
    'aria-invalid': message === undefined ? undefined : 'true',
    // What is wrong is read out with it.
    autofocus: first?.field === name || undefined,
  }
  const notes = (
    <>
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
    </>
  )
  return { box, notes }
}

/** A label, a control, its hint and what is wrong with it. */
const Labelled: FC<FieldProps & { control: (box: Box) => Child }> = ({ control, ...field }) => {
  const { box, notes } = describedBy(field)
  return (
    <div class="field">
      <label for={box.id}>{field.label}</label>
      {control(box)}
      {notes}
    </div>
  )
}

interface TextProps extends FieldProps {
  readonly type?: 'text' | 'number' | 'email'
  readonly placeholder?: string
  /** Whether the browser asks for it before it sends. */
  readonly isRequired?: boolean
  /** What it can be filled in with. */
  readonly suggestions?: readonly string[]
}

/** A field to type into. Numbers are typed as text: the sandbox says what is wrong with them. */
export const TextField: FC<TextProps> = ({
  type = 'text',
  placeholder,
  isRequired = false,
  suggestions,
  ...field
}) => (
  <Labelled
    {...field}
    control={(box) => (
      <>
        <input
          {...box}
          type={type === 'number' ? 'text' : type}
          inputmode={type === 'number' ? 'numeric' : undefined}
          value={field.sent.values.raw(field.name)}
          placeholder={placeholder}
          required={isRequired}
          autocomplete="off"
          list={suggestions && `${box.id}-list`}
        />
        {suggestions && (
          <datalist id={`${box.id}-list`}>
            {suggestions.map((value) => (
              <option value={value} />
            ))}
          </datalist>
        )}
      </>
    )}
  />
)

/** What can be chosen: a value, and what it is called where that is something else. */
export type Option = string | readonly [value: string, label: string]

interface SelectProps extends FieldProps {
  readonly options: readonly Option[]
  /** What stands for no choice; without it, the first option is chosen. */
  readonly none?: string
}

/** A field to choose from a few. */
export const SelectField: FC<SelectProps> = ({ options, none, ...field }) => (
  <Labelled
    {...field}
    control={(box) => (
      <select {...box}>
        {none !== undefined && <option value="">{none}</option>}
        {options.map((option) => {
          const [value, label] = typeof option === 'string' ? [option, option] : option
          return (
            <option value={value} selected={field.sent.values.raw(field.name) === value}>
              {label}
            </option>
          )
        })}
      </select>
    )}
  />
)

/** A field for several lines; `start` stands in it before it is sent. */
export const AreaField: FC<FieldProps & { start: string }> = ({ start, ...field }) => (
  <Labelled
    {...field}
    control={(box) => (
      <textarea {...box} rows={8} spellcheck={false}>
        {field.sent.values.has(field.name) ? field.sent.values.raw(field.name) : start}
      </textarea>
    )}
  />
)

/** A field for a file. */
export const FileField: FC<FieldProps> = (field) => (
  <Labelled {...field} control={(box) => <input {...box} type="file" />} />
)

/** A field that is on or off. */
export const CheckField: FC<FieldProps> = (field) => {
  const { box, notes } = describedBy(field)
  const { isChecked } = field.sent.values
  return (
    <div class="field check">
      <label>
        <input {...box} type="checkbox" value="true" checked={isChecked(field.name)} />
        {field.label}
      </label>
      {notes}
    </div>
  )
}

/** What the sandbox says that belongs to no field of the form. */
export const Refused: FC<{ sent: Sent }> = ({ sent }) => {
  const { refusal, values } = sent
  if (refusal === null) return null
  if (refusal.status >= 500) {
    return (
      <div class="refusal" role="alert">
        <p>Problem of the server: {refusal.message}</p>
        <p>This is not a problem of what you entered.</p>
      </div>
    )
  }
  const elsewhere = complaintsOf(sent).filter(({ field }) => !values.has(field))
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

/** One sentence, whatever is wrong: with marked fields alone, with one other thing, or with several, which are listed. */
function refusalText([only, ...others]: readonly string[]): string {
  if (only === undefined) return 'This was refused. See the marked fields below.'
  return others.length === 0 ? only : 'This was refused:'
}

interface FormProps {
  /** For buttons that stand outside of it. */
  readonly id?: string
  readonly action: string
  readonly sent: Sent
  readonly submit: string
  /** Whether the button warns. */
  readonly isDestructive?: boolean
  /** Where one goes who does not send it. */
  readonly cancel?: string
  /** Whether it sends a file. */
  readonly hasFile?: boolean
  /** The page that shows what it would do, for its fields as a query. */
  readonly preview?: string
}

/** A form that posts, with what was refused above it and its button below. */
export const Form: FC<PropsWithChildren<FormProps>> = ({
  id,
  action,
  sent,
  submit,
  isDestructive = false,
  cancel,
  hasFile = false,
  preview,
  children,
}) => (
  <form
    id={id}
    method="post"
    action={action}
    class="form"
    enctype={hasFile ? 'multipart/form-data' : undefined}
    data-preview={preview}
  >
    <Refused sent={sent} />
    {children}
    <div class="actions">
      <button type="submit" class={isDestructive ? 'danger' : 'primary'}>
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
)

/** A button that posts by itself. */
export const PostButton: FC<
  PropsWithChildren<{ action: string; values?: Readonly<Record<string, string>>; label?: string }>
> = ({ action, values = {}, label, children }) => (
  <form method="post" action={action} class="inline">
    {Object.entries(values).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <button type="submit" aria-label={label}>
      {children}
    </button>
  </form>
)
