/** Lists that are filtered: by a form whose fields are the query of the page, so that a link keeps what was chosen. */
import type { FC, PropsWithChildren } from 'hono/jsx'
import { foundOrRefused, type Sent, valuesOf } from '../sent.ts'
import type { Visit } from '../visit.ts'
import { Refused } from './form.tsx'

/** A form in one line, which asks for the page anew. */
export const Filter: FC<
  PropsWithChildren<{ visit: Visit; path: string; sent: Sent; label: string; hasAll?: boolean }>
> = ({ visit, path, sent, label, hasAll = true, children }) => (
  <search aria-label={label}>
    <Refused sent={sent} />
    <form method="get" action={visit.to(path)} class="filter">
      {children}
      <button type="submit">Show</button>
      {hasAll && visit.here !== visit.to(path) && <a href={visit.to(path)}>Show all</a>}
    </form>
  </search>
)

/** What the query asks for. Where that is refused there is nothing to list, and the form says why. */
export async function asked<Found>(
  visit: Visit,
  { find, otherwise }: { find: () => Promise<Found>; otherwise: Found },
): Promise<{ found: Found; sent: Sent }> {
  const { searchParams } = new URL(visit.c.req.url)
  // No field of the form: what is wrong with it is said above.
  searchParams.delete('after')
  const values = valuesOf(searchParams)
  const { found, refusal } = await foundOrRefused(find)
  return { found: found ?? otherwise, sent: { values, refusal } }
}
