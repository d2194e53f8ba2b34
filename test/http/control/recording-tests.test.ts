/** The recording as a test for vitest or pytest: what a person would keep. */
import { describe, expect, it } from 'vitest'
import { deviatingFixtures } from '../../../src/sandbox/deviating-fixtures.ts'
import { loadFixtures } from '../../../src/sandbox/fixtures.ts'
import { openShop, type Shop } from '../../support/control.ts'
import { recordingOf } from '../../support/exported-recording.ts'

const key = { Authorization: 'Bearer sk_sandbox_default' }
const form = { ...key, 'Content-Type': 'application/x-www-form-urlencoded' }

/** The body of the test, without its indentation. */
async function stepsIn(shop: Shop, format: 'vitest' | 'pytest'): Promise<string[]> {
  const recording = await recordingOf(shop, format)
  const [, body = ''] =
    /(?:async \(\{ sandbox \}\) => \{|_recording\(sandbox\):)\n(.*?)\n(?:\}|\n)/s.exec(recording) ??
    []
  const margin = format === 'vitest' ? 2 : 4
  return body.split('\n').map((line) => line.slice(margin))
}

/** Sends a call whose answer is not as documented. */
function sendJson({ app }: Shop, path: string, body: object) {
  const headers = { ...key, 'Content-Type': 'application/json' }
  return app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function twoPayments(): Promise<Shop> {
  const shop = await openShop()
  const body = 'customer_id=cus_ada&plan=basic&trial_period_days=3'
  await shop.call('POST', '/v1/subscriptions', { bytes: body, headers: form })
  await shop.get('/sandbox/subscriptions')
  await shop.post('/sandbox/payment-outcomes', { outcomes: ['card_declined'] })
  await shop.post('/sandbox/clock/advance', { by: 'P4D' })
  await shop.call('POST', '/v1/subscriptions/sub_000001/pause', { headers: key })
  await shop.call('POST', '/v1/subscriptions/sub_000001/pause', { headers: key })
  return shop
}

describe('a recording as a test', () => {
  it('calls methods of the library, and compares statuses, amounts and codes', async () => {
    const shop = await twoPayments()
    expect(await recordingOf(shop, 'vitest')).toMatch(
      /^\/\/ The recording of sandbox "default".*\nimport \{ expect \} from 'vitest'\nimport \{ test \} from 'subscription-sandbox\/vitest'\n\ntest\('the recording'/s,
    )
    expect(await stepsIn(shop, 'vitest')).toEqual([
      "expect(await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic', trial_period_days: 3 })).toMatchObject({",
      "  plan: 'basic',",
      "  status: 'trialing',",
      '})',
      "await sandbox.payments.script({ outcomes: ['card_declined'] })",
      "expect(await sandbox.clock.advance('P4D')).toMatchObject({",
      '  events: [',
      "    { at: '2027-01-04T00:00:00.000Z', type: 'subscription.trial_ended', subject: { id: 'sub_000001' } },",
      "    { type: 'subscription.activated', subject: { id: 'sub_000001' }, detail: { plan: 'basic' } },",
      "    { type: 'invoice.created', subject: { id: 'inv_000001' }, detail: { reason: 'period', amount_due: 1000 } },",
      "    { type: 'payment.failed', subject: { id: 'inv_000001' }, detail: { reason: 'card_declined' } },",
      "    { type: 'subscription.past_due', subject: { id: 'sub_000001' } },",
      '    {',
      "      at: '2027-01-05T00:00:00.000Z',",
      "      type: 'payment.succeeded',",
      "      subject: { id: 'inv_000001' },",
      '      detail: { amount: 1000 },',
      '    },',
      "    { type: 'invoice.paid', subject: { id: 'inv_000001' }, detail: { amount_paid: 1000 } },",
      "    { type: 'subscription.recovered', subject: { id: 'sub_000001' } },",
      '  ],',
      '})',
      "expect(await sandbox.subscriptions.pause('sub_000001')).toMatchObject({ plan: 'basic', status: 'paused' })",
      "await expect(sandbox.subscriptions.pause('sub_000001')).rejects.toMatchObject({ code: 'invalid_transition' })",
    ])
  })

  it('is the same for pytest, in the words of its client', async () => {
    const shop = await twoPayments()
    const steps = await stepsIn(shop, 'pytest')
    expect(steps.slice(0, 6)).toEqual([
      'check(sandbox.subscriptions.create(customer_id="cus_ada", plan="basic", trial_period_days=3), {',
      '    "plan": "basic",',
      '    "status": "trialing",',
      '})',
      'sandbox.payments.script(outcomes=["card_declined"])',
      'check(sandbox.clock.advance("P4D"), {',
    ])
    expect(steps.slice(-4)).toEqual([
      'check(sandbox.subscriptions.pause("sub_000001"), {"plan": "basic", "status": "paused"})',
      'with pytest.raises(SandboxError) as refused:',
      '    sandbox.subscriptions.pause("sub_000001")',
      'assert refused.value.code == "invalid_transition"',
    ])
  })

  it('begins as the sandbox began, and does not import what it does not use', async () => {
    const shop = await openShop({ fixture: 'dunning', now: '2030-01-01T00:00:00.000Z' as never })
    await shop.post('/sandbox/clock/advance', { by: 'P1D' })
    const vitest = await recordingOf(shop, 'vitest')
    const order = "{ fixture: 'dunning', now: '2030-01-01T00:00:00.000Z' }"
    expect(vitest).toContain(`test.override({ sandboxOrder: ${order} })`)
    const pytest = await recordingOf(shop, 'pytest')
    expect(pytest).toContain(
      '@pytest.mark.sandbox(fixture="dunning", now="2030-01-01T00:00:00.000Z")',
    )
    expect(pytest).not.toContain('SandboxError')
  })

  it('sends as it was what no method sends so: a wrong form, and all of /v1 under faults', async () => {
    const shop = await openShop()
    await shop.call('POST', '/v1/subscriptions', { bytes: 'plan=basic', headers: form })
    expect(await stepsIn(shop, 'vitest')).toEqual([
      expect.stringMatching(/^const answer1 = await sandbox\.fetch\(`.*\/v1\/subscriptions`, \{$/),
      "  method: 'POST',",
      expect.stringMatching(
        /^ {2}headers: \{ authorization: `Bearer .*sandbox\.apiKey\}`, 'content-type': /,
      ),
      "  body: 'plan=basic',",
      '})',
      'expect(answer1.status).toBe(400)',
      "expect(await answer1.json()).toMatchObject({ error: 'invalid_request' })",
    ])
    await shop.post('/sandbox/reset', {})
    const body = { customer_id: 'cus_ada', plan: 'basic' }
    await shop.call('POST', '/v1/subscriptions', { json: body, headers: key })
    expect((await stepsIn(shop, 'vitest')).join()).toContain('sandbox.subscriptions.create(')
    await shop.post('/sandbox/faults', { effect: { status: 503 } })
    const steps = (await stepsIn(shop, 'vitest')).join()
    expect(steps).not.toContain('sandbox.subscriptions.create(')
    expect(steps).toContain('sandbox.faults.create({ effect: { status: 503 } })')
    await shop.post('/sandbox/reset', {})
    const match = { operation: 'pauseSubscription' }
    await shop.post('/sandbox/faults', { match, effect: { status: 503 } })
    const unknown = { customer_id: 'cus_nobody', plan: 'basic' }
    await shop.call('POST', '/v1/subscriptions', { json: unknown, headers: key })
    const pytest = await recordingOf(shop, 'pytest')
    expect(pytest).toContain('assert answer3.status == 404')
    expect(pytest).not.toContain('SandboxError')
  })

  it('sends as it was what the control plane would refuse, or do otherwise', async () => {
    const shop = await openShop()
    await shop.call('PATCH', '/sandbox/settings', { json: { unknown_fields: 'ignore' } })
    const body = { customer_id: 'cus_ada', plan: 'basic' }
    const json = { ...body, coupon_id: 'SAVE20' }
    await shop.call('POST', '/v1/subscriptions', { json, headers: key })
    expect((await stepsIn(shop, 'vitest')).join()).not.toContain('sandbox.subscriptions.create(')
    await shop.post('/sandbox/reset', {})
    await shop.call('POST', '/v1/subscriptions', { json: body, headers: key })
    await shop.call('PATCH', '/sandbox/settings', { json: { strict: true } })
    const update = '/v1/subscriptions/sub_000001/update'
    await sendJson(shop, update, { plan: 'pro' })
    const steps = (await stepsIn(shop, 'vitest')).join()
    expect(steps).toContain('sandbox.subscriptions.create(')
    expect(steps).not.toContain('sandbox.subscriptions.update(')
  })

  it('sends all of /v1 as it was where the fixture has variations', async () => {
    const fixtures = deviatingFixtures(await loadFixtures(), { vary: 'error-codes' })
    const shop = await openShop({}, 10, { fixtures })
    await sendJson(shop, '/v1/subscriptions', { customer_id: 'cus_nobody', plan: 'basic' })
    const steps = await stepsIn(shop, 'vitest')
    expect(steps.at(-1)).toBe("expect(await answer1.json()).toMatchObject({ error: 'NOT_FOUND' })")
  })

  it('refreshes tokens by variables', async () => {
    const shop = await openShop()
    const { body } = await shop.post<{ refresh_token: string }>('/sandbox/tokens', {})
    const { refresh_token } = body
    const headers = { Authorization: `Bearer ${refresh_token}` }
    await shop.call('POST', '/v1/auth/refresh', { json: { refresh_token }, headers })
    expect(await stepsIn(shop, 'pytest')).toEqual([
      'answer1 = sandbox.tokens.issue()',
      'refresh_token_2 = answer1["refresh_token"]',
      'sandbox.tokens.refresh(refresh_token_2)',
    ])
    expect((await stepsIn(shop, 'vitest')).slice(0, 3)).toEqual([
      'const { refresh_token: refresh_token_2 } = await sandbox.tokens.issue({})',
      expect.stringMatching(/^const answer2 = await sandbox\.fetch\(`.*\/v1\/auth\/refresh`, \{$/),
      "  method: 'POST',",
    ])
  })
})
