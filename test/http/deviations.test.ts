import { once } from 'node:events'
import { get } from 'node:http'
import { expect, it } from 'vitest'
import { Shop as CarefulShop } from '../../examples/robustness/careful.ts'
import { Shop as CarelessShop } from '../../examples/robustness/careless.ts'
import { checks } from '../../examples/robustness/tests.ts'
import type { AssumptionSlug } from '../../src/assumptions/register.ts'
import { deviationsFor } from '../../src/http/deviations.ts'
import type { Deviation } from '../../src/http/request/deviation.ts'
import type { CapturedCall } from '../../src/provider/capture/captured-call.ts'
import { type StartOptions, start } from '../../src/server/start.ts'

type Client = typeof CarefulShop | typeof CarelessShop
type Work = (url: string) => Promise<unknown>

/** What is done at a server, and the calls that it then had. */
async function at(options: Partial<StartOptions>, work: Work) {
  const calls: CapturedCall[] = []
  const assumed = new Set<AssumptionSlug>()
  const observer: StartOptions['observer'] = (_, sandbox) => {
    for (const slug of sandbox.assumed) assumed.add(slug)
  }
  const { url, close } = await start({ ...options, observer, onCall: (call) => calls.push(call) })
  try {
    return { done: await work(url), calls, assumed }
  } finally {
    await close()
  }
}

const failing = (Client: Client) => async (url: string) => {
  const names: string[] = []
  for (const [name, check] of Object.entries(checks)) {
    await check(Client, url).catch(() => names.push(name))
  }
  return names
}

/** The deviations of which the calls of some work show something, by their names. */
async function seenBy(work: Work, options: Partial<StartOptions> = {}, seed = 1) {
  const run = await at(options, work)
  return new Map(deviationsFor(run, seed).map((each) => [each.name, each]))
}

async function matrixOf(Client: Client) {
  const seen = await seenBy(failing(Client))
  const cells = [...seen.values()].map(async (deviation) => {
    const { done } = await at({ deviation }, failing(Client))
    return [deviation.name, done] as const
  })
  return new Map(await Promise.all(cells))
}

it('fails nothing of a careful client', async () => {
  const cells = await matrixOf(CarefulShop)
  expect(cells.size).toBeGreaterThan(30)
  expect([...cells].filter(([, failed]) => (failed as string[]).length > 0)).toEqual([])
})

it('fails of a careless client what its flaws predict, and nothing else', async () => {
  const [trial, once, cancels] = Object.keys(checks)
  const cells = [...(await matrixOf(CarelessShop))]
  const failed = cells.filter(([, tests]) => (tests as string[]).length > 0)
  expect(Object.fromEntries(failed)).toEqual({
    // It knows one way to write a status, and no new one.
    'vary/status-names': [trial],
    'evolution/new-status/trialing': [trial],
    // It refuses fields that it does not know, and misses those that it does.
    'vary/subscription-fields': [trial, once, cancels],
    'evolution/unknown-fields': [trial, once, cancels],
    // It creates again what was created.
    'fault/timeout-after/createSubscription': [once, cancels],
    'fault/cut/createSubscription': [once, cancels],
  })
})

const key = { Authorization: 'Bearer sk_sandbox_default' }
const order = { customer_id: 'cus_ada', plan: 'basic' }

const post = (address: string, fields: Record<string, string>) =>
  fetch(address, { method: 'POST', headers: key, body: new URLSearchParams(fields) })
const create = (url: string, fields: object = {}) =>
  post(`${url}/v1/subscriptions`, { ...order, ...fields })

const postJson = (address: string, body: object, headers: object = {}) =>
  fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** A deviation that a creation shows. */
async function deviation(name: string, seed = 1): Promise<Deviation> {
  const seen = await seenBy((url) => create(url, { trial_period_days: '3' }), {}, seed)
  const found = seen.get(name)
  if (found === undefined) throw new Error(`${name} is none of ${[...seen.keys()]}`)
  return found
}

it('shows nothing without calls, and of calls what they ask for', async () => {
  expect((await seenBy(async () => undefined)).size).toBe(0)
  const creates = [...(await seenBy((url) => create(url))).keys()]
  expect(creates).toContain('fault/500/createSubscription')
  expect(creates).toContain('evolution/new-status/active')
  expect(creates.filter((name) => /trialing|error-code|cancelSubscription/.test(name))).toEqual([])
  const refused = [...(await seenBy((url) => create(url, { plan: 'gold' }))).keys()]
  expect(refused).toContain('evolution/error-code')
  expect(refused).toContain('vary/error-envelope')
  expect(refused).not.toContain('vary/success-status')
})

