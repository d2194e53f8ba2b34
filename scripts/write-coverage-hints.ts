/** Writes the hints of coverage: for each unit the fewest lines of a history that reach it, found by running histories. */
import { writeFile } from 'node:fs/promises'
import { reachedBy, type Unit } from '../test/support/coverage-hints.ts'
import { histories } from './coverage-hints/histories.ts'

const found = new Map<Unit, readonly string[]>()

/** The shorter hint, and of two that are as short the one that was found first. */
function note(unit: Unit, lines: readonly string[]): void {
  const before = found.get(unit)
  if (before === undefined || lines.length < before.length) found.set(unit, lines)
}

for (const history of histories) {
  const steps = await reachedBy(history)
  for (const [at, units] of steps.entries()) {
    for (const unit of units) note(unit, history.slice(0, at + 1))
  }
}
for (const [unit, lines] of found) {
  let left = lines
  for (const line of lines) {
    const fewer = left.filter((each) => each !== line)
    if (fewer.length === 0) continue
    const reached = (await reachedBy(fewer)).flatMap((units) => [...units])
    if (reached.includes(unit)) left = fewer
  }
  found.set(unit, left)
}

const hints = Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)))
const file = new URL('../src/generated/coverage-hints.json', import.meta.url)
await writeFile(file, `${JSON.stringify(hints, null, 2)}\n`)
