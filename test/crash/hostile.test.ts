/**
 * Clients that wish the server ill, against a real process: the health is answered all the while, from connections that
 * come after theirs, and the memory of the process is bounded.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Served, serve } from '../support/process.ts'

/** `HOSTILE=all` for as many as an attacker would send. */
const isWhole = process.env['HOSTILE'] === 'all'
const CONNECTIONS = isWhole ? 5000 : 2200
const SLOW = isWhole ? 3000 : 400
const FOR_MS = isWhole ? 20_000 : 1500

/** An attack goes on until the health was asked for so often meanwhile: a slow machine needs longer for it. */
const ANSWERS = 5

/** The promise is for a machine that has nothing else to do; beside other tests, it is only that it is answered. */
const HEALTH_MS = isWhole ? 200 : 3000
/** After so long without an answer, there is none. */
const SILENCE_MS = isWhole ? 5000 : 60_000
/** What a server of thousands of connections may take; a body of 1 GB is far more. */
const MEMORY_MAX_MB = 600

let sandbox: Served
/** One that nobody attacks: what it takes to answer, the machine is to blame for. */
let quiet: Served
/** How often the health of the attacked one was asked for: the thread that asks counts. */
const asked = new Int32Array(new SharedArrayBuffer(4))
const sockets: Socket[] = []
beforeEach(async () => {
  sandbox = await serve('--data', 'memory', '--quiet')
  quiet = await serve('--data', 'memory', '--quiet')
  // The first call of the control plane loads it.
  await (await fetch(`${sandbox.url}/sandbox`)).text()
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  expect(await sandbox.stop()).toBe(0)
  expect(sandbox.errors()).toBe('')
  await quiet.stop()
})

/** A connection that nobody may have to miss: the server may close it. */
function open(): Socket {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(sandbox.url).port) })
  socket.on('error', () => undefined)
  sockets.push(socket)
  return socket
}

/** So many connections, opened as fast as they are taken. */
async function opened(count: number): Promise<Socket[]> {
  const made: Socket[] = []
  while (made.length < count) {
    const some = Array.from({ length: Math.min(250, count - made.length) }, open)
    await Promise.all(some.map((socket) => once(socket, 'connect').catch(() => undefined)))
    made.push(...some)
  }
  return made
}

/** What comes back on a connection until it ends. */
async function answerOn(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  // A connection that is cut is an end like any other.
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Begins an attack; answers whether it has lasted. */
function begun(): () => boolean {
  const endsAt = Date.now() + FOR_MS
  const askedBefore = Atomics.load(asked, 0)
  return () => Date.now() >= endsAt && Atomics.load(asked, 0) - askedBefore >= ANSWERS
}

async function memoryMb(): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', `${sandbox.child.pid}`])
  return Number(stdout) / 1024
}

/** Attacks, and expects the health to be answered in time meanwhile, and the memory to stay bounded. */
async function withstands<Value>(attack: () => Promise<Value>): Promise<Value> {
  const program = new URL('../support/health-probe.mjs', import.meta.url)
  const probe = new Worker(program, {
    workerData: { url: sandbox.url, quietUrl: quiet.url, silenceMs: SILENCE_MS, asked },
  })
  await once(probe, 'online')
  let mostMb = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      mostMb = Math.max(mostMb, await memoryMb())
      await pause(200)
    }
  })()
  const value = await attack()
  isOver = true
  await watching
  const found = once(probe, 'message')
  probe.postMessage('stop')
  const [{ attackedMs, quietMs, failures }] = await found
  const [attacked, peace] = [attackedMs, quietMs].map((times: number[]) =>
    times.sort((a, b) => a - b),
  )
  const slowest = (times: number[] = []) => Math.round(times.at(-1) ?? 0)
  const figures = `health ${slowest(attacked)} ms, ${slowest(peace)} ms of a server in peace, ${Math.round(mostMb)} MB`
  // What the long run is made for: the figures.
  if (isWhole) process.stdout.write(`${figures}\n`)
  expect(failures).toEqual([])
  // Where the machine has more to do, an answer may wait for it at any time; few do twice.
  const usual = attacked?.[Math.floor(attackedMs.length * 0.95)] ?? Number.POSITIVE_INFINITY
  expect(usual, figures).toBeLessThan(HEALTH_MS + slowest(peace))
  expect(mostMb).toBeLessThan(MEMORY_MAX_MB)
  return value
}

