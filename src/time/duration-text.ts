/** The text of durations: the pattern of those that are valid, and what others most likely mean. */
import { parseDuration } from './instant.ts'

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

/** How people write the units of a duration. An m is a month, which plans bill by, but behind a T or hours a minute. */
const unitWords: Readonly<Record<string, RegExp>> = {
  ...{ Y: /^y(ea)?r?s?$/, M: /^m(o(n(th)?)?s?)?$/, W: /^w(ee)?k?s?$/, D: /^d(ay)?s?$/ },
  ...{ TH: /^h(ou)?r?s?$/, TM: /^min(ute)?s?$/, TS: /^s(ec(ond)?s?)?$/ },
}

/** The duration that a text such as `2M`, `14d` or `1 month` most likely means; null for none. */
export function nearestDuration(text: unknown): string | null {
  // A bare number is one of days.
  const [, t, words] =
    /^p?(t?)([\w\s,]{1,40})$/i.exec(String(text).trim().replace(/^\d+$/, '$&d')) ?? []
  if (words === undefined) return null
  let [date, time] = ['', '']
  for (const part of words.toLowerCase().split(/(?<=[a-z])[\s,]*(?=\d)/)) {
    const [, count, word = ''] = /^(\d+)\s*([a-z]+)\s*$/.exec(part) ?? []
    const unit = Object.keys(unitWords).find((each) => unitWords[each]?.test(word))
    if (unit === undefined) return null
    if (unit.startsWith('T') || time !== '' || (unit === 'M' && t !== ''))
      time += `${count}${unit.replace('T', '')}`
    else date += `${count}${unit}`
  }
  const duration = `P${date}${time === '' ? '' : `T${time}`}`
  return parseDuration(duration) === null ? null : duration
}
