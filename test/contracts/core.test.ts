import { devNull } from 'node:os'
import { expect, it } from 'vitest'
import { environment, pactCore } from '../../src/contracts/replay/core.ts'
import { mismatchesOf } from '../../src/contracts/replay/core-result.ts'

it('gives the core no proxy, no filter of its own, no tracking, and no certificates to read', () => {
  const given = {
    PATH: '/bin',
    HTTP_PROXY: 'a',
    https_proxy: 'b',
    ALL_PROXY: 'c',
    no_proxy: 'd',
    PACT_DESCRIPTION: 'only this one',
    PACT_BROKER_TOKEN: 'secret',
    PACT_DO_NOT_TRACK: 'false',
  }
  expect(environment(given)).toEqual({
    PATH: '/bin',
    PACT_DO_NOT_TRACK: 'true',
    NO_PROXY: '*',
    no_proxy: '*',
    SSL_CERT_FILE: devNull,
    SSL_CERT_DIR: devNull,
  })
})

it('verifies one file after another in one process, and in another one once that died', async () => {
  const program = new URL('../support/core-double.mjs', import.meta.url)
  const core = pactCore({ program, signal: new AbortController().signal })
  const verifierOf = async (file: string) => {
    const job = { providerBaseUrl: 'http://127.0.0.1:9', pactUrls: [file], timeout: 1000 }
    return (await core.verify(job)).interactionResults[0]?.description
  }
  const first = await verifierOf('one.json')
  expect(await verifierOf('two.json')).toBe(first)
  await expect(verifierOf('deadly.json')).rejects.toThrow('ended without a result')
  const second = await verifierOf('three.json')
  expect(second).toMatch(/^by \d+$/)
  expect(second).not.toBe(first)
  core.close()
})

it('starts no process once it is closed, which nobody would end', async () => {
  const program = new URL('../support/core-double.mjs', import.meta.url)
  const core = pactCore({ program, signal: new AbortController().signal })
  core.close()
  const job = { providerBaseUrl: 'http://127.0.0.1:9', pactUrls: ['one.json'] }
  await expect(core.verify({ ...job, timeout: 1000 })).rejects.toThrow('The Pact core is closed')
})

it('lists the status first, and then headers and fields by name, whatever the order of the core', () => {
  const of = (type: string, key: Record<string, string>) => ({ type, mismatch: type, ...key })
  const mismatches = [
    of('BodyMismatch', { path: '$.b' }),
    of('HeaderMismatch', { key: 'X-B' }),
    of('BodyMismatch', { path: '$.a', expected: '1', actual: '2' }),
    of('BodyTypeMismatch', {}),
    of('StatusMismatch', {}),
  ]
  const told = mismatchesOf({ interaction: 'one', mismatch: { mismatches } })
  expect(told.map(({ kind, at }) => `${kind} ${at}`)).toEqual([
    'status ',
    'header X-B',
    'body ',
    'body $.a',
    'body $.b',
  ])
  expect(told[3]).toMatchObject({ expected: '1', got: '2' })
})

it.each([
  ['One or more of the setup state change handlers has failed', 'setup'],
  ['error sending request for url', 'request'],
])('tells "%s" as a failure of the %s', (message, kind) => {
  const told = mismatchesOf({ interaction: 'one', mismatch: { message, mismatches: [] } })
  expect(told).toMatchObject([{ kind, message }])
})
