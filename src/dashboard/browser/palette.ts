/** The palette: one field over the pages of the menu, what can be pressed on this page, and records by their ids and names. */
import { element, openDialog } from './dialog.ts'

interface Choice {
  readonly label: string
  readonly kind: string
  readonly choose: () => unknown
}

/** How many choices are listed. */
const LISTED_MAX = 10

/** The pages of records, by how their ids begin. */
const recordPages: Readonly<Record<string, string>> = {
  sub_: 'subscriptions',
  cus_: 'customers',
  inv_: 'invoices',
  ch_: 'payments/charges',
  req_: 'requests',
}

/** The records that a text may mean. */
function recordsFor(text: string): Choice[] {
  const root = document.querySelector<HTMLAnchorElement>('.brand')?.href
  return Object.entries(recordPages)
    .filter(([start]) => text.startsWith(start) && text.length > start.length && root)
    .map(([, path]) => ({
      label: text,
      kind: 'Record',
      choose: () => location.assign(`${root}${path}/${encodeURIComponent(text)}`),
    }))
}

/** The lists of the records that have a text in their name, e-mail address or id. */
function searchesFor(text: string): Choice[] {
  const root = document.querySelector<HTMLAnchorElement>('.brand')?.href
  if (text === '' || root === undefined) return []
  return Object.entries({ Customers: 'customers', Subscriptions: '' }).map(([name, path]) => ({
    label: `${name} with ${text}`,
    kind: 'Search',
    choose: () => location.assign(`${root}${path}?search=${encodeURIComponent(text)}`),
  }))
}

/** What a selector finds, as choices that press it; of those with one label, the first. */
function pressing(selector: string, kind: string): Choice[] {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].filter((each) =>
    each.checkVisibility(),
  )
  const byLabel = new Map(found.reverse().map((each) => [labelOf(each), each]))
  return [...byLabel]
    .reverse()
    .map(([label, each]) => ({ label, kind, choose: () => each.click() }))
}

function labelOf(of: HTMLElement): string {
  return of.ariaLabel ?? of.innerText.trim()
}

function choices(): Choice[] {
  return [
    ...pressing(
      '.clock-bar button:enabled, #notice button, .heading :is(a, button), .moves a, main form button',
      'Action',
    ),
    ...pressing('#places a, .clock-bar a', 'Page'),
  ]
}

/** Those that have every word of a text; those that begin with it first. */
function matching(all: readonly Choice[], text: string): Choice[] {
  const words = text.toLowerCase().split(/\s+/)
  const has = ({ label }: Choice) => words.every((word) => label.toLowerCase().includes(word))
  const begins = ({ label }: Choice) => label.toLowerCase().startsWith(text.toLowerCase())
  const found = all.filter(has)
  const sorted = [...found.filter(begins), ...found.filter((each) => !begins(each))]
  const [records, searches] = [recordsFor(text.trim()), searchesFor(text.trim())]
  const room = LISTED_MAX - records.length - searches.length
  return [...records, ...sorted.slice(0, room), ...searches]
}

/** Opens the palette, with more choices. The arrow keys choose, Enter does it, Escape closes. */
export function openPalette(more: readonly Choice[]): void {
  const all = [...choices(), ...more]
  let listed: Choice[] = []
  let current = 0
  const list = element('ul', { id: 'palette-list', role: 'listbox', ariaLabel: 'Results' })
  const field = element('input', {
    type: 'text',
    placeholder: 'A page, an action, a name or an id',
    ariaLabel: 'Search or act',
    autocomplete: 'off',
    role: 'combobox',
    ariaExpanded: 'true',
    ariaAutoComplete: 'list',
  })
  field.setAttribute('aria-controls', list.id)
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return
    dialog.close()
    choice.choose()
  }
  const show = () => {
    const options = listed.map((choice, index) => {
      const isCurrent = String(index === current)
      const option = element(
        'li',
        { id: `palette-${index}`, role: 'option', ariaSelected: isCurrent },
        [
          element('span', {}, [choice.label]),
          element('span', { className: 'hint' }, [choice.kind]),
        ],
      )
      option.addEventListener('click', () => choose(choice))
      return option
    })
    list.replaceChildren(...options)
    field.setAttribute('aria-activedescendant', listed.length > 0 ? `palette-${current}` : '')
  }
  const search = () => {
    current = 0
    listed = matching(all, field.value)
    show()
  }
  field.addEventListener('input', search)
  field.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') choose(listed[current])
    if (step === undefined || listed.length === 0) return
    event.preventDefault()
    current = (current + step + listed.length) % listed.length
    show()
  })
  search()
  const dialog = openDialog('Search or act', 'palette', [field, list])
}
