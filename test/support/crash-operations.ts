/**
 * The mixed operations of the crash tests: what one client does next to the sandboxes that are its own. Owns the choice;
 * what must be there after a kill is not its business.
 */
import { type Chance, oneOf, upTo } from './chance.ts'
import type { Answer, Order } from './crash-call.ts'

/** What a client holds of one side, the real one or the one in memory: texts that differ between the two. */
export interface Pocket {
  refreshToken: string | null
  exported: string | null
}

/** An operation, as each side is asked for it. */
export interface Operation {
  readonly name: OperationName
  readonly order: (pocket: Pocket) => Order
  /** Takes something out of a good answer. */
  readonly take?: (pocket: Pocket, answer: Answer) => void
}

/** What is there to choose from. */
export interface Surroundings {
  /** The sandbox to do something to, and the other one of the same client. */
  readonly of: string
  readonly other: string
  readonly isThere: { readonly of: boolean; readonly other: boolean }
  readonly subscriptions: number
  readonly checkpoints: readonly string[]
  readonly pacts: readonly PactName[]
  readonly pocket: Pocket
  /** Counts up, for names that are new. */
  readonly count: number
  /** Whether it publishes: the first publication in a process takes long. */
  readonly publishes: boolean
}

export interface PactName {
  readonly provider: string
  readonly consumer: string
  readonly version: string
}

const onThere = {
  create: 7,
  update: 4,
  coupon: 4,
  cancel: 3,
  advance: 5,
  settings: 3,
  checkpoint: 4,
  uncheckpoint: 2,
  restore: 4,
  reset: 3,
  fork: 4,
  delete: 4,
  issue: 2,
  refresh: 2,
  revoke: 1,
  publish: 6,
  result: 2,
  unpublish: 1,
  export: 1,
  import: 2,
}
export type OperationName = keyof typeof onThere | 'make'

const deck = Object.entries(onThere).flatMap(([name, weight]) =>
  Array<OperationName>(weight).fill(name as OperationName),
)

/** What is done next. */
export function chooseOperation(around: Surroundings, chance: Chance): Operation {
  if (!around.isThere.of) return make(around, chance)
  for (;;) {
    const name = oneOf(deck, chance)
    const operation = makers[name](around, chance)
    if (operation !== null) return operation
  }
}

type Maker = (around: Surroundings, chance: Chance) => Operation | null

