/** The names of the operations on what is sold and to whom: records that are listed, made, changed and deleted alike. */
import type { LeftOut, NameRow } from './naming.ts'

const listed: LeftOut = { leftOut: 'list_records shows all of it' }

type RecordVerb = 'create' | 'retrieve' | 'change' | 'delete'

/** The rows of a kind of record that can be made, changed and deleted. */
function recordRows<const Name extends string>(
  name: Name,
  { id, create, change }: Record<'id' | 'create' | 'change', string>,
): Record<`list${Name}s` | `${RecordVerb}${Name}`, NameRow> {
  const kind = name.toLowerCase()
  const methods = `${kind}s`
  const key = name === 'Promotion' ? 'code' : `${kind}_id`
  const options = key === 'code' ? {} : { [key]: 'id' }
  const changing = { command: `${methods} change` }
  const rows: Record<`list` | RecordVerb, NameRow> = {
    list: [`${methods}.list`, `list_records ${methods}`, ''],
    create: [`${methods}.create`, `create_record ${kind}`, create, { options }],
    retrieve: [`${methods}.get`, name === 'Product' ? listed : `get_record ${kind}`, id],
    change: [`${methods}.update`, `change_record ${kind}`, `${id} ${change}`, changing],
    delete: [`${methods}.delete`, `delete_record ${kind}`, id],
  }
  const named = Object.entries(rows).map(([verb, row]) => [
    `${verb}${name}${verb === 'list' ? 's' : ''}`,
    row,
  ])
  return Object.fromEntries(named)
}

export const recordNames = {
  ...recordRows('Product', {
    id: 'prod_team',
    create: '--id prod_team --name Team',
    change: '--name Teams',
  }),
  ...recordRows('Plan', {
    id: 'team',
    create:
      '--id team --product-id prod_app --name Team --amount 4900 --currency USD --interval month',
    change: '--amount 5900',
  }),
  ...recordRows('Customer', {
    id: 'cus_mary',
    create: '--id cus_mary --name Mary --currency USD',
    change: '--payment-method none',
  }),
  ...recordRows('Coupon', {
    id: 'SPRING',
    create: '--type percentage --value 20 --id SPRING',
    change: '--max-redemptions 100',
  }),
  ...recordRows('Promotion', {
    id: 'SPRING27',
    create: '--code SPRING27 --coupon-id SAVE20',
    change: '--max-redemptions 5',
  }),
}
