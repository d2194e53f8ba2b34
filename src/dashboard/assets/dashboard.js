// What pages do with scripts beyond what they do without: they show what changes as it changes, copy texts, and show
// a preview again when a field of its form is changed.

const main = () => document.querySelector('main')

/** Whether somebody is at work in the page, so that it must stay as it is. */
function isBusy() {
  const { activeElement: active } = document
  const isTyping = active?.matches('input, select, textarea') && main()?.contains(active)
  const hasChanged = [...document.querySelectorAll('main form')].some(
    (form) => form.dataset.changed,
  )
  return isTyping || hasChanged || document.querySelector('main dialog[open]') !== null
}

async function load(address) {
  const answer = await fetch(address, { headers: { Accept: 'text/html' } })
  if (!answer.ok) return null
  return new DOMParser().parseFromString(await answer.text(), 'text/html')
}

/** Puts the parts of another document in place of those here. What is open stays open. */
function take(from, selector) {
  const [old, fresh] = [document.querySelector(selector), from.querySelector(selector)]
  if (!old || !fresh || old.innerHTML === fresh.innerHTML) return
  const opened = [...old.querySelectorAll('details[open][id]')].map(({ id }) => id)
  const scrolled = [...old.querySelectorAll('.scrolls')].map(
    ({ scrollLeft: left, scrollTop: top }) => ({ left, top }),
  )
  old.replaceChildren(...fresh.childNodes)
  for (const id of opened) document.getElementById(id)?.setAttribute('open', '')
  for (const [index, each] of old.querySelectorAll('.scrolls').entries()) {
    each.scrollTo(scrolled[index] ?? { left: 0, top: 0 })
  }
  document.dispatchEvent(new CustomEvent('taken'))
}

let waiting
function refreshSoon() {
  clearTimeout(waiting)
  waiting = setTimeout(async () => {
    if (document.hidden || isBusy()) return
    const fresh = await load(location.href)
    if (!fresh || isBusy()) return
    take(fresh, '.clock-bar')
    take(fresh, 'main')
  }, 150)
}

/** The stream is closed while nobody looks: a browser has few connections to one server. */
let stream
function follow() {
  const { live } = document.body.dataset
  stream?.close()
  if (!live || document.hidden) return
  stream = new EventSource(live)
  stream.addEventListener('message', refreshSoon)
}

document.addEventListener('visibilitychange', () => {
  follow()
  if (!document.hidden) refreshSoon()
})
addEventListener('pagehide', () => stream?.close())
addEventListener('pageshow', follow)

document.addEventListener('input', ({ target }) => {
  const form = target.closest('form')
  if (form && main()?.contains(form)) form.dataset.changed = 'true'
})

/** A form with a preview shows it again after each change: it asks for the page as the form would with GET. */
let changes = 0
document.addEventListener('change', async ({ target }) => {
  const form = target.closest('form[data-preview]')
  if (!form) return
  changes += 1
  const change = changes
  const query = new URLSearchParams(new FormData(form))
  const fresh = await load(`${form.dataset.preview}?${query}`)
  // An answer may come after that to a later change.
  if (fresh && change === changes) take(fresh, '#preview')
})

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('button[data-copy]')
  if (!button) return
  await navigator.clipboard.writeText(button.dataset.copy)
  const { textContent: before } = button
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = before
  }, 1500)
})

document.documentElement.classList.add('scripts')
