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
    expect(body).toEqual({ ok: true, findings: [], verification: null })
  })

  it('names the interaction, the operation and its line in openapi.yaml', async () => {
    const shop = await openShop()
    const broken = await pact()
    const [first] = broken.interactions
    if (first === undefined) throw new Error('The pact is empty')
    first.response.status = 418
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
      /is not HTTP/,
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
    first.response.status = 400
    const breaks = await shop.post<Report>('/sandbox/contracts/check?live=true', broken)
    expect(breaks.body).toMatchObject({ ok: false, verification: { ok: false } })
    expect(JSON.stringify(breaks.body.verification)).toContain(first.description)
    expect(await shop.state()).toBe(before)
  })
})
