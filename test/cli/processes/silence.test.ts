/** Servers that take connections and say nothing: how long a command waits, in real time. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { outcome, run } from '../../support/command-line.ts'

it('does not wait for ever for a server that takes connections and says nothing', async () => {
  const mute = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`
  const { code, err } = await outcome(run(['clock', 'advance', 'P1D', '--url', url]))
  expect({ code, err }).toEqual({
    code: 3,
    err: `${url} takes connections, and does not answer.\n`,
  })
  mute.close()
})

it('waits for long work as long as the server lives', async () => {
  const slow = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      const head = 'HTTP/1.1 200 OK\r\nSandbox-Version: 1\r\nContent-Type: application/json\r\n'
      const answer = () => socket.end(`${head}Content-Length: 2\r\n\r\n{}`)
      if (`${data}`.startsWith('GET /health/live ')) answer()
      else setTimeout(answer, 12_000)
    })
  }).listen(0, '127.0.0.1')
  await once(slow, 'listening')
  const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
  const { code, out } = await outcome(run(['clock', '--json', '--url', url]))
  expect({ code, out }).toEqual({ code: 0, out: '{}\n' })
  slow.close()
})
