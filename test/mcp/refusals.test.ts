/** What an agent reads of a call that the tools refuse themselves. */
import { expect, it } from 'vitest'
import { SECRET } from '../support/receiver.ts'
import { startAgent } from './agent.ts'

it.each([
  ['sandboxes', {}, /^action is missing; it must be one of list, create/],
  ['create_record', { kind: ['plan'] }, /^kind must be one of .*; got \["plan"\]\.$/],
  ['create_record', { kind: SECRET }, /^kind must be one of .*; got "whsec_\.\.\."\.$/],
  ['get_record', { kind: 'plan' }, 'plan_id is missing; it must be an id.'],
  ['get_record', { kind: 'plan', plan_id: 5 }, 'plan_id must be an id; got 5.'],
  ['get_record', { kind: 'plan', plan_id: '..' }, 'plan_id must be an id; got "..".'],
  ['get_record', { kind: 'plan', plan_id: '\ud800' }, 'plan_id must be an id; got "\\ud800".'],
  ['list_records', { kind: 'plans', limit: { a: 1 } }, /limit must be .*{.*a.*1}/],
  ['verify_pact', {}, 'file is missing; it must be the path of a file.'],
  ['verify_pact', { file: 5 }, 'file must be the path of a file; got 5.'],
  ['verify_pact', { file: '/dev/zero' }, 'file "/dev/zero" must be a regular file.'],
  [
    'verify_pact',
    { file: 'a.json', colour: 1 },
    'colour is not a known field; fields: live, file.',
  ],
  ['run_scenario', { file: 5 }, 'file must be the path of a file; got 5.'],
])('says of %s with %j the field, the value and the rule', async (name, args, sentence) => {
  await using agent = await startAgent()
  expect(await agent.refusal(name, args)).toMatch(sentence)
})

it('repeats no more of a name than it takes to see it', async () => {
  await using agent = await startAgent()
  const long = 'n'.repeat(5000)
  await expect(agent.call(long)).rejects.toThrow(/^.{0,220}tools\/list lists them$/)
  await expect(agent.client.getPrompt({ name: long })).rejects.toThrow(/^.{0,220}$/)
  const by = { bug: 'x', runner: long }
  await expect(agent.client.getPrompt({ name: 'reproduce_bug', arguments: by })).rejects.toThrow(
    /^.{0,220}$/,
  )
})

it('says which sandbox the tools call where its key is refused, as after it was deleted', async () => {
  await using agent = await startAgent()
  await agent.call('sandboxes', { action: 'create', sandbox_id: 'mine' })
  await agent.call('sandboxes', { action: 'use', sandbox_id: 'mine' })
  await agent.call('sandboxes', { action: 'delete', sandbox_id: 'mine' })
  const pause = { action: 'pause', subscription_id: 'sub_000001' }
  expect(await agent.refusal('change_subscription', pause)).toContain(
    'unauthorized: the tools call the sandbox mine; is it deleted? the tool sandboxes lists and chooses others.',
  )
  expect(await agent.refusal('audit')).toContain(
    'Sandbox-Id \\"mine\\" does not exist; the tool sandboxes lists and chooses others.',
  )
  await agent.call('sandboxes', { action: 'use', sandbox_id: 'default' })
  expect(await agent.call('audit')).toMatchObject({ ok: true })
})
