import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PactReport, Report } from '../../../src/contracts/common/report-shape.ts'
import { run } from '../../support/command-line.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { pactText, writePact } from '../../support/pacts.ts'

/** A pact that is broken or sound: an interaction, a whole document, or the text of a file. */
interface Planted {
  readonly class: string
  readonly name: string
  /** Of a break: whether `check` notices it, without a call. */
  readonly check?: boolean
  readonly interaction?: Readonly<Record<string, unknown>>
  readonly pact?: object
  readonly text?: string
}

const read = (name: string): Planted[] => {
  return JSON.parse(readFileSync(`test/fixtures/planted/${name}.json`, 'utf8'))
}
const breaks = read('breaks')
const sound = read('sound')
let place: Awaited<ReturnType<typeof temporaryFolder>>
const reports = new Map<string, Report>()

beforeAll(async () => {
  place = await temporaryFolder()
  for (const [index, planted] of [...breaks, ...sound].entries()) {
    const text = planted.text ?? (planted.pact ? JSON.stringify(planted.pact) : null)
    if (text !== null) await writePact(place.path, `${index}.json`, text)
  }
  for (const [name, all] of [
    ['breaks', breaks],
    ['sound', sound],
  ] as const) {
    const interactions = all.flatMap(({ interaction }) => (interaction ? [interaction] : []))
    await writePact(place.path, `${name}.json`, pactText(interactions))
  }
  for (const command of ['verify', 'check']) {
    const running = run([command, place.path, '--json'])
    await running.ended
    reports.set(command, Report.parse(JSON.parse(running.output())))
  }
}, 240_000)

afterAll(() => place.remove())

/** What a command says of something planted. */
function saidOf(command: string, planted: Planted): { isOk: boolean; findings: number } {
  const pacts = reports.get(command)?.pacts ?? []
  if (planted.interaction === undefined) {
    const index = [...breaks, ...sound].indexOf(planted)
    const pact = pacts.find(({ source }) => source.endsWith(`/${index}.json`))
    return { isOk: pact?.result === 'passed', findings: findingsIn(pact) }
  }
  const name = breaks.includes(planted) ? 'breaks' : 'sound'
  const pact = pacts.find(({ source }) => source.endsWith(`/${name}.json`))
  const found = pact?.interactions.filter(({ description }) => description === planted.name) ?? []
  if (found.length !== 1) throw new Error(`${planted.name} is there ${found.length} times`)
  return { isOk: found[0]?.result === 'passed', findings: found[0]?.findings.length ?? 0 }
}

function findingsIn(pact: PactReport | undefined): number {
  return pact?.interactions.reduce((sum, { findings }) => sum + findings.length, 0) ?? 0
}

it('plants a hundred breaks and seventy-five sound pacts', () => {
  expect(breaks.length).toBeGreaterThanOrEqual(100)
  expect(sound.length).toBeGreaterThanOrEqual(75)
})

describe.each([...new Set(breaks.map((each) => each.class))])('of %s', (kind) => {
  const planted = breaks.filter((each) => each.class === kind)

  it.each(planted)('verify notices: $name', (one) => {
    expect(saidOf('verify', one).isOk).toBe(false)
  })

  it.each(planted)('check is as blind as it is listed: $name', (one) => {
    const { isOk, findings } = saidOf('check', one)
    expect(!isOk || findings > 0).toBe(one.check)
  })
})

describe('what is sound', () => {
  it.each(sound)('passes verify without a finding: $class, $name', (one) => {
    expect(saidOf('verify', one)).toEqual({ isOk: true, findings: 0 })
  })

  it.each(sound)('passes check without a finding: $class, $name', (one) => {
    expect(saidOf('check', one)).toEqual({ isOk: true, findings: 0 })
  })
})