it('shows what only moves of the clock rest on, unless the tests decided it', async () => {
  const dunning = (settings: object) => async (url: string) => {
    const tell = (path: string, method: string, body: object) => {
      const headers = { 'Content-Type': 'application/json' }
      return fetch(`${url}/sandbox/${path}`, { method, headers, body: JSON.stringify(body) })
    }
    await tell('settings', 'PATCH', settings)
    await create(url)
    await tell('payment-outcomes', 'POST', { always: 'card_declined' })
    await tell('clock/advance', 'POST', { by: 'P3M' })
  }
  const names = [
    'vary/retry-schedule',
    'vary/after-retries',
    'vary/resume-restores-remaining-period',
  ]
  const among = async (settings: object) => {
    const seen = await seenBy(dunning(settings))
    return names.filter((name) => seen.has(name))
  }
  expect(await among({})).toEqual(['vary/retry-schedule', 'vary/after-retries'])
  expect(await among({ retry_schedule: ['P1D'] })).toEqual(['vary/after-retries'])
})

it('leaves alone what the tests decided themselves', async () => {
  const vary = (slug: string) => async (url: string) => {
    await fetch(`${url}/sandbox/settings`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(slug === '' ? {} : { vary: [slug] }),
    })
    await create(url)
  }
  expect((await seenBy(vary(''))).has('vary/status-names')).toBe(true)
  expect((await seenBy(vary('status-names'))).has('vary/status-names')).toBe(false)
  const begun = '2027-03-01T00:00:00.000Z' as StartOptions['clockStart']
  const named = await seenBy((url) => create(url), { clockStart: begun })
  expect([...named.keys()].filter((name) => name.startsWith('time/'))).toEqual([])
  expect((await seenBy((url) => create(url))).get('time/leap-day')?.now).toMatch(/^2028-02-29T/)
})

it('adds fields to every object, by seed, and turns their order round', async () => {
  const answerOf = async (name: string, seed: number) => {
    const { done } = await at({ deviation: await deviation(name, seed) }, async (url) => {
      const { subscription_id } = (await (await create(url)).json()) as { subscription_id: string }
      const path = `${url}/v1/subscriptions/${subscription_id}/apply-coupon`
      return (await post(path, { coupon_id: 'SAVE20' })).json()
    })
    return done as { discounts: object[] }
  }
  const one = await answerOf('evolution/unknown-fields', 1)
  expect(one).toMatchObject({ risk_level: 'new', discounts: [{ risk_level: 'new' }] })
  expect(await answerOf('evolution/unknown-fields', 1)).toEqual(one)
  expect(await answerOf('evolution/unknown-fields', 2)).toMatchObject({ source_channel: 'new' })
  const turned = await answerOf('evolution/field-order', 1)
  expect(Object.keys(turned).at(-1)).toBe('subscription_id')
  expect(Object.keys(turned.discounts[0] ?? {}).at(-1)).toBe('coupon_id')
})

it('gives errors new codes where none is documented', async () => {
  const seen = await seenBy((url) => create(url, { plan: 'gold' }))
  const { done } = await at({ deviation: seen.get('evolution/error-code') }, async (url) => {
    const token = 'rt_default_unknown'
    const refreshed = await postJson(
      `${url}/v1/auth/refresh`,
      { refresh_token: token },
      { Authorization: `Bearer ${token}` },
    )
    const errors = [await create(url, { plan: 'gold' }), refreshed].map(async (answer) => {
      return [answer.status, ((await answer.json()) as { error: string }).error]
    })
    return Promise.all(errors)
  })
  expect(done).toEqual([
    [404, 'not_found_new'],
    [401, 'unauthorized'],
  ])
})

it('writes the names of headers in lower case', async () => {
  const names = (options: Partial<StartOptions>) =>
    at(options, async (url) => {
      const [response] = await once(get(`${url}/v1/subscriptions`), 'response')
      return response.resume().rawHeaders
    })
  expect((await names({})).done).toContain('Request-Id')
  const lower = await names({ deviation: await deviation('evolution/header-case') })
  expect(lower.done).toContain('request-id')
  expect(lower.done).not.toContain('Request-Id')
})

/** The settings of the sandbox of a key. */
async function settingsAt(url: string, headers: Record<string, string> = key) {
  return (await (await fetch(`${url}/sandbox/settings`, { headers })).json()) as object
}

