// What pages do with scripts beyond what they do without: they show what changes as it changes, list the sandboxes,
// copy texts, and show a preview again when a field of its form is changed.

/** How often a page is loaded again at most. */
const PAUSE_MS = 300

const main = () => document.querySelector('main')
const clockBar = () => document.querySelector('.clock-bar')

/** Whether somebody is at work in the page, so that it must stay as it is. */
function isBusy() {
  const { activeElement: active } = document
  const isWithin = active !== main() && main()?.contains(active)
  return isWithin || document.querySelector('main form[data-changed]') !== null
}

/** Whether somebody is about to press something of the clock. */
function isClockBusy() {
  const isChecked = clockBar()?.querySelector('input:checked') !== null
  return isChecked || clockBar()?.contains(document.activeElement)
}

/** The document at an address; null where it is not to be had. */
async function load(address) {
  try {
    const answer = await fetch(address, { headers: { Accept: 'text/html' } })
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
  } catch {
    return null
  }
}

/** Puts a part of another document in place of that here. What is open stays open. */
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
}

let isWaiting = false
let isMissed = false
let loads = 0

/** Loads the page again, soon and once however much comes until then. */
function refreshSoon() {
  if (isWaiting) return
  isWaiting = true
  setTimeout(refresh, PAUSE_MS)
}

async function refresh() {
  isWaiting = false
  isMissed = document.hidden || isBusy() || isClockBusy()
  if (document.hidden || (isBusy() && isClockBusy())) return
  loads += 1
  const own = loads
  const fresh = await load(location.href)
  // An answer may come after that to a later question.
  if (!fresh || own !== loads) return
  if (!isClockBusy()) take(fresh, '.clock-bar')
  if (!isBusy()) take(fresh, 'main')
}

/** The stream is closed while nobody looks: a browser has few connections to one server. */
let stream
function follow() {
  const { live } = document.body.dataset
  stream?.close()
  if (!live || document.hidden) return
  let opened = 0
  stream = new EventSource(live)
  stream.addEventListener('message', refreshSoon)
  stream.addEventListener('open', () => {
    opened += 1
    // What came while it was away was not heard.
    if (opened > 1) refreshSoon()
  })
}

document.addEventListener('visibilitychange', () => {
  follow()
  if (!document.hidden) refreshSoon()
})
document.addEventListener('focusout', () => {
  if (isMissed) refreshSoon()
})
addEventListener('pagehide', () => stream?.close())
// A clock that runs moves without an event.
setInterval(() => {
  if (clockBar()?.dataset.mode === 'running') refreshSoon()
}, 2000)
addEventListener('pageshow', follow)

document.addEventListener('input', ({ target }) => {
  const form = target.closest('form')
  if (form && main()?.contains(form)) form.dataset.changed = 'true'
  if (form?.dataset.preview) void showPreview(form)
})

/** How long somebody has stopped typing before the preview follows. */
const TYPED_MS = 300

/** A form with a preview shows it again after each change: it asks for the page as the form would with GET. */
let changes = 0
async function showPreview(form) {
  changes += 1
  const change = changes
  await new Promise((resolve) => setTimeout(resolve, TYPED_MS))
  if (change !== changes) return
  const query = new URLSearchParams(new FormData(form))
  const fresh = await load(`${form.dataset.preview}?${query}`)
  if (fresh && change === changes) take(fresh, '#preview')
}

/** A form is sent once, however often its button is pressed. */
document.addEventListener('submit', (event) => {
  const form = event.target
  if (form.dataset.sent) event.preventDefault()
  form.dataset.sent = 'true'
})
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent
})

/** The sandboxes of the server, as their page lists them. */
for (const switcher of document.querySelectorAll('details[data-from]')) {
  switcher.addEventListener('toggle', async () => {
    const fresh = switcher.open ? await load(switcher.dataset.from) : null
    const links = fresh?.querySelectorAll('main table td:first-child a') ?? []
    const list = switcher.querySelector('ul')
    const last = list.lastElementChild
    const rows = [...links].map((link) => {
      const row = document.createElement('li')
      row.append(link)
      return row
    })
    list.replaceChildren(...rows, last)
  })
}

/** Escape closes the list of sandboxes, as it closes the menu. */
document.addEventListener('keydown', ({ key }) => {
  const switcher = document.querySelector('.switcher[open]')
  if (key !== 'Escape' || !switcher) return
  switcher.removeAttribute('open')
  switcher.querySelector('summary').focus()
})

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('button[data-copy]')
  if (!button) return
  button.dataset.label ??= button.textContent
  await navigator.clipboard.writeText(button.dataset.copy)
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = button.dataset.label
  }, 1500)
})

/** What was done is said once: not again when the page is loaded again, or opened from the history. */
const address = new URL(location.href)
if (address.searchParams.has('did')) {
  address.searchParams.delete('did')
  address.searchParams.delete('seq')
  address.searchParams.delete('undo')
  history.replaceState(null, '', address)
}

/** A drag over the months above a timeline selects a stretch of time: while it lasts, the shown part is drawn there. */
let drag = null
document.addEventListener('pointerdown', ({ target, button, clientX }) => {
  const strip = target.closest('.strip')
  drag = strip && button === 0 ? { strip, at: clientX, days: null } : null
})
document.addEventListener('pointermove', ({ clientX }) => {
  if (!drag) return
  const { strip, at } = drag
  const { left, width } = strip.getBoundingClientRect()
  const part = (x) => Math.min(Math.max((x - left) / width, 0), 1)
  const [start, end] = [Math.min(part(at), part(clientX)), Math.max(part(at), part(clientX))]
  if (!drag.days && end - start < 0.01) return
  const [from, until] = [Date.parse(strip.dataset.from), Date.parse(strip.dataset.until)]
  const day = (each) => new Date(from + each * (until - from)).toISOString().slice(0, 10)
  drag.days = [day(start), day(end)]
  const shown = strip.querySelector('.shown')
  shown.setAttribute('x', `${100 * start}%`)
  shown.setAttribute('width', `${100 * (end - start)}%`)
})
document.addEventListener('pointerup', () => {
  if (!drag?.days) return
  const address = new URL(drag.strip.dataset.href, location.href)
  address.searchParams.set('from', drag.days[0])
  address.searchParams.set('until', drag.days[1])
  // The month below the pointer is not opened.
  document.addEventListener('click', (event) => event.preventDefault(), {
    once: true,
    capture: true,
  })
  location.assign(address)
})
for (const type of ['pointerup', 'pointercancel']) {
  document.addEventListener(type, () => {
    drag = null
  })
}
document.addEventListener('dragstart', (event) => {
  if (event.target.closest('.strip')) event.preventDefault()
})

/** Where there is no room for a whole timeline, its now comes first. */
for (const lanes of document.querySelectorAll('.lanes')) {
  const now = lanes.querySelector('text.now')?.getBoundingClientRect().left ?? 0
  const { right, width } = lanes.getBoundingClientRect()
  if (now > right) lanes.scrollLeft = now - right + width / 3
}

document.documentElement.classList.add('scripts')
// Browsers give pages no clipboard over plain HTTP, but on their own machine.
if (navigator.clipboard) document.documentElement.classList.add('copies')
