/** The control token in the wrong place: a path, a query, a body or a header of another name. */
import { expect, it } from 'vitest'
import { processLog } from '../../src/cli/commands/log.ts'
import { start } from '../../src/server/start.ts'

const TOKEN = 'correct-horse/battery'
const header = { 'Sandbox-Control-Token': TOKEN }

it('is neither in the request log, the recording, the process log nor an error', async () => {
  const lines: string[] = []
  const sink = { write: (line: string) => lines.push(line) > 0, writableLength: 0, isTTY: false }
  const log = processLog('bodies', sink)
  const server = await start({
    ...{ host: '127.0.0.1', port: 0, allowedHosts: [], folder: null, durability: 'commit' },
    ...{ lock: 'kernel', fixture: null, clockStart: null, running: false },
    ...{ controlToken: TOKEN, observer: log.observer, log: log.warn },
  })
  const key = { Authorization: 'Bearer sk_sandbox_default', 'Content-Type': 'application/json' }
  const send = async (method: string, path: string, body?: object) => {
    const headers = { ...key, ...header, 'Sandbox-Consumer': TOKEN }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await server.answer(
      new Request(`${server.url}${path}`, { method, headers, ...sent }),
    )
    return answer.text()
  }
  const escaped = encodeURIComponent(TOKEN)
  const answers = [
    await send('GET', `/v1/${escaped}`),
    await send('GET', `/v1/${TOKEN}`),
    await send('POST', `/v1/subscriptions?plan=${escaped}`, {
      customer_id: 'cus_ada',
      plan: 'basic',
    }),
    await send('POST', '/v1/subscriptions', { customer_id: TOKEN, plan: 'basic' }),
    await send('POST', '/sandbox/customers', { customer_id: 'cus_new', name: TOKEN, email: 7 }),
    await send('POST', '/sandbox/clock/advance', { by: TOKEN }),
    await send('GET', `/sandbox/customers/${escaped}`),
  ]
  const shown = [await send('GET', '/sandbox/requests')]
  for (const format of ['curl', 'vitest', 'pytest', 'json']) {
    shown.push(await send('GET', `/sandbox/recording?format=${format}`))
  }
  await log.end()
  await server.close()
  expect(shown[0]).toContain('createSubscription')
  expect(shown[1]).toContain('curl')
  expect(lines.join('')).toContain('/v1/subscriptions')
  for (const text of [...answers, ...shown, ...lines]) {
    expect(text).not.toContain(TOKEN)
    expect(text).not.toContain(escaped)
    expect(text).not.toContain('correct-horse')
  }
})
