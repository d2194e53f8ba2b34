/**
 * A second service with the interface, for `learn`: written without the billing of the sandbox. It keeps to the
 * interface and decides 12 of its open questions otherwise than the sandbox. Its clock moves when it is told to.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What it decides otherwise, as settings of a sandbox. */
export const decidedOtherwise = {
  access_token_lifetime: 900,
  invalid_grant_status: 400,
  paused_status_name: 'frozen',
  refresh_rotation: 'keep',
  success_status: ['createSubscription=201', 'cancelSubscription=202'],
  unknown_fields: 'ignore',
  vary: [
    'error-codes',
    'error-envelope',
    'immediate-cancel-parameter',
    'json-bodies',
    'method-not-allowed',
    'status-names',
  ],
}

/** The assumptions that it decides differently. */
export const wanted = [
  ...Object.keys(decidedOtherwise)
    .filter((key) => key !== 'vary')
    .map((key) => key.replaceAll('_', '-')),
  ...decidedOtherwise.vary,
].sort()

/** What it does in addition, which no decision of the sandbox explains. */
export type Oddity = 'tax' | 'unpausable' | 'refund'

const KEY = 'live_key_of_the_second_service'
const REFRESH = 'first-refresh-token-of-a-login'
const DAY_MS = 86_400_000
const prices: Readonly<Record<string, number>> = { basic: 10, pro: 25 }

type Fields = Record<string, unknown>

interface Answer {
  readonly status: number
  readonly body: Fields
}

const refused = (reason: string, status = 422): Answer => ({
  status,
  body: { errors: [{ reason, text: `Sorry, this cannot be done: ${reason.toLowerCase()}.` }] },
})

/** The n-th month after an instant, on its day or on the last of the month. */
function monthsAfter(from: Date, months: number): Date {
  const first = new Date(from)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() + months)
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(from.getUTCDate(), days))
  return first
}

interface Held {
  readonly fields: Fields
  anchor: Date
  periods: number
  ends: Date
  trialUntil: Date | null
  leavesAtEnd: boolean
}

