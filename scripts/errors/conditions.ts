/** What must be the case before some codes of the catalogue of errors are answered: real servers in real trouble. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RECORDS_MAX } from '../../src/assumptions/bounds.ts'
import { Fixture } from '../../src/sandbox/fixture-format.ts'
import { start } from '../../src/server/start.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { packageRoot } from '../../src/version.ts'
import type { Code } from '../../src/wire/common/error-codes.ts'
import { countRecords } from '../../src/world/capacity.ts'
import { makeCalls, sendCall } from './calls.ts'
import { CROWDED } from './limits.ts'
import {
  client,
  type ErrorCall,
  loggedIn,
  ofShop,
  postCall,
  putCall,
  subscribed,
  withHeaders,
} from './row.ts'

/** A server to call. */
export interface Opened {
  readonly url: string
  readonly close: () => Promise<unknown>
  /** How a call is sent, where that is no ordinary way. */
  readonly send?: (url: string, sent: ErrorCall) => Promise<{ status: number; body: string }>
  /** What a message may name, and what is recorded instead. */
  readonly places?: Readonly<Record<string, string>>
}

const log = () => undefined
/** Its cancellation is refused where the subscription was canceled after its only retry. */
const pastDue = {
  now: '2027-01-01T00:00:00.000Z',
  settings: { retry_schedule: ['P1D'], after_retries: 'keep_past_due' },
  products: [{ product_id: 'prod_app', name: 'App' }],
  plans: [
    {
      ...{ plan_id: 'basic', product_id: 'prod_app', name: 'Basic' },
      ...{ amount: 1000, currency: 'USD', interval: 'month' },
    },
  ],
  customers: [{ customer_id: 'cus_ada', currency: 'USD' }],
  history: [
    { at: '2027-01-01', payment_outcomes: { customer_id: 'cus_ada', always: 'card_declined' } },
    { at: '2027-01-01', subscribe: { customer_id: 'cus_ada', plan: 'basic' } },
    { at: '2027-01-03', cancel: { subscription_id: 'sub_000001' } },
  ],
}

const root = fileURLToPath(packageRoot).replace(/\/$/, '')
const installed = '/usr/local/lib/node_modules/subscription-sandbox'

