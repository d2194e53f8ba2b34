/** The tools for coding agents, as the official client of the protocol finds them. */

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { expect, it, vi } from 'vitest'
import { run, serveHere } from '../support/command-line.ts'
import { openReceiver, SECRET } from '../support/receiver.ts'
import { startAgent, toolNames } from './agent.ts'

interface Page<Item> {
  readonly data: Item[]
}

interface Coverage {
  readonly measures: { readonly operations: { readonly seen: number } }
}

/** All tools together, which an agent reads before it does anything. */
const BYTES_MAX = 39_000

it('lists few tools, each with a description and a flat object of what it takes', async () => {
  await using agent = await startAgent()
  const { tools: listed } = await agent.client.listTools()
  expect(listed.map(({ name }) => name)).toEqual(toolNames)
  expect(listed.length).toBeLessThanOrEqual(30)
  expect(JSON.stringify(listed).length).toBeLessThan(BYTES_MAX)
  for (const { name, description, inputSchema } of listed) {
    expect(description, name).toMatch(/\w+/)
    expect(Object.keys(inputSchema), name).not.toContain('oneOf')
    expect(JSON.stringify(inputSchema), name).not.toMatch(/\$ref|x-interface/)
  }
  expect(agent.client.getInstructions()).toContain('describe_sandbox')
})

it('says of a tool what the declarations say of its operation', async () => {
  await using agent = await startAgent()
  const { tools: listed } = await agent.client.listTools()
  const named = (name: string) => listed.find((each) => each.name === name)
  expect(named('create_subscription')?.inputSchema).toMatchObject({
    required: ['customer_id', 'plan'],
    properties: { trial_period_days: { type: 'integer', minimum: 0, maximum: 730 } },
  })
  expect(named('advance_clock')?.inputSchema.required).toBeUndefined()
  expect(named('create_record')?.description).toContain(
    '- plan: product_id, name, amount, currency, interval [plan_id, interval_count]',
  )
  expect(named('create_record')?.inputSchema).toMatchObject({
    required: ['kind'],
    properties: { type: { enum: ['percentage', 'fixed', 'trial_extension'] } },
  })
  const reading = listed.filter((each) => each.annotations?.readOnlyHint).map(({ name }) => name)
  expect(reading).toContain('explain_invoice')
  expect(reading).not.toContain('advance_clock')
})

it('lives through a trial, to the invoice and why it is what it is', async () => {
  await using agent = await startAgent()
  const { url, api_key } = await agent.call<Record<string, string>>('describe_sandbox')
  // What is under test calls the same sandbox.
  const created = await fetch(`${url}/v1/subscriptions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${api_key}` },
    body: new URLSearchParams({ customer_id: 'cus_ada', plan: 'pro', trial_period_days: '14' }),
  })
  const { subscription_id } = (await created.json()) as { subscription_id: string }
  const coupon = { kind: 'coupon', coupon_id: 'THIRD', type: 'percentage', value: 33.3333 }
  await agent.call('create_record', { ...coupon, duration: 'forever' })
  const applying = { action: 'apply_coupon', subscription_id, coupon_id: 'THIRD' }
  await agent.call('change_subscription', applying)
  const forecast = await agent.call<Page<{ amount_due: number }>>('forecast_subscription', {
    subscription_id,
    until: '2027-03-01',
  })
  expect(forecast.data.map((each) => each.amount_due)).toEqual([1667, 1667])
  const { events } = await agent.call<{ events: { type: string }[] }>('advance_clock', {
    by: 'P14D',
  })
  expect(events.map(({ type }) => type)).toContain('subscription.activated')
  const { data } = await agent.call<Page<{ invoice_id: string; amount_paid: number }>>(
    'list_records',
    { kind: 'invoices', subscription_id },
  )
  expect(data).toMatchObject([{ amount_paid: 1667 }])
  const explained = await agent.call('explain_invoice', { invoice_id: data[0]?.invoice_id })
  expect(explained).toMatchObject({ discounts: [{ coupon_id: 'THIRD', unrounded: '833.3325' }] })
  expect(await agent.call('audit')).toMatchObject({ ok: true })
})

it('has a payment fail, and its retry succeed', async () => {
  await using agent = await startAgent()
  const order = { customer_id: 'cus_ada', plan: 'basic' }
  const { subscription_id } = await agent.call('create_subscription', order)
  await agent.call('checkpoint', { action: 'create', name: 'paid-once' })
  await agent.call('payments', { action: 'script', outcomes: ['card_declined'], subscription_id })
  const until = { subscription_id, status: 'past_due' }
  expect(await agent.call('advance_clock', { until, within: 'P2M' })).toMatchObject({
    to: '2027-02-01T00:00:00.000Z',
    stopped_because: 'condition_met',
  })
  await agent.call('advance_clock', { until: { ...until, status: 'active' }, within: 'P1M' })
  const { data } = await agent.call<Page<object>>('list_records', { kind: 'invoices' })
  expect(data[1]).toMatchObject({
    status: 'paid',
    attempts: [{ outcome: 'card_declined' }, { outcome: 'succeeded' }],
  })
  await agent.call('checkpoint', { action: 'restore', name: 'paid-once' })
  const { now } = await agent.call<{ now: string }>('describe_sandbox')
  expect(now).toBe('2027-01-01T00:00:00.000Z')
})

