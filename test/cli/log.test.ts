import { expect, it, vi } from 'vitest'
import { processLog } from '../../src/cli/commands/log.ts'
import { createApp } from '../../src/server/app.ts'
import { run } from '../support/command-line.ts'
import { openShop } from '../support/control.ts'

const key = { Authorization: 'Bearer sk_sandbox_default' }

function entriesIn(text: string): Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

it('refuses --quiet with --verbose', async () => {
  const command = run(['serve', '--quiet', '--verbose'])
  expect(await command.ended).toBe(2)
  expect(command.errors()).toContain('--quiet and --verbose exclude each other.')
})

/** What is written of one call, to a terminal or to a program. */
async function written(sink: { isTTY: boolean; writableLength: number }) {
  const texts: string[] = []
  const write = (text: string) => texts.push(text) > 0
  const log = processLog('bodies', { ...sink, write } as never)
  const shop = await openShop()
  const app = createApp(shop.registry, log.warn, { observer: log.observer })
  const send = (body: string) =>
    app.request('/v1/subscriptions', {
      method: 'POST',
      headers: { ...key, 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    })
  return { texts, log, send }
}

it('writes lines for people in a terminal, which no client can steer', async () => {
  const { texts, log, send } = await written({ isTTY: true, writableLength: 0 })
  await send('customer_id=cus_ada&plan=pro\u001b[2J\u009b')
  log.warn('Something is wrong.')
  expect(texts[0]).toMatch(
    /^POST \/v1\/subscriptions {2}default {2}404 {2}not_found {2}[\d.]+ ms\n/,
  )
  expect(texts[0]).toContain('> customer_id=cus_ada&plan=pro\\x1b[2J\\x9b\n')
  expect(texts[1]).toBe('Something is wrong.\n')
})

it('says how many lines it dropped, once somebody reads again', async () => {
  const sink = { isTTY: false, writableLength: 2_000_000 }
  const texts: string[] = []
  const log = processLog(
    'lines',
    Object.assign(sink, { write: (text: string) => texts.push(text) > 0 }) as never,
  )
  log.warn('first')
  log.warn('second')
  sink.writableLength = 0
  log.warn('third')
  await vi.waitUntil(() => texts.length > 0)
  sink.writableLength = 2_000_000
  log.warn('fourth')
  sink.writableLength = 0
  await log.end()
  const time = expect.any(String)
  expect(entriesIn(texts.join(''))).toMatchObject([
    { time, msg: '2 lines were dropped, because nobody read them.' },
    { msg: 'third' },
    { time, msg: '1 lines were dropped, because nobody read them.' },
  ])
})
