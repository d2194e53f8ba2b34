/** Forms against the document of /v1: judged as JSON is. */
import { expect, it } from 'vitest'
import { answers, asks, findings, json } from '../support/comparison.ts'
import { create } from '../support/pacts.ts'

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

it.each([
  ['731', 'trial_period_days must be <= 730; got 731 (assumed: `trial-period-bounds`).'],
  ['730', null],
])('holds a form and JSON against the same bounds, which are assumed: %s', async (days, text) => {
  const fields = { customer_id: '7', plan: 'a,b' }
  const sent = [
    { headers: form, body: `customer_id=7&plan=a,b&trial_period_days=${days}` },
    { headers: json, body: { ...fields, trial_period_days: Number(days) } },
  ]
  const key = { Authorization: 'Bearer k' }
  for (const { headers, body } of sent) {
    const found = await findings(asks({ headers: { ...key, ...headers }, body }))
    expect(found.map(({ message }) => message.split('spec file: ')[1])).toEqual(text ? [text] : [])
  }
})

it('says what of a form is an assumption: how it writes numbers and flags, and which fields it takes', async () => {
  const body = `${create['body']}&trial_period_days=007&colour=1`
  const found = await findings(asks({ body }))
  expect(found.map(({ message, rests_on }) => [message.split('spec file: ')[1], rests_on])).toEqual(
    [
      [expect.stringMatching(/^has no field "colour"; got .*"colour":"1"/), ['unknown-fields']],
      [
        expect.stringMatching(/^trial_period_days must be integer; got "007"/),
        ['2', 'form-scalars'],
      ],
    ],
  )
})

it('warns of rules that match nothing in a form, and not where a part has no fields', async () => {
  const matchers = [{ match: 'type' }]
  const unmatched = async (interaction: Parameters<typeof findings>[0]) => {
    const found = await findings(interaction)
    return found.filter(({ code }) => code === 'rule.unmatched').map(({ message }) => message)
  }
  const body = { '$.plan': { matchers }, '$.plam': { matchers } }
  expect(await unmatched(asks({ matchingRules: { body, path: { matchers } } }))).toEqual([
    'The matching rule $.plam matches nothing in the body of the request.',
  ])
  const text = { body: 'words', matchingRules: { body, status: { matchers } } }
  expect(await unmatched(answers(text))).toEqual([])
  expect(await unmatched(answers({ matchingRules: { body } }))).toHaveLength(2)
})
