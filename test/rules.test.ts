/** The worked examples of docs/rules.md, sent to the real service: each line on the page is what it answers. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { submit } from './support/client.ts'
import { openShop, type Shop } from './support/control.ts'

const page = readFileSync('docs/rules.md', 'utf8')
const examples = [...page.matchAll(/Example \(([^)]+)\)[^`]*```text\n(.*?)\n```/gs)].map(
  ([, rules = '', text = '']) => ({ rules, text }),
)

it('has examples in every chapter that moves money', () => {
  const chapters = new Set(examples.map(({ rules }) => rules.split('.')[0]))
  expect([...chapters].sort()).toEqual(['1', '3', '4', '5', '6', '7'])
})

it.each(examples)('the example of rule $rules is what the service does', async ({ text }) => {
  expect(await replay(text)).toBe(text)
})

it('finds a wrong figure in any example', async () => {
  for (const { text } of examples) {
    const wrong = text.replace(/^( {2}.*?)\d+$/m, (_, before: string) => `${before}7`)
    expect(await replay(wrong)).not.toBe(wrong)
  }
})

interface WireEvent {
  readonly seq: number
  readonly type: string
  readonly at: string
  readonly subject: { readonly id: string }
  readonly detail: Readonly<Record<string, unknown>>
}

interface WireInvoice {
  readonly lines: readonly { readonly amount: number }[]
  readonly discounts: readonly { readonly coupon_id: string; readonly amount: number }[]
  readonly balance_used: number
  readonly amount_due: number
}

/** Sends the requests of an example, and writes the example anew with what they answer and cause. */
async function replay(text: string): Promise<string> {
  const shop = await openShop()
  const written: string[] = []
  let body: unknown = null
  let seq = 0
  for (const line of text.split('\n')) {
    if (/^[A-Z]/.test(line)) {
      const answer = await send(shop, line)
      body = answer.body
      written.push(line, ...(answer.status < 400 ? [] : [`  ${answer.status} ${codeOf(body)}`]))
      const events = await eventsAfter(shop, seq)
      for (const event of events) written.push(...(await lineOf(shop, event)))
      seq = events.at(-1)?.seq ?? seq
    }
    const [, field] = /^ {2}([a-z_.0-9]+): /.exec(line) ?? []
    if (field !== undefined) written.push(`  ${field}: ${valueAt(body, field)}`)
  }
  return written.join('\n')
}

/** A documented operation gets its fields as a form, the control plane gets JSON. */
function send(shop: Shop, line: string) {
  const [, method = '', path = '', sent = ''] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? []
  if (path.startsWith('/v1')) {
    return submit(shop, path, Object.fromEntries(new URLSearchParams(sent.replaceAll(' ', '&'))))
  }
  return shop.call(method, path, sent === '' ? {} : { json: JSON.parse(sent) })
}

async function eventsAfter(shop: Shop, seq: number): Promise<readonly WireEvent[]> {
  const path = `/sandbox/events?limit=1000&after=${seq}`
  return (await shop.get<{ data: readonly WireEvent[] }>(path)).body.data
}

/** Events that say nothing new beside the invoice or the answer they come with. */
const implied = new Set(
  'subscription.created subscription.renewed discount.applied payment.succeeded invoice.paid'.split(
    ' ',
  ),
)

async function lineOf(shop: Shop, { type, at, subject, detail }: WireEvent): Promise<string[]> {
  if (implied.has(type)) return []
  const facts = [detail.reason, detail.coupon_id].filter((fact) => fact !== undefined)
  const next = type === 'payment.failed' ? [`next attempt ${shown(detail.next_attempt_at)}`] : []
  const what = type === 'invoice.created' ? await invoiceLine(shop, subject.id) : [type, ...facts]
  return [`  ${shown(at)}  ${[[what].flat().join(' '), ...next].join(', ')}`]
}

async function invoiceLine(shop: Shop, id: string): Promise<string> {
  const { body } = await shop.get<WireInvoice>(`/sandbox/invoices/${id}`)
  const parts = [
    ...body.lines.map(({ amount }) => signed(amount)),
    ...body.discounts.map(({ coupon_id, amount }) => `- ${amount} ${coupon_id}`),
    ...(body.balance_used === 0 ? [] : [`${signed(-body.balance_used)} balance`]),
  ]
  return `invoice ${parts.join(' ').replace(/^\+ /, '')} = ${body.amount_due}`
}

function signed(amount: number): string {
  return `${amount < 0 ? '-' : '+'} ${Math.abs(amount)}`
}

function codeOf(body: unknown): unknown {
  return valueAt(body, 'code') ?? valueAt(body, 'error')
}

function valueAt(body: unknown, field: string): unknown {
  const value = field
    .split('.')
    .reduce<unknown>((within, key) => (within as Record<string, unknown> | null)?.[key], body)
  return shown(value)
}

/** Instants without seconds where those are zero; everything else as it is. */
function shown(value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-.*Z$/.test(value)
    ? value.replace('T', ' ').replace(/(:00)?(\.000)?Z$/, '')
    : value
}
