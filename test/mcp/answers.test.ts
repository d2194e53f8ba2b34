/** What an agent reads where a fault hits its own call, and where an answer is long. */
import { expect, it } from 'vitest'
import { tooLong } from '../../src/mcp/answer.ts'
import { type Agent, startAgent } from './agent.ts'

const subscription_id = 'sub_000001'

async function textsOf({ client }: Agent, name: string, args: Record<string, unknown>) {
  const { content } = await client.callTool({ name, arguments: args })
  return (content as { text: string }[]).map(({ text }) => text)
}

it.each([
  [{ status: 500 }, /^http:\S+ answered 500\.\nThe fault flt_000001 hit this call of the tool;/],
  [{ status: 200, body: { a: 1 } }, /^{"a":1}\nThe fault flt_000001 hit this call of the tool;/],
  [{ drop: true }, /^http:\S+ closed the connection: a fault may have hit this call of the tool;/],
  [
    { cut: true },
    /^The answer of http:\S+ is cut: The fault flt_000001 hit this call of the tool;/,
  ],
])('says that a fault hit a call of a tool, and how to remove it: %j', async (effect, said) => {
  await using agent = await startAgent()
  await agent.call('create_subscription', { customer_id: 'cus_ada', plan: 'pro' })
  await agent.call('create_record', { kind: 'fault', effect })
  const texts = await textsOf(agent, 'change_subscription', { action: 'pause', subscription_id })
  expect(texts.join('\n')).toMatch(said)
  expect(texts.join('\n')).toContain('delete_record with kind fault removes it')
})

it('says which default a tool has, where that of its operation is another one', async () => {
  await using agent = await startAgent()
  const { tools } = await agent.client.listTools()
  const { properties } = tools.find(({ name }) => name === 'verify_pact')?.inputSchema ?? {}
  expect(properties?.['live']).toMatchObject({
    description: expect.stringMatching(/Default: true\.$/),
  })
})

it('cuts long texts in a page of several records, and shows those of one', async () => {
  await using agent = await startAgent()
  await agent.call('create_subscription', { customer_id: 'cus_ada', plan: 'pro' })
  for (const by of ['P2M', 'P2M']) await agent.call('advance_clock', { by })
  const read = { kind: 'requests', operation_id: 'advanceClock' }
  const [short = ''] = await textsOf(agent, 'list_records', read)
  expect(JSON.parse(short).data[0].answer.body).toMatch(
    /^.{1000}\.\.\. \d+ more characters are left out here; limit 1 shows all$/,
  )
  const [whole = ''] = await textsOf(agent, 'list_records', { ...read, limit: 1 })
  expect(whole).not.toContain('left out')
})

it('refuses to read more than an agent does, and says how else it is had', async () => {
  await using agent = await startAgent()
  const { url } = await agent.call<{ url: string }>('describe_sandbox')
  await agent.call('create_subscription', { customer_id: 'cus_ada', plan: 'pro' })
  await agent.call('advance_clock', { by: 'P20Y' })
  expect(await agent.refusal('list_records', { kind: 'invoices', limit: 1000 })).toMatch(
    /^The answer has \d{6} characters; the most that a tool answers are 100000\. Ask for less, as by a smaller limit, or /,
  )
  expect(await agent.refusal('list_records', { kind: 'invoices', limit: 1000 })).toContain(
    `curl -s -H 'Sandbox-Id: default' '${url}/sandbox/invoices?limit=1000' -o FILE.`,
  )
  const posted = { method: 'post', url, headers: {} }
  const long = 'x'.repeat(100_001)
  expect(tooLong(long, posted, { changesNothing: true })).toContain('fewer interactions or changes')
  expect(tooLong(long, posted, {})).toBe(null)
})