export const conditions: { readonly [Each in Code]?: () => Promise<Opened> } = {
  sandbox_full: async () => {
    const { url, close, registry } = await start({ log })
    const paused = [subscribed, client('/subscriptions/sub_000002/pause')]
    await makeCalls(url, [putCall('/sandboxes/shop'), loggedIn, subscribed, ...paused])
    const own = (await (await fetch(`${url}/sandbox/state`)).json()) as { products: object[] }
    const held = countRecords(await registry.default.read((world) => world))
    const stateOf = (records: number) => {
      const more = Array.from({ length: records - held }, (_, at) => ({
        ...{ product_id: `more_${at}`, name: 'More' },
      }))
      return { ...own, products: [...own.products, ...more] }
    }
    const full = stateOf(RECORDS_MAX)
    await makeCalls(url, [putCall('/sandbox/state', full)])
    // A file may not be as long as that.
    const fixtures = registry.fixtures as Map<string, Fixture>
    fixtures.set('crowded', Fixture.parse({ state: full }))
    const send = (to: string, sent: ErrorCall) => {
      const isCrowded = sent.body === CROWDED
      const body = isCrowded ? JSON.stringify(stateOf(RECORDS_MAX + 1)) : sent.body
      return sendCall(to, { ...sent, ...(body !== undefined && { body }) })
    }
    return { url, close, send }
  },
  clock_busy: async () => {
    const { url, close } = await start({ log })
    const receiver = createServer().listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as AddressInfo
    const webhook = postCall('/sandbox/webhooks', { url: `http://127.0.0.1:${port}/hooks` })
    await makeCalls(url, [webhook, subscribed])
    const delivery = once(receiver, 'request')
    const advance = fetch(`${url}/sandbox/clock/advance`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ by: 'P1D', lockstep: true }),
    })
    await delivery
    const end = async () => {
      receiver.close()
      receiver.closeAllConnections()
      await advance
      await close()
    }
    return { url, close: end }
  },
  checkpoint_unusable: async () => {
    const { url, close, registry } = await start({ log })
    await makeCalls(url, [postCall('/sandbox/checkpoints', { name: 'ready' })])
    await registry.default.documents('checkpoints', async (folder) => {
      await folder.set(folder.documents.map(({ about }) => ({ about, entries: [] })))
      return null
    })
    return { url, close }
  },
  fixture_unusable: async () => {
    const folder = await temporaryFolder()
    const starter = await readFile(new URL('fixtures/starter.json', packageRoot), 'utf8')
    await writeFile(join(folder, 'default.json'), starter)
    await writeFile(join(folder, 'past-due.json'), JSON.stringify(pastDue))
    const { url, close } = await start({ log, fixture: folder })
    return {
      url,
      close: () => close().then(() => remove(folder)),
      places: { [folder]: '/fixtures' },
    }
  },
  request_timeout: async () => {
    const { url, close } = await start({ log })
    const stalled: Socket[] = []
    const stall = ({ method, path, headers = {} }: ErrorCall) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      stalled.push(socket)
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
      const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...lines]
      const awaited = ['Content-Type: application/json', 'Content-Length: 64', '', '']
      socket.on('error', () => undefined).write([...head, ...awaited].join('\r\n'))
      return socket
    }
    const send = async (_: string, sent: ErrorCall) => {
      const socket = stall(sent)
      const chunks: Buffer[] = []
      socket.on('data', (chunk: Buffer) => chunks.push(chunk))
      for (let more = 0; more < 256; more += 1) stall(sent)
      await once(socket, 'close')
      for (const each of stalled.splice(0)) each.destroy()
      const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')
      return { status: Number(head.split(' ')[1]), body }
    }
    return { url, close, send }
  },
  storage_unavailable: async () => {
    const folder = await temporaryFolder()
    const { url, close, registry } = await start({ log, folder })
    const moved = join(folder, 'sandboxes', 'default')
    await rename(moved, `${moved}-moved`)
    const found = registry.find.bind(registry)
    const unless = (sandboxId: string) => {
      if (sandboxId !== 'shop') return found(sandboxId)
      const path = join(folder, 'sandboxes', 'shop', 'journal-000001.ndjson')
      throw new StoreUnavailable(`${path} cannot be written: ENOSPC: no space left on device`)
    }
    Object.assign(registry, { find: unless, remove: unless })
    const end = () => close().finally(() => remove(folder))
    return { url, close: end, places: { [folder]: '/data' } }
  },
  storage_damaged: async () => {
    const folder = await temporaryFolder()
    const before = await start({ log, folder })
    const product = withHeaders(postCall('/sandbox/products#[1-2]', { name: 'One' }), ofShop)
    await makeCalls(before.url, [putCall('/sandboxes/shop'), product])
    await before.close()
    const { url, close } = await start({ log, folder })
    const shop = join(folder, 'sandboxes', 'shop')
    const names = await readdir(shop)
    const journal = join(shop, names.find((name) => name.startsWith('journal')) ?? '')
    await truncate(journal, (await readFile(journal, 'utf8')).indexOf('\n') + 1)
    const end = () => close().finally(() => remove(folder))
    return { url, close: end, places: { [folder]: '/data' } }
  },
  unavailable: async () => {
    const command = `ulimit -n 128; exec "${process.execPath}" --import tsx src/cli/main.ts serve --port 0 --data memory`
    const child = spawn('sh', ['-c', command], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
    let printed = ''
    while (!/http:\/\/\S+:\d+/.test(printed)) printed += String(await once(child.stdout, 'data'))
    const [url = ''] = /http:\/\/[\w.:]+\d/.exec(printed) ?? []
    const held = Array.from({ length: 80 }, () => connect(Number(new URL(url).port), '127.0.0.1'))
    for (const socket of held) await once(socket, 'connect')
    const close = async () => {
      for (const socket of held) socket.destroy()
      child.kill()
      await once(child, 'close')
    }
    return { url, close, places: { [root]: installed } }
  },
  internal: async () => {
    const { url, close, registry } = await start({ log })
    const planted = () => {
      throw new Error('planted')
    }
    Object.assign(registry, { find: planted, create: planted, remove: planted })
    return { url, close }
  },
}

function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'subscription-sandbox-errors-'))
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true })
}
