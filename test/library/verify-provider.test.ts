import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Report } from '../../src/contracts/common/report-shape.ts'
import { VerificationFailed, type VerifyProviderOptions, verifyProvider } from '../../src/pact.ts'
import { fromBroker } from '../../src/verification/broker-source.ts'
import { ownSandbox } from '../../src/verification/providers.ts'
import { verifyPacts } from '../../src/verification/verify-all.ts'
import { servePactBroker } from '../support/pact-broker.ts'
import { creates, pactText } from '../support/pacts.ts'
import { verifyScene } from '../support/verify.ts'

const fits = pactText([creates('fits', { status: 200 })])
const breaks = pactText([creates('fits', { status: 200 }), creates('breaks', { status: 404 })])
const scene = verifyScene()

async function brokerOf(...pacts: Parameters<typeof servePactBroker>[0]) {
  const broker = await servePactBroker(pacts, { authorization: 'Bearer a-token-of-a-broker' })
  onTestFinished(broker.close)
  return broker
}

/** The failure of a verification; fails where there is none. */
async function failureOf(options: VerifyProviderOptions): Promise<VerificationFailed> {
  const failure = await verifyProvider(options).catch((error: unknown) => error)
  if (failure instanceof VerificationFailed) return failure
  throw new Error(`no failure: ${JSON.stringify(failure)} ${failure}`)
}

describe('verifyProvider', () => {
  it('resolves with the report of verify where all pacts of a folder hold', async () => {
    await scene.write(fits)
    const report = await verifyProvider({ pacts: scene.folder(), mutate: true })
    expect(Report.parse(report)).toEqual(report)
    expect(report).toMatchObject({ result: 'passed', totals: { passed: 1, failed: 0 } })
    expect(report.strength?.[0]?.mutations).toBeGreaterThan(0)
  })

  it('rejects with the report on what does not hold, and without what does', async () => {
    const pacts = [await scene.write(breaks)]
    const { message, report } = await failureOf({ pacts, against: { url: scene.url() } })
    expect(message).toContain('FAILED  breaks')
    expect(message).toContain('status: expected 404 but was 200')
    expect(message).toContain('2 interactions of 1 pact verified: 1 passed, 1 failed, 0 pending')
    expect(message).not.toContain('ok  fits')
    expect(stripVTControlCharacters(message)).toBe(message)
    expect(report.provider?.url).toBe(scene.url())
    expect(report.pacts[0]?.interactions).toHaveLength(2)
  })

  it('rejects where nothing is left to verify, and where the run is stopped', async () => {
    const pacts = await scene.write(fits)
    const other = await failureOf({ pacts, provider: 'other-service' })
    expect(other.message).toContain('SKIPPED')
    const stopped = await failureOf({ pacts, signal: AbortSignal.abort() })
    expect(stopped.message).toContain('The run was stopped before that.')
  })

  it('takes the pacts of a broker, and publishes their results', async () => {
    const broker = await brokerOf({ consumer: 'web', branch: 'main', text: fits })
    const options = { url: broker.url, token: 'a-token-of-a-broker', publish: true }
    const version = { providerVersion: '7c1', providerBranch: 'main' }
    const selectors = [{ mainBranch: true }]
    const report = await verifyProvider({ broker: { ...options, ...version, selectors } })
    expect(report.pacts).toMatchObject([{ broker: { published: true } }])
    expect(broker.queries).toMatchObject([
      { consumerVersionSelectors: selectors, providerVersionBranch: 'main' },
    ])
    expect(broker.sent.at(-1)?.body).toMatchObject({ providerApplicationVersion: '7c1' })
  })

  it('publishes nothing once the run is stopped', async () => {
    const broker = await brokerOf({ consumer: 'web', branch: 'main', text: fits })
    const values = { provider: 'subscription-service' }
    const asked = { brokerUrl: broker.url, brokerToken: 'a-token-of-a-broker', publish: true }
    const names = { name: String, wrong: (message: string) => new Error(message) }
    const selector = [{ mainBranch: true }]
    const from = fromBroker({ ...values, ...asked, providerVersion: '7c1', selector }, names)
    const stop = new AbortController()
    const log = (line: string) => line.includes('changing answer') && stop.abort()
    const { signal } = stop
    const run = { values, studies: { strength: [] }, timeoutMs: 30_000, base: null, signal, log }
    const provider = await ownSandbox(null)
    const failures: string[] = []
    const { publication } = from
    await verifyPacts(await from.sources(), { ...run, provider, publication }, failures)
    expect(broker.sent).toEqual([])
    expect(failures.at(-1)).toContain('is not published: The run was stopped before that.')
  })

  it('rejects where a broker does not let it in, without the token', async () => {
    const broker = await brokerOf({ consumer: 'web', branch: 'main', text: fits })
    const asked = verifyProvider({ broker: { url: broker.url, token: 'a-wrong-token' } })
    await expect(asked).rejects.toThrow('was answered 401')
    await expect(asked).rejects.toMatchObject({ name: 'SandboxError', code: 'unavailable' })
    await expect(asked).rejects.not.toThrow('a-wrong-token')
  })

  const url = 'http://127.0.0.1:9'
  it.each<[string, VerifyProviderOptions]>([
    ['pacts or broker must be given, and not both.', {}],
    ['pacts or broker must be given, and not both.', { pacts: 'pacts', broker: { url } }],
    ['pacts "gone" matches no file', { pacts: 'gone' }],
    ['vary needs a new sandbox', { pacts: 'pacts', vary: true, against: { url } }],
    ['broker.publish needs broker.providerVersion', { broker: { url, publish: true } }],
    ['broker.username and broker.password go together', { broker: { url, username: 'a' } }],
    [
      'broker.token cannot be combined',
      { broker: { url, username: 'a', password: 'b', token: 'c' } },
    ],
    ['provider must be one name', { broker: { url }, provider: '*' }],
    ['timeoutMs must be an integer from 1 to 3600000; got 0', { pacts: 'pacts', timeoutMs: 0 }],
    ['broker.url must be an address such as', { broker: { url: 'http://me:hushed@127.0.0.1' } }],
    [
      '"against.headers.X Team" must be Latin-1 characters in one line, by the name of a header',
      { pacts: 'pacts', against: { url, headers: { 'X Team': 'hushed' } } },
    ],
    [
      '"against.headers.X-Team" must be Latin-1 characters in one line, by the name of a header',
      { pacts: 'pacts', against: { url, headers: { 'X-Team': 'hushed\n' } } },
    ],
    ['options must be an object; got an empty list', [] as object],
    ['unknown', { pacts: 'pacts', unknown: true } as VerifyProviderOptions],
  ])('refuses wrong options by their field, and says %s', async (message, options) => {
    const verifying = verifyProvider(options)
    await expect(verifying).rejects.toThrow(message)
    const [, quoted, field = quoted] = /^(?:"([^"]+)"|([\w.]+))/.exec(message) ?? []
    await expect(verifying).rejects.toMatchObject({
      name: 'SandboxError',
      status: 400,
      fields: [{ field }],
    })
    await expect(verifying).rejects.not.toThrow('hushed')
  })
})
