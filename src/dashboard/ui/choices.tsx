/** Choosing one of a few records, each with what tells it from the others. */
import type { Child, FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { messageFor, type Sent } from '../sent.ts'
import { priceText } from './plan-text.ts'

interface Choice {
  readonly value: string
  readonly label: string
  readonly note?: Child
}

/** A plan to choose, with what it costs. */
export function planChoice(plan: Schemas['Plan']): Choice {
  return { value: plan.plan_id, label: plan.name, note: priceText(plan) }
}

/** A group of radio buttons; `chosen` where nothing was sent yet. */
export const Choices: FC<{
  name: string
  legend: string
  sent: Sent
  choices: readonly Choice[]
  chosen?: string | undefined
}> = ({ name, legend, sent, choices, chosen }) => {
  const message = messageFor(sent, name)
  const current = sent.values.text(name) ?? chosen
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
