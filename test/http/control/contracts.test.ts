import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { openShop } from '../../support/control.ts'

const shipped = 'reference-form-client-subscription-service.json'

interface Pact {
  readonly interactions: {
    description: string
    request: { method: string; path: string }
    response: { status: number }
  }[]
}

async function pact(): Promise<Pact> {
  return JSON.parse(await readFile(`contracts/pacts/${shipped}`, 'utf8')) as Pact
}

interface Report {
  readonly ok: boolean
  readonly findings: {
    interaction: string
    message: string
    operation: string
    openapi_line: number
  }[]
  readonly more_findings: number
  readonly verification: { ok: boolean } | null
}

describe('the pacts that come with the sandbox', () => {
  it('are listed, the assumed ones under their folder, and read by their names', async () => {
    const shop = await openShop()
    const { body } = await shop.get<{ data: { file: string }[] }>('/sandbox/contracts')
    const files = body.data.map(({ file }) => file)
    expect(files).toContain(shipped)
    const assumed = files.filter((file) => file.startsWith('assumed/'))
    expect(assumed.length).toBeGreaterThan(0)
    for (const file of [shipped, ...assumed]) {
      const read = await shop.get(`/sandbox/contracts/${encodeURIComponent(file)}`)
      expect(JSON.stringify(read.body)).toBe(
        JSON.stringify(JSON.parse(await readFile(`contracts/pacts/${file}`, 'utf8'))),
      )
    }
    expect((await shop.get('/sandbox/contracts/..%2Fpackage.json')).status).toBe(404)
  })
})

describe('checking a pact', () => {
  it('finds nothing in one that fits', async () => {
    const shop = await openShop()
    const { body } = await shop.post<Report>('/sandbox/contracts/check', await pact())
    expect(body).toEqual({ ok: true, findings: [], more_findings: 0, verification: null })
  })

  it('names the interaction, the operation and its line in openapi.yaml', async () => {
    const shop = await openShop()
    const broken = await pact()
    const [first] = broken.interactions
    if (first === undefined) throw new Error('The pact is empty')
    first.response = { status: 418 }
    const { body } = await shop.post<Report>('/sandbox/contracts/check', broken)
    expect(body.ok).toBe(false)
    const [finding] = body.findings
    expect(finding).toMatchObject({ severity: 'error', interaction: first.description })
    expect(finding?.message).toContain('418')
    const lines = (await readFile('openapi.yaml', 'utf8')).split('\n')
    const line = lines[(finding?.openapi_line ?? 0) - 1] ?? ''
    expect(line.trim()).toBe(`${first.request.method.toLowerCase()}:`)
  })

  it.each([
    ['holds no interaction', { interactions: [] }, /no interaction/],
    [
      'holds a message',
      { interactions: [], messages: [{ description: 'told', contents: {} }] },
      /must be "Synchronous\/HTTP"/,
    ],
    [
      'holds what is no interaction',
      { interactions: [{ request: 7 }] },
      /interactions\[0\]\.request: /,
    ],
  ])('never passes one that %s', async (_, parts, message) => {
    const shop = await openShop()
    const { body } = await shop.post<Report>('/sandbox/contracts/check', {
      ...(await pact()),
      ...parts,
    })
    expect(body.ok).toBe(false)
    expect(body.findings.map((each) => each.message).join()).toMatch(message)
  })

  it('lists a hundred findings at most, cuts their texts, and counts the others', async () => {
    const shop = await openShop()
    const { interactions, ...rest } = await pact()
    const [first] = interactions
    const description = 'x'.repeat(5000)
    const broken = { ...first, description, response: { status: 418 } }
    const many = { ...rest, interactions: Array.from({ length: 150 }, () => broken) }
    const { body } = await shop.post<Report>('/sandbox/contracts/check', many)
    expect(body.findings).toHaveLength(100)
    expect(body.findings.length + body.more_findings).toBe(150)
    expect(Math.max(...body.findings.map(({ interaction }) => interaction.length))).toBe(1001)
  })

  it('refuses one of more interactions than a check takes, and a longer one to be replayed', async () => {
    const shop = await openShop()
    const { interactions, ...rest } = await pact()
    const of = (length: number) => {
      return {
        ...rest,
        interactions: Array.from({ length }, (_, at) => ({ description: `${at}` })),
      }
    }
    const check = (length: number, query = '') =>
      shop.post<{ detail: string }>(`/sandbox/contracts/check${query}`, of(length))
    expect((await check(20_000)).status).toBe(200)
    expect(await check(20_001)).toMatchObject({
      status: 400,
      body: { detail: 'interactions must be a list of at most 20000; got one of 20001.' },
    })
    expect((await check(2001, '?live')).body.detail).toContain('at most 2000 to be replayed')
    expect(interactions.length).toBeGreaterThan(0)
  })

  it.each([
    ['no JSON', '{"consumer":', /^The body must be JSON; expected .* at its end/],
    [
      'no pact',
      '{"provider":{"name":"x"}}',
      /^consumer is missing; it must be an object with a name/,
    ],
  ])('refuses a body that is %s as any other operation does', async (_, bytes, detail) => {
    const shop = await openShop()
    const headers = { 'Content-Type': 'application/json' }
    const answer = await shop.call('POST', '/sandbox/contracts/check', { bytes, headers })
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringMatching(detail) } })
    expect(shop.log).toEqual([])
  })

  it('finds a header that HTTP cannot carry, and goes on', async () => {
    const shop = await openShop()
    const broken = await pact()
    Object.assign(broken.interactions[0]?.request ?? {}, { headers: { 'X-Note': 'ž' } })
    const { status, body } = await shop.post<Report>('/sandbox/contracts/check', broken)
    expect(status).toBe(200)
    expect(body.ok).toBe(false)
    expect(body.findings[0]?.message).toContain('interactions[0].request.headers["X-Note"]')
  })

  it('replays it where that is asked for, and leaves this sandbox alone', async () => {
    const shop = await openShop()
    const before = await shop.state()
    const fits = await shop.post<Report>('/sandbox/contracts/check?live', await pact())
    expect(fits.body).toMatchObject({ ok: true, verification: { ok: true } })

    const empty = { ...(await pact()), interactions: [] }
    const nothing = await shop.post<Report>('/sandbox/contracts/check?live', empty)
    expect(nothing.body).toMatchObject({ ok: false, verification: { ok: false } })

    const broken = await pact()
    const [first] = broken.interactions
    if (first === undefined) throw new Error('The pact is empty')
    // Its own rule takes any status of success.
    first.response = { status: 400 }
    const breaks = await shop.post<Report>('/sandbox/contracts/check?live=true', broken)
    expect(breaks.body).toMatchObject({ ok: false, verification: { ok: false } })
    expect(JSON.stringify(breaks.body.verification)).toContain(first.description)
    expect(await shop.state()).toBe(before)
  })
})
