import { expect, it, vi } from 'vitest'
import { commandLineOn } from '../../support/command-line.ts'
import { run } from '../../support/process.ts'

it('follows events and requests as they happen, and ends when nobody reads', async () => {
  const { server, type } = await commandLineOn()
  const ok = async (line: string) => expect(await type(line)).toMatchObject({ code: 0, err: '' })
  const follow = (...words: string[]) => run([...words, '--follow', '--url', server.url])
  const [events, requests] = [follow('events'), follow('requests', '--json')]
  await vi.waitUntil(async () => {
    await ok('customers change cus_ada --name Ada')
    return requests.output().includes('changeCustomer')
  })
  // The other one may begin to listen later.
  await vi.waitUntil(async () => {
    await ok('subscriptions create --customer-id cus_ada --plan pro')
    return events.output().includes('payment.succeeded')
  })
  expect(events.output()).toMatch(/^\d+ {2}2027-01-01 {2}subscription\.created {2}sub_\d{6}/m)
  await ok('tokens issue --subject a\u001b[2Jb')
  await vi.waitUntil(() => events.output().includes('subject a\\x1b[2Jb\n'))
  events.child.stdout?.destroy()
  await ok('subscriptions create --customer-id cus_ada --plan basic')
  await ok('subscriptions create --customer-id cus_ada --plan basic')
  expect(await events.ended).toBe(0)
  expect(events.errors()).toBe('')
  requests.child.kill('SIGKILL')
  await server.stop()
})
