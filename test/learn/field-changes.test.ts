/** How a service writes its records is inferred from a recording, as the setting `subscription_fields`. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { LearnReport } from '../../src/learn/report.ts'
import { outcome, run } from '../support/command-line.ts'
import { historyFixture, ownRecording } from '../support/own-recording.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fields-'))
  await writeFile(join(folder, 'shop.json'), JSON.stringify(historyFixture))
})
afterAll(() => rm(folder, { recursive: true }))

const type = (line: string) => outcome(run(line.split(' '), {}, folder))

it.each<{ subscriptionFields: string[]; pausedStatusName?: string }>([
  { subscriptionFields: ['subscription_id=id'] },
  { subscriptionFields: ['envelope=data'] },
  { subscriptionFields: ['epoch_seconds'] },
  { subscriptionFields: ['documented', 'envelope=data'] },
  {
    pausedStatusName: 'frozen',
    subscriptionFields: [
      ...['subscription_id=id', 'status=state', 'trial_end=trialEnd', 'canceled_at=cancelledAt'],
      ...['current_period_start=periodFrom', 'current_period_end=periodTo'],
      ...['ended_at=endedAt', 'created_at=creation', 'epoch_seconds', 'envelope=data'],
    ],
  },
])('finds %o again', async (settings) => {
  const text = await ownRecording(join(folder, 'shop.json'), settings, ['changing', 'coupons'])
  await writeFile(join(folder, 'own.ndjson'), text)
  const first = await type('learn own.ndjson --fixture shop.json --write sandbox.yaml --json')
  expect(first.code, first.err).toBe(1)
  const report: LearnReport = JSON.parse(first.out)
  expect(report.unexplained).toEqual([])
  const found = report.assumptions.filter(({ verdict }) => verdict === 'contradicted')
  const { pausedStatusName: paused, subscriptionFields: changes } = settings
  expect(found.map(({ slug }) => slug)).toEqual([
    'subscription-fields',
    ...(paused ? ['paused-status-name'] : []),
  ])
  expect(new Set(found[0]?.value as string[])).toEqual(new Set(changes))
  const written = parse(await readFile(join(folder, 'sandbox.yaml'), 'utf8'))
  expect(written.subscription_fields).toEqual(found[0]?.value)
  expect(written.paused_status_name).toBe(paused)
  const second = await type('learn own.ndjson --fixture shop.json --settings sandbox.yaml')
  expect(second.code, second.err).toBe(0)
  expect(second.out).toContain('0 unexplained, 0 contradicted')
})

it('names the exchanges that contradict settings which no recording suggests', async () => {
  const text = await ownRecording(join(folder, 'shop.json'), {}, ['changing'])
  await writeFile(join(folder, 'own.ndjson'), text)
  const settings = { paused_status_name: 'frozen', success_status: ['createSubscription=202'] }
  await writeFile(join(folder, 'other.json'), JSON.stringify(settings))
  const { out } = await type('learn own.ndjson --fixture shop.json --settings other.json --json')
  const report: LearnReport = JSON.parse(out)
  const found = report.assumptions.filter(({ verdict }) => verdict === 'contradicted')
  expect(found.map(({ slug }) => slug)).toEqual(['paused-status-name', 'success-status'])
  for (const { shown_by } of found) expect(shown_by).not.toEqual([])
})

it('infers plans and customers also from records in an envelope', async () => {
  const settings = { subscriptionFields: ['subscription_id=id', 'envelope=data'] }
  const text = await ownRecording(join(folder, 'shop.json'), settings, ['changing', 'failing'])
  await writeFile(join(folder, 'own.ndjson'), text)
  const { out } = await type('learn own.ndjson')
  expect(out).toContain('customer cus_grace has no payment method: exchange')
  expect(out).toMatch(
    /^CONTRADICTED {2}subscription-fields: \["subscription_id=id","envelope=data"\] and not \[\]/m,
  )
  expect(out).toContain(': 0 unexplained, 1 contradicted')
})
