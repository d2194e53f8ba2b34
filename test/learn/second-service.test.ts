/** A service that was written without our billing, and decides 12 questions otherwise: `learn` finds these, and no others. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { LearnReport } from '../../src/learn/report.ts'
import { outcome, run } from '../support/command-line.ts'
import { secondRecording, secretsOfService } from '../support/second-recording.ts'
import { decidedOtherwise, wanted } from '../support/second-service.ts'

/** 8 for some 200 exchanges. */
const times = Number(process.env['LEARN_HISTORIES'] ?? 1)

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'learn-'))
})
afterAll(() => rm(folder, { recursive: true }))

const type = (line: string) => outcome(run(line.split(' '), {}, folder))

function slugsOf(report: LearnReport, verdict: LearnReport['assumptions'][number]['verdict']) {
  return report.assumptions.filter((each) => each.verdict === verdict).map(({ slug }) => slug)
}

describe('a second service', () => {
  it('is found to decide exactly these 12 otherwise, and with the written settings nothing differs', async () => {
    const har = await secondRecording([], times)
    expect(har).not.toMatch(secretsOfService)
    await writeFile(join(folder, 'traffic.har'), har)
    const first = await type(
      'learn traffic.har --write sandbox.yaml --reporter json --reporter junit=learn.xml --reporter github=learn.txt',
    )
    expect(first.code, first.err).toBe(1)
    const report: LearnReport = JSON.parse(first.out)
    expect(report.unexplained).toEqual([])
    expect(slugsOf(report, 'contradicted').sort()).toEqual(wanted)
    expect(slugsOf(report, 'confirmed')).toEqual(
      expect.arrayContaining([
        'access-tokens-on-subscription-calls',
        'refresh-error-statuses',
        'subscription-fields',
        'trial-period-bounds',
      ]),
    )
    expect(slugsOf(report, 'not_seen')).toContain('stacking-order')
    const written = await readFile(join(folder, 'sandbox.yaml'), 'utf8')
    const settings = parse(written)
    expect({ ...settings, vary: settings.vary.sort() }).toEqual(decidedOtherwise)
    for (const line of written.split('\n').filter((each) => /^ {2}-|^\w+: [^[]/.test(each))) {
      expect(line).toMatch(/ # shown by exchanges? \d/)
    }
    expect(await readFile(join(folder, 'learn.xml'), 'utf8')).toMatch(
      /name="json-bodies".*\n.*<failure message="json-bodies: No: 415/,
    )
    expect(await readFile(join(folder, 'learn.txt'), 'utf8')).toMatch(
      /^::error file=traffic.har,title=json-bodies::json-bodies: No: 415/m,
    )
    const second = await type('learn traffic.har --settings sandbox.yaml')
    expect(second.code, second.err).toBe(0)
    expect(second.out).toContain(
      'The service decides as the settings do: 0 unexplained, 0 contradicted',
    )
  })

  it('is found to do three things that no decision explains, which no decision is blamed for', async () => {
    await writeFile(join(folder, 'odd.har'), await secondRecording(['tax', 'unpausable', 'refund']))
    const { code, out, err } = await type('learn odd.har --json')
    expect(code, err).toBe(1)
    const report: LearnReport = JSON.parse(out)
    expect(slugsOf(report, 'contradicted').sort()).toEqual(wanted)
    const found = report.unexplained.flatMap(({ differences }) => differences.map(({ at }) => at))
    expect([...new Set(found)].sort()).toEqual([
      '$.errors[0].reason',
      '$.plan',
      '$.tax_rate',
      'status',
    ])
    const [pause] = report.unexplained.filter(({ request }) => /pause$/.test(request)).slice(-1)
    expect(pause?.service.status).toBe(429)
  })
})
