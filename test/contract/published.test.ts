import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { v1Operations } from '../../src/operations/v1.ts'
import { assumedPacts, documentedPacts, publishedPact } from './support/published.ts'

interface WireResponse {
  readonly status: number
  readonly body: { readonly content: Readonly<Record<string, unknown>> }
  readonly matchingRules?: {
    readonly status?: object
    readonly body?: Readonly<Record<string, object>>
  }
}

interface WireInteraction {
  readonly description: string
  readonly request: { readonly path: string; readonly method: string }
  readonly response: WireResponse
}

const documented = interactionsOf(documentedPacts)
const assumed = interactionsOf(assumedPacts)

it('has a file for every consumer in the tests, and no other', () => {
  const tests = execFileSync('git', ['ls-files', '-co', 'test/contract/consumers']).toString()
  const written = tests
    .trim()
    .split('\n')
    .map((path) => consumerIn(readFileSync(path, 'utf8')))
  const published = [...documentedPacts, ...assumedPacts]
  expect([...published].sort()).toEqual(written.sort())
})

it.each([...documentedPacts, ...assumedPacts])(
  'can be read without a problem: %s',
  async (path) => {
    const { consumer, interactions, foreign } = await publishedPact(path)
    expect(path).toContain(`/${consumer}-`)
    expect(interactions.length).toBeGreaterThan(0)
    expect(foreign).toEqual([])
  },
)

describe('what is documented', () => {
  it('asks for all six operations', () => {
    const asked = new Set(documented.map(({ request }) => operationOf(request.path)))
    expect([...asked].sort()).toEqual(v1Operations.map(({ operationId }) => operationId).sort())
  })

  it('reads the three errors of refresh', () => {
    const codes = new Set(documented.map(({ response }) => response.body.content['error']))
    codes.delete(undefined)
    expect([...codes].sort()).toEqual(['invalid_grant', 'invalid_request', 'unauthorized'])
  })

  it('reads documented fields only', () => {
    const read = documented.flatMap(({ response }) => Object.keys(response.body.content))
    expect([...new Set(read)].sort()).toEqual([
      'access_token',
      'customer_id',
      'error',
      'expires_in',
      'message',
      'plan',
      'token_type',
      'trial_period_days',
    ])
  })

  it('pins no value but plans, codes and the Bearer, and no status but that of a refresh', () => {
    for (const { request, response } of documented) {
      const ruled = Object.keys(response.matchingRules?.body ?? {}).map((path) => path.slice(2))
      const pinned = Object.keys(response.body.content).filter((field) => !ruled.includes(field))
      expect(['', 'plan', 'error', 'token_type']).toContain(pinned.join())
      const isRefreshed = operationOf(request.path) === 'refreshToken' && response.status === 200
      expect(response.matchingRules?.status !== undefined).toBe(!isRefreshed)
    }
  })
})

it('assumes every refusal that an operation declares', () => {
  const refusals = v1Operations.flatMap((operation): readonly string[] => operation.refusals ?? [])
  // No contract is about the size of the sandbox, and no state fills one.
  const declared = refusals.filter((code) => code !== 'sandbox_full')
  const pinned = new Set(assumed.map(({ response }) => response.body.content['error']))
  expect([...pinned]).toEqual(
    expect.arrayContaining([...declared, 'invalid_request', 'unauthorized']),
  )
})

function consumerIn(text: string): string {
  const [, consumer, set] = /consumerOf\('([\w-]+)', '(\w+)'\)/.exec(text) ?? []
  const folder = set === 'assumed' ? 'contracts/pacts/assumed' : 'contracts/pacts'
  return `${folder}/${consumer}-subscription-service.json`
}

function interactionsOf(paths: readonly string[]): WireInteraction[] {
  return paths.flatMap((path) => {
    const pact = JSON.parse(readFileSync(path, 'utf8')) as { interactions: WireInteraction[] }
    return pact.interactions
  })
}

function operationOf(path: string): string | undefined {
  return v1Operations.find((operation) =>
    new RegExp(`^${operation.path.replace(/\{\w+\}/, '[^/]+')}$`).test(path),
  )?.operationId
}