/** Starts it; `oddities` are what it does besides. */
export async function startSecondService(oddities: readonly Oddity[] = []) {
  let now = new Date('2027-01-01T00:00:00.000Z')
  const held = new Map<string, Held>()
  const access = new Map<string, number>()

  const shown = ({ fields }: Held, status = 200): Answer => ({
    status,
    body: { ...fields, ...(oddities.includes('tax') && { tax_rate: 7.5 }) },
  })

  const setPeriod = (each: Held, from: Date) => {
    each.fields['current_period_start'] = from.toISOString()
    each.fields['current_period_end'] = each.ends.toISOString()
  }

  /** Has happen to one subscription what falls due until now. */
  const settle = (each: Held) => {
    const isOver = () => /Canceled|Expired|frozen/.test(String(each.fields['status']))
    while (each.ends <= now && !isOver()) {
      const at = each.ends
      if (each.leavesAtEnd) {
        Object.assign(each.fields, { status: 'Canceled', ended_at: at.toISOString() })
        return
      }
      if (each.trialUntil !== null) each.anchor = at
      each.periods = each.trialUntil === null ? each.periods + 1 : 1
      each.trialUntil = null
      each.ends = monthsAfter(each.anchor, each.periods)
      if (each.fields['pending_plan'] !== null) {
        Object.assign(each.fields, { plan: each.fields['pending_plan'], pending_plan: null })
      }
      each.fields['status'] = 'Active'
      setPeriod(each, at)
    }
  }

  const create = (sent: Fields): Answer => {
    const { customer_id, plan, trial_period_days: given } = sent
    const days = given === undefined ? null : Number(given)
    if (!customer_id || !plan || (days !== null && !/^(0|[1-9]\d*)$/.test(String(given)))) {
      return refused('INVALID_REQUEST')
    }
    if (customer_id !== 'cus_ada' || !(String(plan) in prices)) return refused('NOT_FOUND')
    const id = `s-${held.size + 71}`
    const trialUntil = days ? new Date(now.getTime() + days * DAY_MS) : null
    const fields: Fields = {
      subscription_id: id,
      ...{ customer_id, plan, trial_period_days: days, status: days ? 'Trialing' : 'Active' },
      trial_end: trialUntil?.toISOString() ?? null,
      ...{ current_period_start: null, current_period_end: null, cancel_at_period_end: false },
      ...{ canceled_at: null, ended_at: null, pending_plan: null, discounts: [] },
      created_at: now.toISOString(),
    }
    const ends = trialUntil ?? monthsAfter(now, 1)
    const made: Held = { fields, anchor: now, periods: 1, ends, trialUntil, leavesAtEnd: false }
    setPeriod(made, now)
    held.set(id, made)
    return shown(made, 201)
  }

  const acts: Readonly<Record<string, (each: Held, sent: Fields) => Answer>> = {
    update: (each, { plan }) => {
      if (!(String(plan) in prices)) return refused('NOT_FOUND')
      if (each.fields['status'] === 'Canceled') return refused('INVALID_TRANSITION')
      const isUpgrade = (prices[String(plan)] ?? 0) >= (prices[String(each.fields['plan'])] ?? 0)
      Object.assign(each.fields, isUpgrade ? { plan, pending_plan: null } : { pending_plan: plan })
      return shown(each)
    },
    pause: (each) => {
      if (each.fields['status'] !== 'Active') {
        return oddities.includes('unpausable')
          ? {
              status: 429,
              body: { errors: [{ reason: 'TOO_MANY', text: 'Not so fast, please.' }] },
            }
          : refused('INVALID_TRANSITION')
      }
      each.fields['status'] = 'frozen'
      return shown(each)
    },
    cancel: (each, { at_period_end: later }) => {
      if (each.fields['status'] === 'Canceled') return refused('INVALID_TRANSITION')
      const isNow = later === 'false'
      Object.assign(each.fields, { canceled_at: now.toISOString(), cancel_at_period_end: !isNow })
      each.leavesAtEnd = !isNow
      if (isNow) Object.assign(each.fields, { status: 'Canceled', ended_at: now.toISOString() })
      if (isNow && oddities.includes('refund')) each.fields['plan'] = 'none'
      return shown(each, 202)
    },
    'apply-coupon': () => refused('NOT_FOUND'),
  }

  const refresh = (incoming: IncomingMessage, sent: Fields): Answer => {
    const refusal = (error: string, status: number) => ({
      status,
      body: { error, message: 'No new token for you.' },
    })
    const credential = incoming.headers.authorization?.replace(/^Bearer /, '')
    if (!credential) return refusal('unauthorized', 401)
    const { refresh_token: token } = sent
    if (typeof token !== 'string') return refusal('invalid_request', 400)
    if (token !== credential) return refusal('unauthorized', 401)
    if (now.getTime() >= Date.parse('2027-01-31T00:00:00Z')) return refusal('invalid_grant', 400)
    const access_token = `access-${access.size + 1}-of-a-login`
    access.set(access_token, now.getTime() + 900_000)
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 900 } }
  }

  const onSubscriptions = (path: string, sent: Fields): Answer => {
    const [, , , id = '', act = ''] = path.split('/')
    if (id === '') return create(sent)
    const each = held.get(id)
    if (each === undefined) return refused('NOT_FOUND')
    settle(each)
    return acts[act]?.(each, sent) ?? refused('NOT_FOUND', 404)
  }

  const isOpenTo = (credential: string) =>
    credential === KEY || (access.get(credential) ?? 0) > now.getTime()

  const answerTo = async (incoming: IncomingMessage): Promise<Answer> => {
    const { url = '', method, headers } = incoming
    const body = await text(incoming)
    const isJson = headers['content-type'] === 'application/json'
    const sent: Fields = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))
    if (url.startsWith('/v1/auth')) return refresh(incoming, isJson ? sent : {})
    if (method !== 'POST') return refused('not_found', 404)
    if (!isOpenTo(headers.authorization?.replace(/^Bearer /, '') ?? ''))
      return refused('UNAUTHORIZED')
    const isCreate = url === '/v1/subscriptions'
    return isJson && !isCreate ? refused('UNSUPPORTED_MEDIA_TYPE') : onSubscriptions(url, sent)
  }

  const server = createServer(async (incoming, outgoing) => {
    const { status, body } = await answerTo(incoming)
    outgoing.sendDate = false
    const headers = { Date: now.toUTCString(), 'Content-Type': 'application/json; charset=utf-8' }
    outgoing.writeHead(status, headers).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: KEY,
    refreshToken: REFRESH,
    moveTo: async (instant: string) => {
      now = new Date(instant)
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