it('compares futures, and checks pacts', async () => {
  await using agent = await startAgent()
  const order = { customer_id: 'cus_ada', plan: 'basic' }
  const { subscription_id } = await agent.call('create_subscription', order)
  const change = {
    operation: 'applyCoupon',
    params: { subscription_id },
    body: { coupon_id: 'SAVE20' },
  }
  expect(await agent.call('what_if', { changes: [change], for: 'P6M' })).toMatchObject({
    customers: [{ customer_id: 'cus_ada', difference: { paid: -600 } }],
  })
  const file = 'contracts/examples/curl/pause.json'
  expect(await agent.call('verify_pact', { file })).toMatchObject({
    ok: true,
    verification: { ok: true },
  })
  expect(await agent.refusal('verify_pact', { file: 'gone.json' })).toBe(
    'file "gone.json" cannot be read (no such file or directory).',
  )
})

it('turns what was done into a test, and says what of /v1 it used', async () => {
  await using agent = await startAgent()
  const { url, api_key } = await agent.call<Record<string, string>>('describe_sandbox')
  await fetch(`${url}/v1/subscriptions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${api_key}` },
    body: new URLSearchParams({ customer_id: 'cus_ada', plan: 'pro' }),
  })
  for (let month = 0; month < 60; month += 1) await agent.call('advance_clock', { by: 'P1M' })
  const test = await agent.call<string>('recording', { format: 'vitest' })
  expect(test).toContain("import { test } from 'subscription-sandbox/vitest'")
  expect(test.match(/await sandbox\.clock\.advance\('P1M'\)/g)).toHaveLength(60)
  // The recording as JSON is a text too, whose calls are not cut.
  const json = await agent.call<{ calls: unknown[] }>('recording', { format: 'json' })
  expect(json.calls).toHaveLength(61)
  const seen = async () => {
    const { measures } = await agent.call<Coverage>('coverage', { action: 'show' })
    return measures.operations.seen
  }
  expect(await seen()).toBe(1)
  await agent.call('coverage', { action: 'clear' })
  expect(await seen()).toBe(0)
})

it('forks a sandbox, uses the fork, and leaves the first as it was', async () => {
  await using agent = await startAgent()
  const order = { customer_id: 'cus_ada', plan: 'basic' }
  await agent.call('create_subscription', order)
  await agent.call('checkpoint', { action: 'create', name: 'begun' })
  await agent.call('advance_clock', { by: 'P1M' })
  const from = { sandbox: 'default', checkpoint: 'begun' }
  await agent.call('sandboxes', { action: 'create', sandbox_id: 'other', from })
  const now = async () => (await agent.call('describe_sandbox'))['now']
  expect(await now()).toBe('2027-02-01T00:00:00.000Z')
  await agent.call('sandboxes', { action: 'use', sandbox_id: 'other' })
  expect(await agent.call('describe_sandbox')).toMatchObject({
    sandbox_id: 'other',
    now: '2027-01-01T00:00:00.000Z',
    counts: { subscriptions: 1 },
  })
  expect(await agent.refusal('sandboxes', { action: 'use', sandbox_id: 'gone' })).toContain('gone')
  expect((await agent.call('describe_sandbox'))['sandbox_id']).toBe('other')
  // A documented operation goes to the fork as well, by its key.
  const subscription_id = 'sub_000001'
  await agent.call('change_subscription', { action: 'pause', subscription_id })
  await agent.call('sandboxes', { action: 'use', sandbox_id: 'default' })
  const { status } = await agent.call('get_record', { kind: 'subscription', subscription_id })
  expect(status).toBe('active')
  await agent.call('checkpoint', { action: 'delete', name: 'begun' })
  expect(await agent.call('checkpoint', { action: 'list' })).toMatchObject({ data: [] })
})

it('registers a webhook, and delivers an event to it once more', async () => {
  await using agent = await startAgent()
  const { url, heard } = await openReceiver()
  const webhook = { kind: 'webhook', url, event_types: ['invoice.paid'], secret: SECRET }
  await agent.call('create_record', webhook)
  await agent.call('create_subscription', { customer_id: 'cus_ada', plan: 'basic' })
  const [delivery] = await vi.waitUntil(async () => {
    const asked = { kind: 'webhook_deliveries', status: 'delivered' }
    const { data } = await agent.call<Page<{ delivery_id: string }>>('list_records', asked)
    return data.length > 0 && data
  })
  await agent.call('redeliver_webhook', { delivery_id: delivery?.delivery_id })
  expect(heard.map(({ type }) => type)).toEqual(['invoice.paid', 'invoice.paid'])
  await agent.call('delete_record', { kind: 'webhook', webhook_id: 'wh_000001' })
  expect(await agent.call('list_records', { kind: 'webhooks' })).toMatchObject({ data: [] })
})

