/**
 * Keys of a page, from one table, which the list of keys shows. A key presses what has it as `aria-keyshortcuts`, or focuses
 * it if it is a field, unless its row says something else. None works in a field or with a modifier, and all can be turned off.
 */
import { element, openDialog } from './dialog.ts'
import { openPalette as open } from './palette.ts'

/** What each does. `run` says whether there was something to do; without it, what has the key as its shortcut is pressed. */
const keys: Readonly<Record<string, { does: string; run?: () => boolean }>> = {
  t: { does: 'Show now on the timeline' },
  ArrowLeft: { does: 'Show an earlier part of time' },
  ArrowRight: { does: 'Show a later part of time' },
  '+': { does: 'Show less of time' },
  '-': { does: 'Show more of time' },
  d: { does: 'Move the clock by a day' },
  w: { does: 'Move the clock by a week' },
  m: { does: 'Move the clock by a month' },
  e: { does: 'Move the clock to the next due item' },
  z: { does: 'Undo the move' },
  j: { does: 'Go to the next row', run: () => goToRow(1) },
  k: { does: 'Go to the row before', run: () => goToRow(-1) },
  c: { does: 'Create' },
  '/': { does: 'Search or filter', run: goToFilter },
  '?': { does: 'Show these keys', run: showKeys },
}

/** How keys are written on pages. */
const names: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→' }

/** Whether keys were turned off in this browser. */
const SETTING = 'subscription-sandbox-keys'
const areOn = () => localStorage.getItem(SETTING) !== 'off'

function press(key: string): boolean {
  const shortcut = key === '+' ? 'Plus' : key
  const found = document.querySelector<HTMLElement>(
    `[aria-keyshortcuts="${shortcut}"]:not(:disabled)`,
  )
  if (found?.matches('input, select')) found.focus()
  else found?.click()
  return found !== null
}

/** Focuses the subscription of another lane, or the first link of another row of the first table. */
function goToRow(step: 1 | -1): boolean {
  const table = document.querySelector('main table:has(tbody a)')
  const links = [...(table?.querySelectorAll<HTMLElement>('tbody tr') ?? [])].flatMap<HTMLElement>(
    (row) => row.querySelector('a[href*="/subscriptions/"]') ?? row.querySelector('a') ?? [],
  )
  const row = document.activeElement?.closest('tr')
  const current = links.findIndex((link) => link.closest('tr') === row)
  links[current < 0 ? 0 : current + step]?.focus()
  return links.length > 0
}

const openPalette = () => open([{ label: 'Keys', kind: 'Action', choose: showKeys }])

function goToFilter(): boolean {
  const field = document.querySelector<HTMLElement>(
    'main search :is(input:not([type=hidden]), select)',
  )
  field?.closest('details')?.setAttribute('open', '')
  if (field) field.focus()
  else openPalette()
  return true
}

function showKeys(): boolean {
  const listed = { ...keys, 'Ctrl K': { does: 'Search or act' } }
  const rows = Object.entries(listed).map(([key, { does }]) =>
    element('div', {}, [
      element('dt', {}, [element('kbd', {}, [names[key] ?? key])]),
      element('dd', {}, [does]),
    ]),
  )
  const box = element('input', { type: 'checkbox', checked: areOn() })
  box.onchange = () => {
    localStorage.setItem(SETTING, box.checked ? 'on' : 'off')
    showWhetherOn()
  }
  const dialog = openDialog('Keys', 'keys', [
    element('h2', {}, ['Keys']),
    element('dl', {}, rows),
    element('label', { className: 'check' }, [box, 'Use the keys of one letter or sign']),
    element('button', { type: 'button', onclick: () => dialog.close() }, ['Close']),
  ])
  return true
}

/** Buttons show their keys only where these work. */
const showWhetherOn = () => document.documentElement.classList.toggle('keys', areOn())

/** Whether a key is for what has the focus: a field, a dialog, or a part that scrolls. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest('input, select, textarea, dialog, [contenteditable]')) return true
  const scrolls = target.matches('.scrolls') && target.scrollWidth > target.clientWidth
  return scrolls && key.startsWith('Arrow')
}

document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event
  const isOver = document.querySelector('dialog[open]') !== null
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !isOver) {
    event.preventDefault()
    return openPalette()
  }
  const row = Object.hasOwn(keys, key) ? keys[key] : undefined
  if (row === undefined || ctrlKey || metaKey || altKey || defaultPrevented) return
  if (!areOn() || isTaken(event)) return
  if (row.run ? row.run() : press(key)) event.preventDefault()
})
document.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('.palette-button')) openPalette()
})
showWhetherOn()