it('decides an assumption otherwise in every new sandbox, and after any reset', async () => {
  const varied = await deviation('vary/status-names')
  const { done } = await at({ deviation: varied }, async (url) => {
    const made = await postJson(`${url}/sandboxes`, { fixture: 'empty' })
    const { api_key } = (await made.json()) as { api_key: string }
    const own = { Authorization: `Bearer ${api_key}` }
    const settings = [await settingsAt(url, own)]
    for (const reset of [{}, { fixture: 'dunning' }]) {
      await postJson(`${url}/sandbox/reset`, reset, own)
      settings.push(await settingsAt(url, own))
    }
    const { status } = (await (await create(url)).json()) as { status: string }
    return [status, ...settings]
  })
  const settings = expect.objectContaining({ vary: ['status-names'] })
  expect(done).toEqual(['Active', settings, settings, settings])
})

it('takes another value of a setting, unless a sandbox is told which', async () => {
  const deviation = { name: 'vary/after-retries', text: '', vary: 'after-retries' } as const
  const { done } = await at({ deviation }, async (url) => {
    const told = { settings: { after_retries: 'cancel', retry_schedule: [] } }
    const made = await postJson(`${url}/sandboxes`, told)
    const { api_key } = (await made.json()) as { api_key: string }
    return [await settingsAt(url), await settingsAt(url, { Authorization: `Bearer ${api_key}` })]
  })
  expect(done).toEqual([
    expect.objectContaining({ after_retries: 'keep_past_due', vary: [] }),
    expect.objectContaining({ after_retries: 'cancel', retry_schedule: [] }),
  ])
})

it('starts the clocks that nobody set on another day', async () => {
  const { done } = await at({ deviation: await deviation('time/january-31') }, async (url) => {
    const nowOf = async (order: object) =>
      ((await (await postJson(`${url}/sandboxes`, order)).json()) as { now: string }).now
    const reset = await postJson(`${url}/sandbox/reset`, { fixture: 'empty' })
    const { now } = (await reset.json()) as { now: string }
    return [await nowOf({}), now, await nowOf({ now: '2027-05-01T00:00:00.000Z' })]
  })
  const other = '2028-01-31T12:00:00.000Z'
  expect(done).toEqual([other, other, '2027-05-01T00:00:00.000Z'])
})

it('hits each different request once, in each sandbox and after a reset, and lists no fault', async () => {
  const faulty = await deviation('fault/500/createSubscription')
  const { done, calls } = await at({ deviation: faulty }, async (url) => {
    const statuses: number[] = []
    const send = async (fields: object = {}) => statuses.push((await create(url, fields)).status)
    await send()
    await send()
    await send({ plan: 'pro' })
    await send({ plan: 'pro' })
    await postJson(`${url}/sandbox/reset`, {})
    await send()
    await send()
    const listed = await fetch(`${url}/sandbox/faults`)
    return [statuses, ((await listed.json()) as { data: object[] }).data]
  })
  expect(done).toEqual([[500, 200, 500, 200, 500, 200], []])
  expect(calls.map(({ fault }) => fault)).toEqual(['matrix', null, 'matrix', null, 'matrix', null])
})

it('answers nothing on /v1 for a second of a restart, whichever the operation, and then everything', async () => {
  const restart = await deviation('fault/restart/createSubscription')
  const { done } = await at({ deviation: restart }, async (url) => {
    const cancel = () => post(`${url}/v1/subscriptions/sub_000001/cancel`, {})
    const status = (sent: Promise<Response>) =>
      sent.then(
        (answer) => answer.status,
        () => 'closed',
      )
    const before = await status(cancel())
    const during = [await status(create(url)), await status(cancel())]
    const control = await status(fetch(`${url}/sandbox`))
    await expect.poll(() => status(create(url))).toBe(200)
    return [before, during, control]
  })
  expect(done).toEqual([404, ['closed', 'closed'], 200])
})

it('leaves a call to the faults that a test made itself', async () => {
  const faulty = await deviation('fault/500/createSubscription')
  const { calls } = await at({ deviation: faulty }, async (url) => {
    await postJson(`${url}/sandbox/faults`, { times: 1, effect: { status: 503 } })
    for (let times = 0; times < 3; times += 1) await create(url)
  })
  expect(calls.map(({ fault, status }) => [fault, status])).toEqual([
    ['flt_000001', 503],
    ['matrix', 500],
    [null, 200],
  ])
})
