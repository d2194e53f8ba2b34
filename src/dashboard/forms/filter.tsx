/** Filters of lists: forms whose fields are the query of the page, so that a link keeps what was chosen. */
import type { FC, PropsWithChildren } from 'hono/jsx'
import { CurrentForm, type FormState, foundOrRefused, valuesOf } from '../ui/form-state.ts'
import { type PageContext, usePage } from '../ui/page-context.ts'
import type { FieldDeclaration } from './field.ts'
import { FormFields, Refused } from './form.tsx'

interface FilterProps {
  readonly path: string
  readonly form: FormState
  readonly label: string
  readonly fields: readonly FieldDeclaration[]
  readonly hasAll?: boolean
}

/** A form in one line, which asks for the page anew. */
export const Filter: FC<PropsWithChildren<FilterProps>> = (props) => {
  const { path, form, label, fields, hasAll = true, children } = props
  const { to, here } = usePage()
  return (
    <search aria-label={label}>
      <Refused form={form} />
      <form method="get" action={to(path)} class="filter">
        {children}
        <CurrentForm.Provider value={form}>
          <FormFields fields={fields} />
        </CurrentForm.Provider>
        <button type="submit">Show</button>
        {hasAll && here !== to(path) && <a href={to(path)}>Show all</a>}
      </form>
    </search>
  )
}

/** The result of a query, or null with the filter that says why it is refused. */
export async function filteredList<Found>(page: PageContext, find: () => Promise<Found>) {
  const { searchParams } = new URL(page.c.req.url)
  // It is no field of the form: its message stands above it.
  searchParams.delete('after')
  const { found, refusal } = await foundOrRefused(find)
  const form: FormState = { values: valuesOf(searchParams), refusal }
  return { found, form }
}
