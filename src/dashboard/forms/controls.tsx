/** The fields of forms. Owns that the message of the sandbox for a field is beside it, and is read out with it. */
import { type Child, type FC, useContext } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { CurrentForm, type FormState, fieldErrorsOf, messageFor } from '../ui/form-state.ts'
import { prose } from '../ui/links.tsx'
import { ApiName } from '../ui/table.tsx'
import { labelOf, priceText } from '../ui/values.tsx'
import { amountRule, type FieldDeclaration, minorUnitsOf } from './field.ts'

/** A field of the form around it: its label and control, its hint, and the message of the sandbox. */
export const FormField: FC<FieldDeclaration> = (field) => {
  const { name, label = labelOf(name), hint, kind, paths, shortcut } = field
  const form = useContext(CurrentForm)
  const id = `field-${name}`
  const texts = Object.entries({ hint, wrong: problemIn(form, field) }).filter(([, text]) => text)
  const first = fieldErrorsOf(form).find((each) => form.values.has(each.field))
  const box = {
    id,
    name,
    'aria-describedby': texts.map(([part]) => `${id}-${part}`).join(' ') || undefined,
    'aria-keyshortcuts': shortcut,
    'aria-invalid': texts.some(([part]) => part === 'wrong') ? 'true' : undefined,
    // Its message is read out with it.
    autofocus: first?.field === name || undefined,
  }
  if (kind === 'hidden') return <Hidden values={{ [name]: form.values.raw(name) }} />
  const control = <Control field={field} box={box} form={form} />
  return (
    <div class={kind === 'check' ? 'field check' : 'field'}>
      <label for={id}>
        {kind === 'check' && control}
        {label}
      </label>
      <ApiName field={paths?.join(', ') ?? name} label={label} />
      {kind !== 'check' && control}
      {texts.map(([part, text = '']) => (
        <p class={part} id={`${id}-${part}`}>
          {part === 'hint' ? prose(text) : text}
        </p>
      ))}
    </div>
  )
}

/** The keyboard for what is typed in a line. */
const inputModes = { integer: 'numeric', number: 'numeric', money: 'decimal' } as const

/** What is wrong in a field: the message of the sandbox, but for an amount, which is typed in another unit than it says. */
function problemIn(form: FormState, { name, kind }: FieldDeclaration): string | undefined {
  const message = messageFor(form, name)
  if (message === undefined || kind !== 'money') return message
  const isMissing = message.startsWith(`${name} is missing`)
  const isNoAmount = minorUnitsOf(form.values, name) === null
  const isWrong = form.values.raw(name) === '' ? isMissing : isNoAmount
  return isWrong ? amountRule(form.values, name) : message
}

/** A control; the attributes in `box` are those by which the texts of its field are read out with it. */
const Control: FC<{ field: FieldDeclaration; box: { id: string }; form: FormState }> = ({
  field: { name, kind, options, none, start, placeholder, isRequired, isSecret, suggest },
  box,
  form: { values },
}) => {
  const value = values.raw(name)
  if (options !== undefined) {
    const labels = Array.isArray(options)
      ? options.map((each) => [each, each])
      : Object.entries(options)
    return (
      <select {...box}>
        {none !== undefined && <option value="">{none}</option>}
        {labels.map(([each, label]) => (
          <option value={each} selected={each === value}>
            {label}
          </option>
        ))}
      </select>
    )
  }
  if (kind === 'check') {
    return <input {...box} type="checkbox" value="true" checked={values.has(name)} />
  }
  if (kind === 'file') return <input {...box} type="file" required={isRequired} />
  if (kind === 'lines') {
    return (
      <textarea {...box} rows={8} spellcheck={false}>
        {values.has(name) ? value : start}
      </textarea>
    )
  }
  return (
    <>
      {/* Numbers are typed as text: the sandbox says what is wrong with them. */}
      <input
        {...box}
        type="text"
        inputmode={inputModes[kind as keyof typeof inputModes]}
        value={isSecret ? '' : value}
        placeholder={placeholder}
        required={isRequired ?? false}
        autocomplete="off"
        list={typeof suggest === 'object' ? `${box.id}-list` : undefined}
      />
      {typeof suggest === 'object' && (
        <datalist id={`${box.id}-list`}>
          {suggest.map((each) => (
            <option value={each} />
          ))}
        </datalist>
      )}
    </>
  )
}

export const FormFields: FC<{ fields: readonly FieldDeclaration[] }> = ({ fields }) => (
  <>
    {fields.map((field) => (
      <FormField {...field} />
    ))}
  </>
)

export const Hidden: FC<{ values: Readonly<Record<string, string>> }> = ({ values }) => (
  <>
    {Object.entries(values).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
)

interface Choice {
  readonly value: string
  readonly label: string
  readonly note?: Child
}

export function planChoice(plan: Schemas['Plan']): Choice {
  return { value: plan.plan_id, label: plan.name, note: priceText(plan) }
}

/** A group of radio buttons: one of a few records, each with a note. */
export const Choices: FC<{
  readonly name: string
  readonly legend: string
  readonly choices: readonly Choice[]
  /** What is checked before anything was sent. */
  readonly chosen?: string | undefined
}> = ({ name, legend, choices, chosen }) => {
  const form = useContext(CurrentForm)
  const message = messageFor(form, name)
  const typed = form.values.text(name)
  const current = choices.some(({ value }) => value === typed) ? typed : chosen
  return (
    <fieldset class="choices" aria-describedby={message && `choice-${name}-wrong`}>
      <legend>{legend}</legend>
      {choices.map(({ value, label, note }) => (
        <label>
          <input type="radio" name={name} value={value} checked={value === current} required />
          <span>
            <span class="choice">{label}</span>
            {note && <span class="hint">{note}</span>}
          </span>
        </label>
      ))}
      {message && (
        <p class="wrong" id={`choice-${name}-wrong`}>
          {message}
        </p>
      )}
    </fieldset>
  )
}
