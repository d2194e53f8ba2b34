/**
 * Clients as the common generators make them from both documents: each program runs the same scenario, and the sandbox
 * then holds what its author meant. The same programs then run against a service that answers differently.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Listener, listen } from '../../src/server/listen.ts'
import { openShop, type Shop } from '../support/control.ts'
import { differentService, unknownCode } from './different-service.ts'
import {
  type Command,
  type DocumentName,
  documents,
  type Generator,
  generators,
  missingFor,
  runIn,
} from './tools.ts'

/** The slowest downloads what its client is compiled with. */
const PATIENCE_MS = 900_000

/** What a program prints of what it read. */
interface Read {
  readonly subscription_id: string
  readonly access_token: string
}

const here = fileURLToPath(new URL('.', import.meta.url))
const address = { host: '127.0.0.1', port: 0 }
let shop: Shop
let sandbox: Listener
let different: Listener

beforeAll(async () => {
  shop = await openShop()
  sandbox = await listen(shop.app, address)
  different = await listen(differentService(shop.app), address)
})
afterAll(async () => {
  await sandbox.close()
  await different.close()
})

for (const generator of generators) {
  const { name, run } = generator
  const does = 'says' in run ? 'stopped by a known bug' : 'that do what their callers mean'
  it(`${name} makes clients ${does}`, { timeout: PATIENCE_MS }, async ({ skip }) => {
    const missing = missingFor(generator)
    skip(missing !== undefined, `not run: ${missing?.join(' ')} fails`)
    const folder = await mkdtemp(join(here, 'out-'))
    try {
      const made = make(generator, folder)
      if ('says' in run) await expect(made).rejects.toThrow(run.says)
      else {
        await made
        await actAndRead(generator, run, folder)
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}

/** Makes the clients of both documents in a folder, and compiles the program with them. */
async function make({ query, program, ...tool }: Generator, folder: string) {
  for (const [from, to] of program) {
    await cp(join(here, 'clients', from), join(folder, to), { recursive: true })
  }
  for (const document of Object.keys(documents) as DocumentName[]) {
    const served = await fetch(`${sandbox.url}${documents[document]}${query}`)
    await writeFile(join(folder, `${document}.json`), await served.text())
    await mkdir(join(folder, document))
    await runIn(folder, tool.generate(document))
  }
  for (const command of tool.compile) await runIn(folder, command)
}

/** Runs the program against the sandbox, and against a service whose answers have more and less. */
async function actAndRead({ runs }: Generator, run: Command, folder: string) {
  await scenario(
    { runs, run, folder },
    {
      url: sandbox.url,
      read: {
        statuses: ['trialing', 'trialing', 'active', 'paused', 'active'],
        error: 'not_found',
      },
    },
  )
  await scenario(
    { runs, run, folder },
    {
      url: different.url,
      read: {
        statuses: ['Trialing', 'Trialing', 'Past Due', 'Paused', null],
        error: unknownCode,
      },
    },
  )
}

interface Program {
  readonly runs: number
  readonly run: Command
  readonly folder: string
}

/** Runs the program against a service; it reads what that answers, and the sandbox holds what it asked for. */
async function scenario(
  program: Program,
  service: { readonly url: string; readonly read: object },
) {
  await shop.post('/sandbox/reset', {})
  const environment = {
    BASE_URL: service.url,
    CONTROL_URL: sandbox.url,
    API_KEY: 'sk_sandbox_default',
  }
  const printed = (await runIn(program.folder, program.run, environment)).trim().split('\n')
  expect(printed).toHaveLength(program.runs)
  const read = printed.map((line) => JSON.parse(line) as Read)
  for (const each of read) {
    expect(each).toMatchObject({ plan: 'pro', ...service.read })
    await checkHeld(each.subscription_id)
  }
  const { access_token, subscription_id } = read.at(-1) as Read
  const headers = { Authorization: `Bearer ${access_token}` }
  const path = `/v1/subscriptions/${subscription_id}/pause`
  expect(await shop.call('POST', path, { headers })).toMatchObject({ status: 200 })
}

async function checkHeld(id: string) {
  const { body } = await shop.get(`/sandbox/subscriptions/${id}`)
  expect(body).toMatchObject({
    customer_id: 'cus_ada',
    plan: 'pro',
    status: 'active',
    trial_period_days: 14,
    cancel_at_period_end: true,
    ended_at: null,
    discounts: [{ coupon_id: 'SAVE20', value: 20 }],
  })
  const { body: events } = await shop.get<{ data: { type: string }[] }>(
    `/sandbox/events?subscription_id=${id}&limit=100`,
  )
  const types = events.data.map(({ type }) => type)
  expect(types).toEqual(expect.arrayContaining(scenarioEvents))
}

const scenarioEvents = [
  'subscription.created',
  'discount.applied',
  'subscription.trial_ended',
  'subscription.plan_changed',
  'subscription.paused',
  'subscription.resumed',
  'subscription.cancel_scheduled',
]
