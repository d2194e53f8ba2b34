/** The palette: one field over the pages of the menu, what can be pressed on this page, and records by their ids and names. */
import { element, openDialog } from './dialog.ts'
import { TYPED_MS } from './forms.ts'

interface Choice {
  readonly label: string
  readonly kind: string
  readonly choose: () => unknown
}

/** How many pages and actions are listed; the server bounds the records. */
const LISTED_MAX = 10

const addressOf = (path: string) =>
  `${document.querySelector<HTMLAnchorElement>('.brand')?.href}${path}`
const opening = (path: string) => () => location.assign(addressOf(path))

/** The records that have a text in their id, name or e-mail address; none if the server does not say. */
async function recordsWith(text: string, signal: AbortSignal): Promise<Choice[]> {
  if (text === '') return []
  try {
    await new Promise((resolve) => setTimeout(resolve, TYPED_MS))
    // Without a request, if something else was typed meanwhile.
    const answer = await fetch(addressOf(`find?text=${encodeURIComponent(text)}`), { signal })
    const found: { label: string; kind: string; path: string }[] = await answer.json()
    return found.map(({ path, ...shown }) => ({ ...shown, choose: opening(path) }))
  } catch {
    // Or the server cannot be reached.
    return []
  }
}

/** The lists of the records that have a text in their name, e-mail address or id. */
function searchesFor(text: string): Choice[] {
  const lists = text === '' ? {} : { Customers: 'customers', Subscriptions: '' }
  return Object.entries(lists).map(([name, path]) => ({
    label: `${name} with ${text}`,
    kind: 'Search',
    choose: opening(`${path}?search=${encodeURIComponent(text)}`),
  }))
}

/** What a selector finds, as choices that press it; of those with one label, the first. */
function buttonChoices(selector: string, kind: string): Choice[] {
  return [...document.querySelectorAll<HTMLElement>(selector)]
    .filter((each) => each.checkVisibility())
    .map((each) => {
      return { label: each.ariaLabel ?? each.innerText.trim(), kind, choose: () => each.click() }
    })
    .filter(({ label }, at, all) => at === all.findIndex((other) => other.label === label))
}

const actions =
  '.clock-bar button:enabled, #notice button, .heading :is(a, button), .moves a, main form button'
const pages = '#places a, .clock-bar a'

/** Those that have every word of a text; those that begin with it first. */
function filterChoices(all: readonly Choice[], text: string): Choice[] {
  const words = text.toLowerCase().split(/\s+/)
  const has = ({ label }: Choice) => words.every((word) => label.toLowerCase().includes(word))
  const begins = ({ label }: Choice) => label.toLowerCase().startsWith(text.toLowerCase())
  const found = all.filter(has)
  return [...found.filter(begins), ...found.filter((each) => !begins(each))].slice(0, LISTED_MAX)
}

/** Opens the palette, with more choices. The arrow keys choose, Enter does it, Escape closes. */
export function openPalette(more: readonly Choice[]): void {
  const all = [...buttonChoices(actions, 'Action'), ...buttonChoices(pages, 'Page'), ...more]
  let asked = new AbortController()
  let records: Promise<void>
  const list = element('ul', { id: 'palette-list', role: 'listbox', ariaLabel: 'Results' })
  const field = element('input', {
    type: 'text',
    placeholder: 'A page, an action, a name or an id',
    ariaLabel: 'Search or act',
    autocomplete: 'off',
    maxLength: 255,
    role: 'combobox',
    ariaAutoComplete: 'list',
  })
  field.setAttribute('aria-controls', list.id)
  const current = () => list.querySelector<HTMLElement>('[aria-selected="true"]')
  const select = (option: Element | null) => {
    current()?.setAttribute('aria-selected', 'false')
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    field.ariaExpanded = String(option !== null)
    field.setAttribute('aria-activedescendant', option?.id ?? '')
  }
  const search = () => {
    asked.abort()
    asked = new AbortController()
    const { signal } = asked
    const text = field.value.trim()
    const searches = searchesFor(text).map(optionOf)
    list.replaceChildren(...filterChoices(all, text).map(optionOf), ...searches)
    select(list.firstElementChild)
    records = recordsWith(text, signal).then((found) => {
      // An answer to an earlier text is not shown; what was chosen meanwhile stays chosen.
      if (signal.aborted) return
      const isFirst = current() === list.firstElementChild
      for (const each of found) list.insertBefore(optionOf(each), searches[0] ?? null)
      if (isFirst) select(list.firstElementChild)
    })
  }
  field.addEventListener('input', search)
  field.addEventListener('keydown', (event) => {
    const { firstElementChild: first, lastElementChild: last } = list
    // Whoever types an id and presses Enter means the record.
    if (event.key === 'Enter') void records.then(() => current()?.click())
    if (first === null || !/^Arrow(?:Down|Up)$/.test(event.key)) return
    event.preventDefault()
    if (event.key === 'ArrowDown') select(current()?.nextElementSibling ?? first)
    else select(current()?.previousElementSibling ?? last)
  })
  search()
  const dialog = openDialog('Search or act', 'palette', [field, list])
  list.addEventListener('click', () => dialog.close(), { capture: true })
  dialog.addEventListener('close', () => asked.abort())
}

let options = 0

function optionOf({ label, kind, choose }: Choice): HTMLLIElement {
  options += 1
  const parts = [element('span', {}, [label]), element('span', { className: 'hint' }, [kind])]
  const id = `palette-${options}`
  return element('li', { id, role: 'option', ariaSelected: 'false', onclick: choose }, parts)
}
