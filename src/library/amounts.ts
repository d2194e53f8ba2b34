/**
 * Amounts in a failed assertion, as money: `amount_paid: expected 25.00 USD, found 20.00 USD`. A number is an amount if
 * an invoice or a charge of the sandbox has it, so that its currency is known.
 */
import { stripVTControlCharacters } from 'node:util'
import { amountText, moneyFields } from '../wire/common/text.ts'

type Fields = Readonly<Record<string, unknown>>

/** A number of a failed assertion; the name is empty where a number alone was compared. */
interface Compared {
  readonly name: string
  readonly value: number
}

/** The pairs of amounts in diffs of vitest, in words. */
export function amountsIn(diffs: readonly string[], records: readonly Fields[]): string[] {
  const lines = diffs.flatMap(pairsIn).flatMap(([expected, found]) => {
    const currencies = new Set(
      records.flatMap((record) => (hasAmount(record, found) ? record['currency'] : [])),
    )
    const [currency] = currencies
    if (typeof currency !== 'string' || currencies.size > 1) return []
    const [wanted, actual] = [expected, found].map(({ value }) => amountText(value, currency))
    return `${found.name && `${found.name}: `}expected ${wanted}, found ${actual}`
  })
  return [...new Set(lines)]
}

/** The numbers that a diff has on both sides, expected and found. */
function pairsIn(diff: string): [Compared, Compared][] {
  const pairs: [Compared, Compared][] = []
  let waiting: Compared[] = []
  for (const line of stripVTControlCharacters(diff).split('\n')) {
    const [, side, name = '', digits] = /^([-+])\s*(?:"(\w+)": )?(-?\d+),?$/.exec(line) ?? []
    const compared = { name, value: Number(digits) }
    if (side === '-') waiting.push(compared)
    else if (side === '+') {
      const expected = waiting.find((each) => each.name === name)
      if (expected !== undefined) pairs.push([expected, compared])
      waiting = waiting.filter((each) => each !== expected)
    } else if (!/^[-+]/.test(line)) waiting = []
  }
  return pairs
}

/** Whether a record has an amount, in a field of that name. Zero without a name is rather a count. */
function hasAmount(value: unknown, found: Compared): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, each]) =>
    typeof each === 'number' && moneyFields.test(name)
      ? each === found.value && (found.name === name || (found.name === '' && each !== 0))
      : hasAmount(each, found),
  )
}
