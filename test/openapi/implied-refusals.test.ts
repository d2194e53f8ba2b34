/**
 * What operations refuse without declaring it. That each answer has a code of its operation is checked with every call
 * of every test (support/control.ts); here it is the other way round: each code is answered. A defect, `internal`, can
 * be anywhere.
 */
import { describe, expect, it } from 'vitest'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { refusalCodesOf } from '../../src/openapi/refusal-codes.ts'
import { v1Operations } from '../../src/operations/v1.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { StoreError, StoreUnavailable } from '../../src/store/store.ts'
import { BODY_LIMIT_BYTES, type Declaration } from '../../src/surface/operation.ts'
import type { Code } from '../../src/wire/common/error-codes.ts'
import { openShop, type Sent, type Shop } from '../support/control.ts'
import { ask, tokenOf } from '../support/requests.ts'
import { instead } from '../support/store.ts'

const operations: readonly Declaration[] = [...v1Operations, ...controlRoutes]

/** The operations that answer a request with a code; null has one not asked. */
async function answering(
  code: Code,
  shop: Shop,
  sentTo: (declared: Declaration) => (Sent & { readonly path?: string }) | null,
): Promise<string[]> {
  const found: string[] = []
  for (const declared of operations) {
    const sent = sentTo(declared)
    if (sent === null) continue
    const { body } = await ask<{ error?: string; code?: string } | null>(shop, declared, sent)
    if ((body?.code ?? body?.error) === code) found.push(declared.operationId)
  }
  return found
}

function declaring(code: Code): string[] {
  return operations
    .filter((declared) => refusalCodesOf(declared).has(code))
    .map(({ operationId }) => operationId)
}

/** The operations of the process: they look for no sandbox on their way in. */
const isOfProcess = ({ path }: Declaration) => path.startsWith('/sandboxes')

describe('every operation that declares it, and no other, answers', () => {
  it('invalid_request to a request for another host', async () => {
    const shop = await openShop()
    const sent = () => ({ headers: { Host: 'elsewhere.example' } })
    expect(await answering('invalid_request', shop, sent)).toEqual(declaring('invalid_request'))
  })

  it('unauthorized to a key that is none', async () => {
    const sent = () => ({ headers: { Authorization: 'Bearer nobody' } })
    const found = await answering('unauthorized', await openShop(), sent)
    // A refresh token is looked at after the body, and the body has another one. The operations of the process look at
    // no key; test/http/control-token.test.ts shows what they ask for.
    const ofProcess = operations.filter(isOfProcess).map(({ operationId }) => operationId)
    expect([...found, ...ofProcess]).toEqual(declaring('unauthorized'))
  })

  it('payload_too_large to a body that says it is', async () => {
    const sent = ({ body, method }: Declaration) => {
      if (method === 'get') return null
      const limit = body?.limitBytes ?? BODY_LIMIT_BYTES
      return { bytes: '{}', headers: { 'Content-Length': String(limit + 1) } }
    }
    const found = await answering('payload_too_large', await openShop(), sent)
    expect(found).toEqual(declaring('payload_too_large'))
  })

  it('unsupported_media_type to a body that is plain text', async () => {
    const sent = ({ method }: Declaration) =>
      method === 'get' ? null : { bytes: 'text', headers: { 'Content-Type': 'text/plain' } }
    const found = await answering('unsupported_media_type', await openShop(), sent)
    expect(found).toEqual(declaring('unsupported_media_type'))
  })

  it.each([
    ['storage_damaged', new StoreError('journal-1.ndjson is cut short')],
    ['storage_unavailable', new StoreUnavailable('The disk is full')],
  ] as const)('%s where the sandbox that it asks for cannot be read', async (code, failure) => {
    const failing = instead(memoryStore(), {
      list: async () => ['broken'],
      open: () => Promise.reject(failure),
      remove: () => Promise.reject(new StoreUnavailable('The disk is full')),
    })
    const shop = await openShop({}, 10, { store: failing })
    const sent = ({ operationId, path }: Declaration) => {
      if (operationId === 'refreshToken') {
        return { headers: { Authorization: `Bearer ${tokenOf('broken')}` } }
      }
      if (path.startsWith('/v1')) return { headers: { Authorization: 'Bearer sk_sandbox_broken' } }
      if (operationId.startsWith('create') && path.startsWith('/sandboxes')) {
        return { json: { from: { sandbox: 'broken' } } }
      }
      if (path === '/sandboxes/{sandbox_id}') return { path: '/sandboxes/broken' }
      return { headers: { 'Sandbox-Id': 'broken' } }
    }
    expect(await answering(code, shop, sent)).toEqual(declaring(code))
    const { body } = await shop.get('/sandboxes')
    expect(body).toMatchObject({ data: [{ sandbox_id: 'broken', now: null }, {}] })
  })

  it('not_found where no sandbox has the id that it names', async () => {
    const sent = () => ({ headers: { 'Sandbox-Id': 'nowhere' } })
    const found = await answering('not_found', await openShop(), sent)
    const looking = operations.filter((each) => !isOfProcess(each) && !each.path.startsWith('/v1'))
    expect(found).toEqual(expect.arrayContaining(looking.map(({ operationId }) => operationId)))
  })
})

it('a deletion says that it is refused for a reference where it can be', () => {
  const deletions = operations.filter(({ path, method }) => method === 'delete' && /}$/.test(path))
  const saying = deletions.filter(({ description = '' }) => description.includes('another record'))
  const refusing = deletions.filter((each) => refusalCodesOf(each).has('in_use'))
  expect([...saying.map(({ operationId }) => operationId), 'deleteSandbox']).toEqual(
    refusing.map(({ operationId }) => operationId),
  )
})