it('has prompts that lead through its tools to a test that is committed', async () => {
  await using agent = await startAgent()
  const { prompts } = await agent.client.listPrompts()
  expect(prompts.map(({ name, arguments: taken }) => [name, taken?.map(named)])).toEqual([
    ['reproduce_bug', ['bug', '[fixture]', '[runner]']],
    ['write_test', ['behaviour', '[fixture]', '[runner]']],
  ])
  const filled = { bug: 'A paused customer is billed.', fixture: 'dunning', runner: 'pytest' }
  const reproduce = await textOf(agent.client, 'reproduce_bug', filled)
  expect(reproduce).toContain('A paused customer is billed.')
  expect(reproduce).toContain('fixture "dunning"')
  expect(reproduce).toContain('exec -- pytest FILE')
  const write = await textOf(agent.client, 'write_test', { behaviour: 'A trial becomes paid.' })
  expect(write).toContain("from 'subscription-sandbox/vitest'")
  expect(write).toMatch(/fixture "starter"[\s\S]*format "vitest"[\s\S]*\. Commit the test/)
  // An agent finds each tool that they name.
  const known = new Set([...toolNames, 'api_key'])
  for (const [word] of `${reproduce}${write}`.matchAll(/\b[a-z]+_[a-z]+(?=[ ,:.])/g)) {
    expect(known).toContain(word)
  }
})

it.each([
  ['reproduce_bug', {}, 'bug is required and must not be empty'],
  ['write_test', { behaviour: 'x', runner: 'mocha' }, 'must be one of vitest, pytest; got "mocha"'],
  ['write_test', { behaviour: 'x', colour: 'red' }, 'colour is not an argument of write_test'],
  ['sing', {}, 'must be one of reproduce_bug, write_test; got "sing"'],
])('refuses the prompt %s with %j', async (name, args, sentence) => {
  await using agent = await startAgent()
  await expect(agent.client.getPrompt({ name, arguments: args })).rejects.toThrow(sentence)
})

function named({ name, required }: { name: string; required?: boolean | undefined }): string {
  return required === true ? name : `[${name}]`
}

async function textOf(client: Client, name: string, args: Record<string, string>) {
  const { messages } = await client.getPrompt({ name, arguments: args })
  const content = messages[0]?.content
  if (content?.type !== 'text') throw new Error(`${name} has no text`)
  return content.text
}

it('says of a refusal which field breaks which rule, and changes nothing', async () => {
  await using agent = await startAgent()
  expect(await agent.refusal('create_record', { kind: 'plan', amount: -1 })).toContain('amount')
  expect(await agent.refusal('create_record', { kind: 'car' })).toMatch(
    /kind must be one of.*"car"/,
  )
  expect(await agent.refusal('get_record', { kind: 'plan', id: 'pro' })).toBe(
    'plan_id is missing; it must be an id. The call has id.',
  )
  expect(await agent.refusal('list_records', { kind: 'plans', colour: 'red' })).toContain('colour')
  expect(await agent.refusal('advance_clock', { by: 'P1D', to_next: 1 })).toContain('to_next')
  const asFile = { kind: 'plan', plan_id: 'p', file: 'package.json' }
  expect(await agent.refusal('create_record', asFile)).toMatch(/file is not a known field/)
  await expect(agent.call('drop_tables')).rejects.toThrow(/no tool "drop_tables"/)
  const { counts } = await agent.call<{ counts: object }>('describe_sandbox')
  expect(counts).toMatchObject({ plans: 4, events: 0 })
})

it('cuts the events of a long advance, and says so; a page is as long as was asked for', async () => {
  await using agent = await startAgent()
  await agent.call('create_subscription', { customer_id: 'cus_ada', plan: 'basic' })
  const { events } = await agent.call<{ events: unknown[] }>('advance_clock', { by: 'P2Y' })
  expect(events).toHaveLength(51)
  expect(events.at(-1)).toMatch(/^\d+ more are left out here$/)
  const asked = { kind: 'events', limit: 90 }
  expect((await agent.call<Page<unknown>>('list_records', asked)).data).toHaveLength(90)
  const unasked = await agent.call<Page<unknown>>('list_records', { kind: 'events' })
  expect(unasked.data).toHaveLength(20)
})

it.each([
  [['mcp', '--url', 'http://127.0.0.1:2'], 3, 'Nothing answers at http://127.0.0.1:2'],
  [['mcp', '--url', 'nonsense'], 2, '--url must be'],
  [['mcp', '--colour'], 2, '--colour'],
])('ends with a sentence for %j', async (args, code, sentence) => {
  const running = run(args)
  expect(await running.ended).toBe(code)
  expect(running.errors()).toContain(sentence)
})

it('names a sandbox that is not there', async () => {
  const server = await serveHere()
  const running = run(['mcp', '--url', server.url, '--sandbox', 'gone'])
  expect(await running.ended).toBe(3)
  expect(running.errors()).toContain('gone')
  await server.stop()
})
