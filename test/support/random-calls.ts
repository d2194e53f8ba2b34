/** Random calls of every kind to one sandbox, good and bad ones, for recordings. */
import { type Chance, oneOf, upTo } from './chance.ts'

/** A call as `fetch` takes it. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** What a caller has at hand. */
interface Caller {
  readonly url: string
  readonly sandboxId: string
  readonly chance: Chance
  readonly tokens: { access: string[]; refresh: string[] }
  count: number
}

type Maker = (caller: Caller) => Sent

/** Sends so many calls, one after another, with reads and calls about other sandboxes between them. */
export async function callAtRandom(
  { url, sandboxId, chance }: Pick<Caller, 'url' | 'sandboxId' | 'chance'>,
  calls: number,
): Promise<number[]> {
  const caller: Caller = {
    ...{ url, sandboxId, chance },
    tokens: { access: [], refresh: [] },
    count: 0,
  }
  const statuses: number[] = []
  while (caller.count < calls) {
    caller.count += 1
    const { path, ...init } = oneOf(deck, chance)(caller)
    const response = await fetch(url + path, init)
    statuses.push(response.status)
    takeTokens(caller, await response.text())
    if (chance() < 0.2) await read(caller)
    if (chance() < 0.05) await fetch(`${url}/sandboxes`, { method: 'POST', body: 'x' })
  }
  return statuses
}

async function read({ url, sandboxId, chance }: Caller): Promise<void> {
  const path = oneOf(['/sandbox', '/sandbox/events', '/sandbox/nowhere', '/sandbox/plans'], chance)
  await (await fetch(url + path, { headers: { 'Sandbox-Id': sandboxId } })).text()
}

function takeTokens({ tokens }: Caller, text: string): void {
  if (!text.startsWith('{')) return
  const { access_token: access, refresh_token: refresh } = JSON.parse(text)
  if (access !== undefined) tokens.access.push(access)
  if (refresh !== undefined) tokens.refresh.push(refresh)
}

/** What a shell, a string of code or a file of requests could read as something else. */
const texts = [
  `O'Brien "the $HOME" \`id\` \\n \\0101 %s %b !! {{key}}`,
  'Zoë Ångström 日本語 😀',
  'two\nlines\r\n\ttabbed\n### not a request\n> {% not a script %}',
  '\'\'\'"""$(touch never)$x#{y}',
  ' ends in spaces  ',
]

const control = ({ sandboxId }: Caller) => ({ 'Sandbox-Id': sandboxId })
const withKey = ({ sandboxId }: Caller) => ({ Authorization: `Bearer sk_sandbox_${sandboxId}` })
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const json = { 'Content-Type': 'application/json' }

/** A key, an access token where there is one, or nothing that opens anything. */
function credentials(caller: Caller): Record<string, string> {
  const { chance, tokens } = caller
  if (chance() < 0.1) return oneOf([{}, { Authorization: 'Bearer nobody' }], chance)
  const token = tokens.access.at(-1)
  if (token === undefined || chance() < 0.7) return withKey(caller)
  return { Authorization: `Bearer ${token}` }
}

function asked(path: string, body: (caller: Caller) => object, method = 'POST'): Maker {
  return (caller) => ({
    ...{ method, path },
    headers: { ...control(caller), ...json },
    body: JSON.stringify(body(caller), null, upTo(2, caller.chance) - 1),
  })
}

function documented(path: (id: string) => string, fields: (caller: Caller) => object): Maker {
  return (caller) => {
    const { chance } = caller
    const id = `sub_${String(upTo(30, chance)).padStart(6, '0')}`
    const isForm = chance() < 0.6
    const body = fields(caller)
    return {
      ...{ method: 'POST', path: path(id) },
      headers: { ...credentials(caller), ...(isForm ? form : json) },
      body: isForm ? new URLSearchParams({ ...body }).toString() : JSON.stringify(body),
    }
  }
}

const subscribe = documented(
  () => '/v1/subscriptions',
  ({ chance }) => ({
    customer_id: oneOf(['cus_ada', 'cus_linus', 'nobody é'], chance),
    plan: oneOf(['basic', 'pro', 'pro_yearly'], chance),
    ...(chance() < 0.3 ? { trial_period_days: upTo(20, chance) } : {}),
  }),
)
const onSubscription = (name: string, fields: (caller: Caller) => object = () => ({})) =>
  documented((id) => `/v1/subscriptions/${id}/${name}`, fields)

