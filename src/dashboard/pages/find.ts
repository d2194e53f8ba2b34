/** What the palette lists for a text: records by their id, name or e-mail address, a few of each kind, in JSON. */
import type { PageRow } from '../page-kinds/page-row.tsx'
import { callOrRefusal } from '../ui/form-state.ts'
import { idFieldOf, type RecordKind, recordPath, recordPlaces } from '../ui/links.tsx'
import { CALL_MAX, NEWEST, type PageContext } from '../ui/page-context.ts'
import { labelOf } from '../ui/values.tsx'

/** How many of each kind are listed, and of all kinds. */
const OF_EACH = 3
const LISTED = 8

export const foundRecords: PageRow = {
  show: async (page) => {
    const text = page.query('text') ?? ''
    const kinds = Object.keys(recordPlaces) as RecordKind[]
    if (text === '') return page.c.json([])
    const found = await Promise.all(kinds.map((kind) => search(page, kind, text)))
    const rank = ({ label }: { label: string }) =>
      Number(!label.startsWith(text)) + Number(label.split(' ')[0] !== text)
    const listed = found.flat().sort((one, other) => rank(one) - rank(other))
    return page.c.json(listed.slice(0, LISTED))
  },
}

async function search(page: PageContext, kind: RecordKind, text: string) {
  const [place, field] = [recordPlaces[kind], idFieldOf(kind)]
  const isSearched = kind === 'customer' || kind === 'subscription'
  // Where a list has no search, its newest are looked through.
  const query = isSearched ? { search: text, limit: OF_EACH } : { limit: CALL_MAX }
  const path = `/sandbox/${place.replace('payments/', '')}` as '/sandbox/customers'
  const { data } = await page.list(path, { ...query, order: NEWEST })
  const matching = data
    .map((row): Readonly<Record<string, unknown>> => ({ ...row }))
    .filter((row) => isSearched || [row[field], row['name']].some((each) => contains(each, text)))
  const found = matching.length > 0 ? matching : await findOlder(page, kind, text)
  return found.slice(0, OF_EACH).map(({ [field]: id, name, customer_id: customer }) => {
    const of = kind === 'customer' || !customer ? '' : ` of ${customer}`
    const label = `${id}${name ? ` ${name}` : of}`
    return { label, kind: labelOf(kind), path: recordPath(place, `${id}`) }
  })
}

function contains(value: unknown, text: string): boolean {
  return typeof value === 'string' && value.toLowerCase().includes(text.toLowerCase())
}

/** An invoice or a charge before those that are looked through, by its whole id. */
async function findOlder({ sandbox }: PageContext, kind: RecordKind, id: string) {
  const isId = /^(?:inv|ch)_\d{6,}$/.test(id) && id.startsWith(kind.slice(0, 2))
  if (!isId) return []
  const { get }: { get: (id: string) => Promise<object> } =
    kind === 'invoice' ? sandbox.invoices : sandbox.charges
  const { found } = await callOrRefusal(() => get(id))
  return found === null ? [] : [{ ...found } as Readonly<Record<string, unknown>>]
}
