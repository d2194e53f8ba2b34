/**
 * Patterns for the documents: what the readers of instants and durations take, in classes and groups alone. Owns
 * nothing that is checked here; JavaScript reads more than the dialects of other languages do.
 */

const day = [
  '(0[1-9]|1[0-2])-(0[1-9]|[12][0-9])',
  '(0[13-9]|1[0-2])-30',
  '(0[13578]|1[02])-31',
].join('|')
const date = `(19[7-9][0-9]|[2-9][0-9]{3})-(${day})`
const hour = '([01][0-9]|2[0-3]):[0-5][0-9]'
const time = `T${hour}:[0-5][0-9](\\.[0-9]{1,3})?`

/** An instant from 1970 to 9999, or a date. */
export const instantInPattern = `^${date}(${time}(Z|[+-]${hour}))?$`

/** Two digits of a number that four does not divide. */
const noFourth = '([02468][1235679]|[13579][01345789])'

/** What the other pattern lets through: 29 February of other years, and offsets on the first and the last day. */
export const noInstantPattern = `^(([0-9]{2}${noFourth}|${noFourth}00)-02-29|(1970-01-01|9999-12-31)T.*[+-])`

const dateParts = ['[0-9]{1,5}Y', '[0-9]{1,5}M', '[0-9]{1,5}W', '[0-9]{1,7}D']
const timeParts = ['[0-9]{1,9}H', '[0-9]{1,9}M', '[0-9]{1,12}(\\.[0-9]{1,3})?S']

/** A duration of at least one part, the parts of dates from this one on. */
export function durationPattern(from: 'years' | 'days'): string {
  const days = someOf(from === 'years' ? dateParts : dateParts.slice(3))
  const times = someOf(timeParts)
  return `^P(${days}(T${times})?|T${times})$`
}

/** Some of the parts, in their order, and at least one. */
function someOf(parts: readonly string[]): string {
  const startingAt = parts.map((part, at) =>
    [part, ...parts.slice(at + 1).map((next) => `(${next})?`)].join(''),
  )
  return `(${startingAt.join('|')})`
}
