/** An import takes what the operations take, and no more: what it takes can be exported and loaded again. */
import { expect, it } from 'vitest'
import { openShop, type Shop } from '../../support/control.ts'

type Fields = Record<string, unknown>
type State = Record<string, Fields[]>

async function exported(): Promise<{ shop: Shop; state: State }> {
  const shop = await openShop()
  await shop.post('/sandbox/payment-outcomes', { outcomes: ['succeed'] })
  await shop.post('/sandbox/tokens', { subject: 'ada' })
  const match = { header: { name: 'X-Try', value: '1' } }
  await shop.post('/sandbox/faults', { match, effect: { status: 503, body: 'down' } })
  return { shop, state: JSON.parse(await shop.state()) }
}

function first(state: State, list: string): Fields {
  const [record] = state[list] ?? []
  if (record === undefined) throw new Error(`${list} is empty`)
  return record
}

/** As many faults as asked for, with their sequence. */
function setFaults(state: State, length: number): void {
  const fault = first(state, 'faults')
  state['faults'] = Array.from({ length }, (_, at) => ({ ...fault, fault_id: `fault_${at}` }))
}

const bounds: [string, number, (state: State, size: number) => void][] = [
  ['faults', 100, setFaults],
  ['faults[0].match.header.value', 1000, (state, size) => setCompared(state, 'x'.repeat(size))],
  ['faults[0].effect.body.text', 65_536, (state, size) => setBody(state, 'x'.repeat(size))],
  [
    'payment_scripts[0].outcomes',
    1000,
    (state, size) => {
      first(state, 'payment_scripts')['outcomes'] = Array.from({ length: size }, () => 'succeed')
    },
  ],
  ['products[0].name', 200, (state, size) => setText(state, 'products.name', size)],
  ['plans[0].name', 200, (state, size) => setText(state, 'plans.name', size)],
  ['customers[0].name', 200, (state, size) => setText(state, 'customers.name', size)],
  ['customers[0].email', 254, (state, size) => setText(state, 'customers.email', size)],
  [
    'token_families[0].subject',
    200,
    (state, size) => setText(state, 'token_families.subject', size),
  ],
  [
    'coupons[0].applies_to_plans',
    1000,
    (state, size) => {
      first(state, 'coupons')['applies_to_plans'] = Array.from({ length: size }, () => 'basic')
    },
  ],
  [
    'api_keys[0].suffix',
    64,
    (state, size) => {
      state['api_keys'] = [{ suffix: 'x'.repeat(size), revoked: false }]
    },
  ],
]

function setText(state: State, path: string, size: number): void {
  const [list = '', field = ''] = path.split('.')
  first(state, list)[field] = 'x'.repeat(size)
}

function setCompared(state: State, value: string): void {
  first(state, 'faults')['match'] = {
    operation: null,
    header: { name: 'x-try', value },
    field: null,
  }
}

function setBody(state: State, text: string): void {
  const effect = first(state, 'faults')['effect'] as Fields
  effect['body'] = { media: 'text', text }
}

it.each(bounds)(
  'an import takes %s up to %i, and comes out as it went in',
  async (field, most, set) => {
    const { shop, state } = await exported()
    set(state, most)
    const taken = await shop.call('PUT', '/sandbox/state', { json: state })
    expect(taken.status, JSON.stringify(taken.body)).toBe(200)
    const again = JSON.parse(await shop.state())
    expect({ ...again, events: null, sequences: null }).toEqual({
      ...state,
      events: null,
      sequences: null,
    })
    expect((await shop.call('PUT', '/sandbox/state', { json: again })).status).toBe(200)
    set(state, most + 1)
    const refused = await shop.call('PUT', '/sandbox/state', { json: state })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field }] } })
  },
)

it.each(['products.name', 'plans.name', 'customers.name', 'customers.email'])(
  'an import takes no empty text as %s',
  async (path) => {
    const { shop, state } = await exported()
    setText(state, path, 0)
    const refused = await shop.call('PUT', '/sandbox/state', { json: state })
    expect(refused).toMatchObject({ status: 400 })
  },
)

it('an import takes no coupon that is limited to no plan at all', async () => {
  const { shop, state } = await exported()
  first(state, 'coupons')['applies_to_plans'] = []
  expect((await shop.call('PUT', '/sandbox/state', { json: state })).status).toBe(400)
})
