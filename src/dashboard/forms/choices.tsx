/** A choice of one of a few records, each with a note. */
import { type Child, type FC, useContext } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { CurrentForm, messageFor } from '../ui/form-state.ts'
import { priceText } from '../ui/values.tsx'

interface Choice {
  readonly value: string
  readonly label: string
  readonly note?: Child
}

/** A plan to choose, with what it costs. */
export function planChoice(plan: Schemas['Plan']): Choice {
  return { value: plan.plan_id, label: plan.name, note: priceText(plan) }
}

/** A group of radio buttons; `chosen` is checked before anything was sent. */
export const Choices: FC<{
  name: string
  legend: string
  choices: readonly Choice[]
  chosen?: string | undefined
}> = ({ name, legend, choices, chosen }) => {
  const form = useContext(CurrentForm)
  const message = messageFor(form, name)
  const current = form.values.text(name) ?? chosen
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