/** Has eight clients do something over and over. */
async function again<Value>(work: () => Promise<Value>): Promise<Value[]> {
  const hasLasted = begun()
  const found: Value[] = []
  const live = async () => {
    do found.push(await work())
    while (!hasLasted())
  }
  await Promise.all(Array.from({ length: 8 }, live))
  return found
}

const headOf = (target: string, ...lines: string[]) =>
  [
    `${target} HTTP/1.1`,
    'Host: localhost',
    'Authorization: Bearer sk_sandbox_default',
    ...lines,
    '',
  ].join('\r\n')
const json = 'Content-Type: application/json'

/** Writes a piece to each connection now and then. */
async function dribble(open: readonly Socket[], piece: string): Promise<void> {
  const hasLasted = begun()
  while (!hasLasted()) {
    for (const socket of open) if (socket.writable) socket.write(piece)
    await pause(500)
  }
}

it('withstands connections that send nothing', async () => {
  await withstands(async () => {
    await opened(CONNECTIONS)
    const hasLasted = begun()
    while (!hasLasted()) await pause(100)
  })
})

it('withstands headers that never end', async () => {
  await withstands(async () => {
    const open = await opened(SLOW)
    for (const socket of open) socket.write(headOf('GET /v1/subscriptions'))
    await dribble(open, 'X-Slow: a\r\n')
  })
})

it.each(['POST /v1/subscriptions', 'PUT /sandbox/state'])(
  'withstands bodies that never end: %s',
  async (target) => {
    await withstands(async () => {
      const open = await opened(SLOW)
      const head = `${headOf(target, json, 'Content-Length: 1000000')}\r\n{"customer_id":"`
      for (const socket of open) socket.write(head)
      await dribble(open, 'a'.repeat(1000))
    })
  },
)

it('withstands 10,000 headers', async () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => `X-${at}: a`)
  const answers = await withstands(async () => {
    return again(async () => {
      const socket = open()
      const answer = answerOn(socket)
      socket.write(`${headOf('GET /sandbox', ...lines)}\r\n`)
      return answer
    })
  })
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 431 /)
})

const MEBIBYTE = 'a'.repeat(1_048_576)
/** A text that goes on and on. */
const text = `{"origin":"`

it.each([
  ['POST /v1/subscriptions', 'Content-Length: 1000000000', text, MEBIBYTE],
  ['PUT /sandbox/state', 'Content-Length: 1000000000', text, MEBIBYTE],
  ['POST /sandbox/contracts/check', 'Content-Length: 1000000000', text, MEBIBYTE],
  [
    'POST /v1/subscriptions',
    'Transfer-Encoding: chunked',
    `b\r\n${text}\r\n`,
    `100000\r\n${MEBIBYTE}\r\n`,
  ],
  [
    'PUT /sandbox/state',
    'Transfer-Encoding: chunked',
    `b\r\n${text}\r\n`,
    `100000\r\n${MEBIBYTE}\r\n`,
  ],
])('withstands bodies of 1 GB: %s, %s', async (...[target, length, begin, piece]) => {
  const answers = await withstands(async () => {
    return again(async () => {
      const socket = open()
      const answer = answerOn(socket)
      socket.write(`${headOf(target, json, length)}\r\n${begin}`)
      for (let sent = 0; sent < 1000 && socket.writable; sent += 1) {
        if (!socket.write(piece))
          await Promise.race([new Promise((go) => socket.once('drain', go)), answer])
      }
      return answer
    })
  })
  for (const answer of answers)
    expect(answer === '' || /^HTTP\/1\.1 (?:400|404|413) /.test(answer)).toBe(true)
})

it.each(['POST /v1/subscriptions', 'POST /sandbox/reset', 'PUT /sandbox/state'])(
  'withstands JSON that is nested 100,000 deep: %s',
  async (target) => {
    const body = `{"customer_id":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const head = headOf(target, json, `Content-Length: ${body.length}`, 'Connection: close')
    const answers = await withstands(() =>
      again(async () => {
        const socket = open()
        const answer = answerOn(socket)
        socket.write(`${head}\r\n${body}`)
        return answer
      }),
    )
    const told = answers.filter((answer) => /^HTTP\/1\.1 400 .*nested deeper than 32/s.test(answer))
    // Where the client still writes when the server closes, the system may throw the answer away.
    expect(told.length).toBeGreaterThan(0)
    expect(answers.filter((answer) => answer !== '')).toEqual(told)
  },
)