const makers: Record<OperationName, Maker> = {
  make,
  create: ({ of, count }, chance) => {
    const customer = { customer_id: oneOf(['cus_ada', 'cus_linus'], chance) }
    const trial = chance() < 0.3 ? { trial_period_days: upTo(20, chance) } : {}
    const body = { ...customer, plan: oneOf(['basic', 'pro'], chance), ...trial }
    if (chance() < 0.7) return fixed('create', { operation: 'POST /v1/subscriptions', of, body })
    const operation = 'POST /sandbox/customers'
    return fixed('create', { operation, of, body: { customer_id: `cus-${count}` } })
  },
  update: (around, chance) =>
    onSubscription(around, chance, {
      name: 'update',
      body: { plan: oneOf(['basic', 'pro', 'pro_yearly'], chance) },
    }),
  coupon: (around, chance) =>
    onSubscription(around, chance, {
      name: 'coupon',
      body: { coupon_id: oneOf(['SAVE20', 'LOYAL10', 'EXTRA3', 'MORETIME', 'LAST1'], chance) },
    }),
  cancel: (around, chance) =>
    onSubscription(around, chance, { name: 'cancel', body: { at_period_end: chance() < 0.5 } }),
  advance: ({ of }, chance) =>
    fixed('advance', {
      operation: 'POST /sandbox/clock/advance',
      of,
      body: { by: oneOf(['P1D', 'P9D', 'P40D', 'P3M'], chance) },
    }),
  settings: ({ of }, chance) =>
    fixed('settings', {
      operation: 'PATCH /sandbox/settings',
      of,
      body: { access_token_lifetime: upTo(9000, chance) },
    }),
  checkpoint: ({ of, count }) =>
    fixed('checkpoint', {
      operation: 'POST /sandbox/checkpoints',
      of,
      body: { name: `moment-${count}` },
    }),
  uncheckpoint: ({ of, checkpoints }, chance) => {
    if (checkpoints.length < 3) return null
    const operation = `DELETE /sandbox/checkpoints/${oneOf(checkpoints, chance)}`
    return fixed('uncheckpoint', { operation, of })
  },
  restore: ({ of, checkpoints }, chance) => {
    if (checkpoints.length === 0) return null
    const operation = `POST /sandbox/checkpoints/${oneOf(checkpoints, chance)}/restore`
    return fixed('restore', { operation, of })
  },
  reset: ({ of }, chance) => {
    const body = oneOf([{}, {}, { fixture: 'dunning' }, { fixture: 'starter' }], chance)
    return fixed('reset', { operation: 'POST /sandbox/reset', of, body })
  },
  // The other one is the fork: it must not be there yet.
  fork: ({ of, other, isThere, checkpoints }, chance) => {
    if (isThere.other) return null
    const isPast = checkpoints.length > 0 && chance() < 0.4
    const past = isPast ? { checkpoint: oneOf(checkpoints, chance) } : {}
    const body = { from: { sandbox: of, ...past } }
    return fixed('fork', { operation: `PUT /sandboxes/${other}`, body })
  },
  delete: ({ of }) => fixed('delete', { operation: `DELETE /sandboxes/${of}` }),
  issue: ({ of, count }) => ({
    name: 'issue',
    order: () => ({ operation: 'POST /sandbox/tokens', of, body: { subject: `ada ${count}` } }),
    take: takeToken,
  }),
  refresh: ({ of, pocket }) => {
    if (pocket.refreshToken === null) return null
    return { name: 'refresh', order: (side) => refreshOrder(of, side), take: takeToken }
  },
  revoke: ({ of, pocket }) => {
    if (pocket.refreshToken === null) return null
    const operation = 'POST /sandbox/tokens/revoke'
    const order = ({ refreshToken }: Pocket) => ({
      operation,
      of,
      body: { refresh_token: refreshToken ?? '' },
    })
    return { name: 'revoke', order }
  },
  publish: ({ of, count, publishes }) =>
    publishes
      ? fixed('publish', {
          operation: 'POST /sandbox/broker/contracts/publish',
          of,
          body: publication(count),
        })
      : null,
  result: ({ of, pacts }, chance) => {
    if (pacts.length === 0) return null
    const operation = `POST ${pathOf(oneOf(pacts, chance))}/verification-results`
    const body = { success: chance() < 0.5, providerApplicationVersion: '1' }
    return fixed('result', { operation, of, body })
  },
  unpublish: ({ of, pacts }, chance) =>
    pacts.length === 0
      ? null
      : fixed('unpublish', { operation: `DELETE ${pathOf(oneOf(pacts, chance))}`, of }),
  export: ({ of }) => ({
    name: 'export',
    order: () => ({ operation: 'GET /sandbox/state', of }),
    take: (pocket, { text }) => {
      pocket.exported = text
    },
  }),
  import: ({ of, pocket }) => {
    if (pocket.exported === null) return null
    const operation = 'PUT /sandbox/state'
    const order = ({ exported }: Pocket) => ({ operation, of, body: exported ?? '' })
    return { name: 'import', order }
  },
}

function make({ of, other, isThere }: Surroundings, chance: Chance): Operation {
  const from = isThere.other && chance() < 0.5 ? { from: { sandbox: other } } : {}
  const name = 'from' in from ? 'fork' : 'make'
  return fixed(name, { operation: `PUT /sandboxes/${of}`, body: from })
}

/** An operation that is the same on both sides. */
function fixed(name: OperationName, order: Order): Operation {
  return { name, order: () => order }
}

const pathPart = { update: 'update', coupon: 'apply-coupon', cancel: 'cancel' } as const

function onSubscription(
  { of, subscriptions }: Surroundings,
  chance: Chance,
  { name, body }: { readonly name: keyof typeof pathPart; readonly body: object },
): Operation | null {
  if (subscriptions === 0) return null
  const id = `sub_${String(upTo(subscriptions, chance)).padStart(6, '0')}`
  return fixed(name, { operation: `POST /v1/subscriptions/${id}/${pathPart[name]}`, of, body })
}

function refreshOrder(of: string, { refreshToken }: Pocket): Order {
  const token = refreshToken ?? ''
  const body = { refresh_token: token }
  return { operation: 'POST /v1/auth/refresh', of, body, bearer: token }
}

function takeToken(pocket: Pocket, { text }: Answer): void {
  const { refresh_token } = JSON.parse(text) as { refresh_token?: string }
  pocket.refreshToken = refresh_token ?? null
}

/** Several pacts in one call. */
export function publication(version: number): object {
  const contracts = ['shop', 'mail', 'ledger'].map((provider) => {
    const pact = { consumer: { name: 'web' }, provider: { name: provider }, interactions: [] }
    return {
      consumerName: 'web',
      providerName: provider,
      specification: 'pact',
      content: Buffer.from(JSON.stringify({ ...pact, version })).toString('base64'),
    }
  })
  const pacticipantVersionNumber = String(version % 7)
  return { pacticipantName: 'web', pacticipantVersionNumber, contracts }
}

function pathOf({ provider, consumer, version }: PactName): string {
  return `/sandbox/broker/pacts/provider/${provider}/consumer/${consumer}/version/${version}`
}