const refresh: Maker = (caller) => {
  const { chance, tokens } = caller
  const known = [...tokens.refresh.slice(-3), 'never-issued', `rt_gone_${'y'.repeat(43)}`]
  const token = oneOf(known, chance)
  const header = chance() < 0.1 ? 'another' : token
  return {
    ...{ method: 'POST', path: '/v1/auth/refresh' },
    headers: { Authorization: `Bearer ${header}`, 'Sandbox-Id': caller.sandboxId, ...json },
    body: JSON.stringify({ refresh_token: token }),
  }
}

const revoke = asked('/sandbox/tokens/revoke', ({ tokens, chance }) => ({
  refresh_token: oneOf([...tokens.refresh, 'unknown "one"'], chance),
}))

const broken: Maker = (caller) => {
  const { chance } = caller
  const bytes = [
    Buffer.from('{"name":"\xff\xfe\x00\x80%s\\"}', 'latin1'),
    Buffer.from('{"refresh_token":"cut short'),
    Buffer.from('[1,2'),
    Buffer.from('customer_id=%ff&a=%'),
    Buffer.from(''),
  ]
  return {
    ...{ method: oneOf(['POST', 'PATCH', 'DELETE', 'PUT'], chance) },
    path: oneOf(
      ['/sandbox/customers', '/sandbox/nowhere?a=%27b%22', '/v1/nothing', '/v1/subscriptions'],
      chance,
    ),
    headers: {
      ...withKey(caller),
      'Content-Type': oneOf(['application/json', 'text/x', form['Content-Type']], chance),
    },
    body: new Uint8Array(oneOf(bytes, chance)),
  }
}

const moment = ({ chance }: Caller) => `m${upTo(4, chance)}`
const onMoment =
  (method: string, end: string): Maker =>
  (caller) => ({
    ...{ method, path: `/sandbox/checkpoints/${moment(caller)}${end}` },
    headers: control(caller),
  })

const makers: readonly (readonly [number, Maker])[] = [
  [10, subscribe],
  [4, onSubscription('update', ({ chance }) => ({ plan: oneOf(['basic', 'pro'], chance) }))],
  [
    4,
    onSubscription('apply-coupon', ({ chance }) => ({
      coupon_id: oneOf(['SAVE20', 'LOYAL10', 'EXTRA3'], chance),
    })),
  ],
  [2, onSubscription('cancel', ({ chance }) => ({ at_period_end: chance() < 0.5 }))],
  [2, onSubscription('pause')],
  [2, onSubscription('resume')],
  [1, onSubscription('remove-scheduled-cancellation')],
  [
    4,
    asked('/sandbox/customers', ({ count, chance }) => ({
      customer_id: `cus-${count}`,
      name: oneOf(texts, chance),
    })),
  ],
  [1, asked('/sandbox/products', ({ chance }) => ({ name: oneOf(texts, chance) }))],
  [
    5,
    asked('/sandbox/clock/advance', ({ chance }) => ({
      by: oneOf(['P1D', 'P9D', 'P40D'], chance),
      dry_run: chance() < 0.2,
    })),
  ],
  [
    2,
    asked(
      '/sandbox/settings',
      ({ chance }) => ({ access_token_lifetime: upTo(9000, chance) }),
      'PATCH',
    ),
  ],
  [
    2,
    asked(
      '/sandbox/settings',
      ({ chance }) => ({ refresh_rotation: oneOf(['rotate', 'keep'], chance) }),
      'PATCH',
    ),
  ],
  [
    3,
    asked('/sandbox/payment-outcomes', ({ chance }) => ({
      always: oneOf(['card_declined', 'succeeded'], chance),
    })),
  ],
  [
    2,
    asked('/sandbox/charges', ({ chance }) => ({
      customer_id: 'cus_ada',
      amount: upTo(900, chance),
      currency: 'USD',
    })),
  ],
  [3, asked('/sandbox/tokens', ({ chance }) => ({ subject: oneOf(texts, chance) }))],
  [5, refresh],
  [1, revoke],
  [3, asked('/sandbox/checkpoints', (caller) => ({ name: moment(caller) }))],
  [2, onMoment('POST', '/restore')],
  [1, onMoment('DELETE', '')],
  [4, broken],
]

const deck = makers.flatMap(([weight, maker]) => Array<Maker>(weight).fill(maker))
