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

/** The address of a page of this sandbox. */
function addressOf(path: string): string {
  return `${document.querySelector<HTMLAnchorElement>('.brand')?.href}${path}`
}

/** The records that have a text in their id, name or e-mail address; none if the server does not say. */
async function recordsWith(text: string, signal: AbortSignal): Promise<Choice[]> {
  if (text === '') return []
  try {
    await new Promise((resolve) => setTimeout(resolve, TYPED_MS))
    // Without a request, if something else was typed meanwhile.
    const answer = await fetch(addressOf(`find?text=${encodeURIComponent(text)}`), { signal })
    const found: { label: string; kind: string; path: string }[] = await answer.json()
    return found.map(({ path, ...shown }) => ({
      ...shown,
      choose: () => location.assign(addressOf(path)),
    }))
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
    choose: () => location.assign(addressOf(`${path}?search=${encodeURIComponent(text)}`)),
  }))
}

/** What a selector finds, as choices that press it; of those with one label, the first. */
function buttonChoices(selector: string, kind: string): Choice[] {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].filter((each) =>
    each.checkVisibility(),
  )
  const byLabel = new Map(
    found.reverse().map((each) => [each.ariaLabel ?? each.innerText.trim(), each]),
  )
  return [...byLabel]
    .reverse()
    .map(([label, each]) => ({ label, kind, choose: () => each.click() }))
}

function choices(): Choice[] {
  return [
    ...buttonChoices(
      '.clock-bar button:enabled, #notice button, .heading :is(a, button), .moves a, main form button',
      'Action',
    ),
    ...buttonChoices('#places a, .clock-bar a', 'Page'),
  ]
}

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
  const all = [...choices(), ...more]
  let listed: Choice[] = []
  let current = 0
  let asked = new AbortController()
  let records: Promise<unknown>
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
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return
    dialog.close()
    choice.choose()
  }
  const show = (found: Choice[], index: number) => {
    listed = found
    current = index
    const options = listed.map((choice, nth) => optionOf(choice, nth, nth === current))
    for (const [nth, option] of options.entries()) {
      option.addEventListener('click', () => choose(listed[nth]))
    }
    list.replaceChildren(...options)
    options[current]?.scrollIntoView({ block: 'nearest' })
    field.ariaExpanded = String(listed.length > 0)
    field.setAttribute('aria-activedescendant', options[current]?.id ?? '')
  }
  const search = () => {
    asked.abort()
    asked = new AbortController()
    const { signal } = asked
    const text = field.value.trim()
    const [here, searches] = [filterChoices(all, text), searchesFor(text)]
    show([...here, ...searches], 0)
    records = recordsWith(text, signal).then((found) => {
      // An answer to an earlier text is not shown; what was chosen meanwhile stays chosen.
      if (signal.aborted || found.length === 0) return
      const chosen = current < here.length || current === 0 ? current : current + found.length
      show([...here, ...found, ...searches], chosen)
    })
  }
  field.addEventListener('input', search)
  field.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    // Whoever types an id and presses Enter means the record.
    if (event.key === 'Enter') void records.then(() => choose(listed[current]))
    if (step === undefined || listed.length === 0) return
    event.preventDefault()
    show(listed, (current + step + listed.length) % listed.length)
  })
  search()
  const dialog = openDialog('Search or act', 'palette', [field, list])
  dialog.addEventListener('close', () => asked.abort())
}

function optionOf({ label, kind }: Choice, nth: number, isCurrent: boolean): HTMLLIElement {
  return element('li', { id: `palette-${nth}`, role: 'option', ariaSelected: String(isCurrent) }, [
    element('span', {}, [label]),
    element('span', { className: 'hint' }, [kind]),
  ])
}
