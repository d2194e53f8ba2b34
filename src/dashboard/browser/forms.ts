/** Small additions to pages: previews that follow a form, the list of sandboxes, copying, and the place of now. */
import { element } from './dialog.ts'
import { load, replacePart, SHOWN } from './swap.ts'

/** How long somebody has stopped typing before the server is asked. */
export const TYPED_MS = 200

/** A form with a preview shows it again after each change: it requests the page as the form would with GET. */
let changes = 0
async function showPreview(form: HTMLFormElement): Promise<void> {
  changes += 1
  const change = changes
  await new Promise((resolve) => setTimeout(resolve, TYPED_MS))
  if (change !== changes) return
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  const fresh = await load(`${form.dataset['preview']}?${new URLSearchParams(fields)}`)
  if (!fresh?.ok || change !== changes) return
  replacePart(fresh.page, '#preview')
  const [preview, wrong] = [document.querySelector('#preview'), fresh.page.querySelector('.wrong')]
  // What is refused is said beside its field, where somebody types.
  const text = `The sandbox would refuse this: ${wrong?.textContent}`
  if (wrong && !preview?.textContent) preview?.append(element('p', { className: 'wrong' }, [text]))
}

document.addEventListener('input', ({ target }) => {
  const form = (target as Element).closest<HTMLFormElement>('form[data-preview]')
  if (form) void showPreview(form)
})

/** The sandboxes of the server, as their page lists them, where they are switched. */
async function listSandboxes(switcher: HTMLDetailsElement): Promise<void> {
  const fresh = await load(switcher.dataset['from'] ?? '')
  const list = switcher.querySelector('ul')
  const last = list?.lastElementChild
  if (!fresh?.ok || !list || !last) return
  const links = [...fresh.page.querySelectorAll('main table td:first-child a')]
  const rows = links.map((link) => element('li', {}, [link]))
  list.replaceChildren(...rows, last)
}

// It does not bubble.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.open && target.dataset['from'])
      void listSandboxes(target)
  },
  true,
)

/** Escape closes the list of sandboxes, as it closes the menu. */
document.addEventListener('keydown', ({ key }) => {
  const switcher = document.querySelector('.switcher[open]')
  if (key !== 'Escape' || !switcher) return
  switcher.removeAttribute('open')
  switcher.querySelector('summary')?.focus()
})

document.addEventListener('click', async ({ target }) => {
  const button = (target as Element).closest<HTMLButtonElement>('button[data-copy]')
  if (!button) return
  button.dataset['label'] ??= button.textContent ?? ''
  await navigator.clipboard.writeText(button.dataset['copy'] ?? '')
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = button.dataset['label'] ?? ''
  }, 1500)
})

/** Where there is no room for a whole timeline, its now comes first; what is loaded again stays where it is scrolled to. */
let scrolled = ''
function showNow(): void {
  if (scrolled === location.href) return
  scrolled = location.href
  for (const lanes of document.querySelectorAll('.lanes')) {
    const now = lanes.querySelector('text.now, #now')?.getBoundingClientRect().right ?? 0
    const { right, width } = lanes.getBoundingClientRect()
    if (now > right) lanes.scrollLeft = now - right + width / 3
  }
}

showNow()
document.addEventListener(SHOWN, showNow)
document.documentElement.classList.add('scripts')
// Browsers give pages no clipboard over plain HTTP, but on their own machine.
if (navigator.clipboard) document.documentElement.classList.add('copies')
