import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ringOf } from '../../src/cli/commands/ring.ts'
import type { WireIssuedTokens } from '../../src/wire/sandbox/token.ts'
import { askAt, type Sent } from '../support/ask-at.ts'
import { inLanes, startLoad } from '../support/steady-load.ts'
import { hasNginx, openTeamServer, type TeamServer } from '../support/team-server.ts'

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
    const ring = ringOf(server.processes.map(({ url }) => new URL(url).host))
    for (const [sandbox, upstreams] of upstreamsOf) expect([...upstreams]).toEqual([ring(sandbox)])
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

  it('adds a fourth process under load, and loses nothing that was acknowledged', async () => {
    const [untouched, loaded] = [ids.slice(0, 40), ids.slice(40)]
    for (const of of untouched) {
      await ask('PUT', `/sandboxes/${of}--fork`, { body: { from: { sandbox: of } } })
      await ask('POST', '/sandbox/checkpoints', { of, body: { name: 'before' } })
    }
    await ask('POST', '/sandbox/customers', { of: 'default', body: { customer_id: 'cus_default' } })
    const contents = () =>
      inLanes(untouched, async (of) => [
        (await ask('GET', '/sandbox/state', { of })).text,
        (await ask('GET', '/sandbox/state', { of: `${of}--fork` })).text,
        (await ask('GET', '/sandbox/checkpoints', { of })).text,
      ])
    const before = await contents()
    const load = startLoad(server.url, loaded, 'cus_moving')
    await pause(500)
    const beganAt = performance.now()
    const printed = await server.addProcess()
    const tookMs = performance.now() - beganAt
    await pause(500)
    const made = await load.stop()

    expect(await contents()).toEqual(before)
    const refused = made.filter(({ status }) => status === 502)
    expect(refused.length).toBeGreaterThan(0)
    // nginx closes the kept connections of its old workers.
    expect(made.filter(({ status }) => ![201, 502, 0].includes(status))).toEqual([])
    const acknowledged = made.filter(({ status }) => status === 201)
    const answers = await inLanes(acknowledged, ({ of, customerId }) =>
      ask('GET', `/sandbox/customers/${customerId}`, { of }),
    )
    const lost = answers.filter(({ status }) => status !== 200)
    expect(lost).toEqual([])
    expect(await ask('GET', '/sandbox/customers/cus_default')).toMatchObject({ status: 200 })
    const ring = ringOf(server.processes.map(({ url }) => new URL(url).host))
    const listed = await Promise.all(server.processes.map(({ url }) => listedAt(url)))
    const forks = untouched.map((id) => `${id}--fork`)
    expect(listed.flat().sort()).toEqual([...ids, ...forks].sort())
    for (const [at, { url }] of server.processes.entries()) {
      expect(listed[at]?.map(ring)).toEqual(listed[at]?.map(() => new URL(url).host))
    }
    const moved = Number(/^(\d+) sandboxes moved/m.exec(printed)?.[1])
    expect(listed[3]?.length).toBeGreaterThan(0)
    figures.push(
      ['sandboxes that moved to the fourth', `${moved} of ${listed.flat().length}`],
      ['no process answered for', `${tookMs.toFixed(0)} ms, ${refused.length} calls refused`],
      ['changes acknowledged before and after', `${acknowledged.length}, lost: ${lost.length}`],
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
