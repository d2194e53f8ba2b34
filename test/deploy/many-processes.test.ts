import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireIssuedTokens } from '../../src/wire/token.ts'
import { inLanes, startLoad } from '../support/steady-load.ts'
import {
  askAt,
  hasNginx,
  openTeamServer,
  type Sent,
  type TeamServer,
} from '../support/team-server.ts'

const SANDBOXES = 300
const ids = Array.from({ length: SANDBOXES }, (_, at) => `run-${at}`)

if (!hasNginx()) {
  process.stderr.write(
    'Several processes were not tried: there is no nginx (apt-get install nginx-light).\n',
  )
}

describe.runIf(hasNginx())('three processes behind nginx', () => {
  let server: TeamServer
  /** The sandboxes of each process, as it lists them itself. */
  let placed: string[][]
  const figures: [string, string][] = []

  beforeAll(async () => {
    server = await openTeamServer()
    const made = await inLanes(ids, (id) => ask('PUT', `/sandboxes/${id}`))
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
    placed = await Promise.all(server.processes.map(({ url }) => listedAt(url)))
  })

  afterAll(async () => {
    await server?.close()
    const rows = figures.map(([name, figure]) => `${name.padEnd(58)}${figure}\n`)
    process.stdout.write(`\n${rows.join('')}\n`)
  })

  const ask = (method: string, path: string, sent?: Sent) => askAt(server.url, method, path, sent)

  it('has each of 300 sandboxes at one process, spread over all', async () => {
    expect(placed.flat().sort()).toEqual([...ids].sort())
    for (const each of placed) expect(each.length).toBeGreaterThan(SANDBOXES / 6)
    figures.push(['sandboxes of each process', placed.map(({ length }) => length).join(', ')])
  })

  it('finds the process of each by key, by token, by header, by path and by its base address', async () => {
    const order = { customer_id: 'cus_ada', plan: 'basic' }
    const answers = await inLanes(ids, async (id) => {
      const key = `sk_sandbox_${id}`
      const issued = await ask('POST', '/sandbox/tokens', { of: id, body: {} })
      const tokens = JSON.parse(issued.text) as WireIssuedTokens
      const refresh = { key: `${tokens.refresh_token}`, body: tokens.refresh_token }
      return [
        issued,
        await ask('POST', '/v1/subscriptions', { key, body: order }),
        await ask('POST', '/v1/subscriptions', { key, of: 'default', body: order }),
        await ask('POST', '/v1/subscriptions/sub_000001/pause', { key: tokens.access_token }),
        await ask('POST', '/v1/auth/refresh', {
          ...refresh,
          body: { refresh_token: refresh.body },
        }),
        await ask('GET', '/sandbox', { key }),
        await ask('GET', '/sandbox', { of: id, key: 'sk_sandbox_default' }),
        await ask('POST', `/sandboxes/${id}/v1/subscriptions`, { key: 'any', body: order }),
        await ask('GET', `/sandboxes/${id}/provider-states`, { of: 'default' }),
      ].map(({ status, sandbox }) => ({ found: status < 300 && sandbox === id }))
    })
    expect(answers.flat().filter(({ found }) => !found)).toEqual([])
    const byPath = await inLanes(ids, (id) => ask('GET', `/sandboxes/${id}`, { of: 'default' }))
    expect(byPath.map(({ text }) => JSON.parse(text).sandbox_id)).toEqual(ids)
    const suffixed = await ask('GET', '/sandbox', { key: `sk_sandbox_${ids[7]}_revoked` })
    expect(suffixed.status).toBe(401)
    figures.push([
      'calls by key, token, header, path and base address',
      `${answers.flat().length + SANDBOXES}`,
    ])
  })

  it('sends every call of a sandbox to the same process', async () => {
    const noted = (await server.noted()).filter(({ upstream }) => upstream !== '-')
    const upstreamsOf = new Map<string, Set<string>>()
    for (const { sandbox, upstream } of noted) {
      upstreamsOf.set(sandbox, (upstreamsOf.get(sandbox) ?? new Set()).add(upstream))
    }
    expect(upstreamsOf.size).toBeGreaterThanOrEqual(SANDBOXES)
    expect([...upstreamsOf.values()].filter(({ size }) => size !== 1)).toEqual([])
    for (const [at, { url }] of server.processes.entries()) {
      const [id = ''] = placed[at] ?? []
      expect([...(upstreamsOf.get(id) ?? [])]).toEqual([new URL(url).host])
    }
  })

  it('brings the sandboxes of a killed process back with their data, unnoticed by the others', async () => {
    const [victims = [], ...rest] = placed
    const untouched = victims.slice(0, 10)
    const before = await inLanes(untouched, (id) => ask('GET', '/sandbox/state', { of: id }))
    const toOthers = startLoad(server.url, rest.flat())
    const toVictims = startLoad(server.url, victims.slice(10))
    await pause(1000)
    await server.kill(0)
    const killedAt = performance.now()
    const [away = ''] = untouched
    const refused = await ask('GET', '/sandbox', { of: away })
    const refusedV1 = await ask('POST', '/v1/subscriptions', { key: `sk_sandbox_${away}` })
    const refusedAtBase = await ask('POST', `/sandboxes/${away}/v1/subscriptions`, { key: 'any' })
    const madeTwice = await ask('PUT', `/sandboxes/${away}`)
    await pause(1000)
    await server.startAgain(0)
    const backAfterMs = performance.now() - killedAt
    await pause(500)
    const [others, ofVictims] = await Promise.all([toOthers.stop(), toVictims.stop()])

    const missed = others.filter(({ status }) => status !== 201)
    expect(missed).toEqual([])
    expect(others.length).toBeGreaterThan(100)
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(JSON.parse(refused.text)).toMatchObject({
      status: 502,
      code: 'process_unavailable',
      detail: expect.stringContaining(`sandbox "${away}"`),
    })
    expect(JSON.parse(refusedV1.text)).toMatchObject({ error: 'process_unavailable' })
    expect(refusedAtBase.text).toBe(refusedV1.text)
    expect([refused.status, refusedV1.status, madeTwice.status]).toEqual([502, 502, 502])
    const after = await inLanes(untouched, (id) => ask('GET', '/sandbox/state', { of: id }))
    expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text))
    const acknowledged = ofVictims.filter(({ status }) => status === 201)
    expect(acknowledged.length).toBeGreaterThan(10)
    const answers = await inLanes(acknowledged, ({ of, customerId }) =>
      ask('GET', `/sandbox/customers/${customerId}`, { of }),
    )
    const lost = answers.filter(({ status }) => status !== 200)
    expect(lost).toEqual([])
    const waits = others.map(({ tookMs }) => tookMs)
    const times = [0.5, 0.99, 1].map((share) => `${quantile(waits, share).toFixed(1)} ms`)
    figures.push(
      [
        'calls to the others while it was killed and started',
        `${others.length}, failed: ${missed.length}`,
      ],
      ['their time: median, 99 %, longest', times.join(', ')],
      ['back after, 1000 ms of it waited before the start', `${backAfterMs.toFixed(0)} ms`],
      ['changes it had acknowledged', `${acknowledged.length}, lost: ${lost.length}`],
    )
  })
})

/** The sandboxes that a process lists itself, `default` aside. */
async function listedAt(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/sandboxes?limit=1000`)
  const { data } = (await answer.json()) as { data: { sandbox_id: string }[] }
  return data.map(({ sandbox_id: id }) => id).filter((id) => id !== 'default')
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
