/**
 * Shows another state of the page in place: what a link, a filter or a form of this page leads to is fetched, and the page
 * is changed to it. Focus, scroll positions and open details stay. What leads to another page, or fails, is left to the
 * browser.
 */
import { Idiomorph } from 'idiomorph'
import { endOfMove } from './days.ts'

/** Sent to the document when the page shows something else. */
export const SHOWN = 'page-shown'
/** Sent to the document when something changed that the page does not show, because somebody is at work in it. */
export const MISSED = 'change-missed'

/** The forms in which somebody typed or chose something that is not sent yet. */
const changed = new Set<HTMLFormElement>()
/** Counts what is opened, sent and shown: an answer to something earlier is dropped. */
let turn = 0
/** How long nobody wonders whether anything happens. */
const SOON_MS = 500
let isSending = false
let isHeld = false
let shown = location.href.split('#')[0]

const main = () => document.querySelector<HTMLElement>('main')

/** Whether somebody is at work in the page, so that it must not change meanwhile. */
export function isAtWork(): boolean {
  return (
    isSending || isHeld || [...changed].some((form) => form.isConnected && main()?.contains(form))
  )
}

/** Keeps the page as it is while somebody drags something in it. */
export function setHeld(held: boolean): void {
  isHeld = held
}

/** The page at an address; null if there is none. */
export async function load(address: string | URL, init: RequestInit = {}) {
  try {
    const answer = await fetch(address, { ...init, headers: { Accept: 'text/html' } })
    if (!answer.headers.get('Content-Type')?.startsWith('text/html')) return null
    const page = parseHtml(await textOf(answer))
    // A refused form is shown on the page that it names.
    const url = new URL(answer.headers.get('Content-Location') ?? answer.url, answer.url)
    return { url, ok: answer.ok, page }
  } catch {
    // The server cannot be reached, or the page is being left.
    return null
  }
}

const parseHtml = (text: string) => new DOMParser().parseFromString(text, 'text/html')

/** The text of an answer. While it takes long, this page says what that one works on. */
async function textOf({ body }: Response): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let working: Element | null = null
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    text += part.value
    const [, share] = /class="notice working".*value="([\d.]+)"/.exec(part.value) ?? []
    if (share) working?.querySelector('progress')?.setAttribute('value', share)
    if (working !== null || !text.includes('class="notice working"')) continue
    working = parseHtml(text).querySelector('.working')
    document.querySelector('#ready')?.remove()
    if (working) document.querySelector('#notice')?.replaceChildren(working)
  }
  working?.remove()
  return text
}

/** Begins a turn. The page says that it is busy until it shows something else, and after a while in words. */
function beginTurn(sent: URLSearchParams | FormData = new URLSearchParams()): number {
  main()?.setAttribute('aria-busy', 'true')
  turn += 1
  const own = turn
  setTimeout(() => sayWorking(own, sent), SOON_MS)
  return own
}

/** Says that the page works; while a form moves the clock, also where it is, and what part of the way that is. */
async function sayWorking(own: number, sent: URLSearchParams | FormData): Promise<void> {
  const said = document.querySelector('#notice')
  if (own !== turn || !said) return
  const working =
    '<label class="notice working">Working. <span></span> <progress></progress></label>'
  if (!said.querySelector('.working')) said.innerHTML = working
  if (!isSending) return
  const sandbox = location.pathname.split('/', 3).join('/')
  const answer = await fetch(`${sandbox}/now`).catch(() => null)
  const place = said.querySelector('.working span')
  if (!answer?.ok || own !== turn || !place) return
  const { now }: { now: string } = await answer.json()
  const before = document.querySelector('.clock-bar time')?.getAttribute('datetime') ?? ''
  const [at = Number.NaN, from = Number.NaN] = [now, before].map(Date.parse)
  if (at !== from) place.textContent = `The clock is at ${now.slice(0, 10)}.`
  const share = (at - from) / (endOfMove(sent, from) - from)
  if (share > 0) said.querySelector('progress')?.setAttribute('value', String(share))
  setTimeout(() => sayWorking(own, sent), SOON_MS)
}

/** Shows a state of this page in place; anything else is opened as without scripts. */
export async function visit(address: string, isNew = true): Promise<void> {
  const own = beginTurn()
  const found = await load(address)
  if (own !== turn) return
  const { pathname, hash } = new URL(address, location.href)
  if (!found?.ok || found.url.pathname !== pathname) return location.assign(address)
  found.url.hash = hash
  show(found, isNew)
}

/** Sends a form of this page, once, and shows in place what it leads to. */
export async function send(action: string, body: URLSearchParams | FormData): Promise<void> {
  if (isSending) return
  isSending = true
  const own = beginTurn(body)
  const found = await load(action, { method: 'POST', body })
  // Where another page follows, nothing more is sent from this one.
  isSending = own === turn
  if (own !== turn) return
  // It may have been received: the page is opened again, but the form is not sent again.
  if (found === null) return location.reload()
  const isHereStill = found.url.pathname === location.pathname
  if (!found.ok && isHereStill) found.url.search = location.search
  // Without a redirect it is the answer itself.
  const isAnswer = !found.ok || found.url.pathname === new URL(action, location.href).pathname
  if (isAnswer || isHereStill) show(found)
  else location.assign(found.url)
}

function show({ url, page }: { url: URL; page: Document }, isNew = true): void {
  turn += 1
  isSending = false
  // Of what is shown now: a field that stays may have been wrong before.
  const { id = '' } = page.querySelector('[autofocus]') ?? {}
  morph(document.body, page.body, isUnsent)
  document.title = page.title
  const address = withoutNotice(url)
  if (isNew && listIn(address) !== listIn(location.href)) {
    for (const lanes of document.querySelectorAll('.lanes')) lanes.scrollTop = 0
  }
  if (isNew) history[isShown(address) ? 'replaceState' : 'pushState'](null, '', address)
  shown = address.split('#')[0]
  if (url.hash) document.getElementById(url.hash.slice(1))?.scrollIntoView({ block: 'nearest' })
  const wrong = document.getElementById(id) as HTMLInputElement | null
  if (wrong?.form) changed.add(wrong.form)
  wrong?.focus()
  // What had the focus may be gone.
  if (document.activeElement === document.body) main()?.focus({ preventScroll: true })
  document.dispatchEvent(new Event(SHOWN))
}

/** What is listed: without the part of time, and the mark, that the address names. */
function listIn(address: string): string {
  const { searchParams } = new URL(address)
  for (const name of ['zoom', 'from', 'until', 'lane', 'at', 'to']) searchParams.delete(name)
  return `${searchParams}`
}

const isShown = (address: string) => address.split('#')[0] === shown

/** What was done is said once: not again when the page is loaded again, or opened from the history. */
function withoutNotice(url: URL): string {
  for (const name of ['did', 'seq', 'undo']) url.searchParams.delete(name)
  return url.href
}

/** Changes the clock, and a page that follows changes unless somebody is at work in it, to what its address shows now. */
export async function refresh({ anyway = false } = {}): Promise<void> {
  const own = turn
  const found = await load(location.href)
  if (own !== turn || isSending) return
  if (!found?.ok) return anyway ? location.reload() : undefined
  replacePart(found.page, '.clock-bar')
  const { live: followed } = document.body.dataset
  if (!followed || (isAtWork() && !anyway)) return
  replacePart(found.page, 'main')
  const { live } = found.page.body.dataset
  if (live) document.body.dataset['live'] = live
  document.dispatchEvent(new Event(SHOWN))
}

/** Changes a part of the page to that of another document. A notice stays, and so does what was typed. */
export function replacePart(from: Document, selector: string): void {
  const [old, fresh] = [document.querySelector(selector), from.querySelector(selector)]
  if (old && fresh) morph(old, fresh, (node) => node.id === 'notice' || isUnsent(node))
}

function isUnsent(node: Element): boolean {
  const form =
    node.matches('input:not([type=hidden]), select, textarea') && (node as HTMLInputElement).form
  return form instanceof HTMLFormElement && changed.has(form)
}

/** Changes an element to another. If what had the focus is gone, the list around it has it, and never another record. */
function morph(old: Element, fresh: Element, stays = (_: Element) => false): void {
  const list = document.activeElement?.parentElement?.closest<HTMLElement>('[tabindex]')
  void Idiomorph.morph(old, fresh, {
    callbacks: {
      beforeNodeMorphed: (node) => !(node instanceof Element && stays(node)),
      // Dialogs are of scripts, and so is the number of missed changes.
      beforeNodeRemoved: (node) => !(node instanceof Element && node.matches('dialog, #missed *')),
      beforeAttributeUpdated: (name, node) =>
        !(name === 'open' && node.matches('details')) &&
        !(node.id === 'now' && /^(?:role|tabindex|aria-)/.test(name)),
    },
  })
  if (list && document.activeElement === document.body) {
    const left = list.isConnected ? list : main()
    left?.focus({ preventScroll: true })
  }
}

/** Whether an address is of this page, so that it is shown in place. */
function isHere(address: string): boolean {
  const { origin, pathname } = new URL(address, location.href)
  return origin === location.origin && pathname === location.pathname
}

document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement | SVGAElement>('a[href]')
  const isPlain =
    event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
  if (!link || !isPlain || event.defaultPrevented || link.getAttribute('target')) return
  const { href } = new URL(link.getAttribute('href') ?? '', location.href)
  // The browser scrolls to a place in what is shown.
  if (!isHere(href) || (href.includes('#') && isShown(href))) return
  event.preventDefault()
  if (link.closest('.pager')) scrollTo(0, 0)
  void visit(href)
})

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event as SubmitEvent & { target: HTMLFormElement }
  const button = submitter as HTMLButtonElement | null
  const action = button?.getAttribute('formaction') ?? form.action
  const method = button?.getAttribute('formmethod') ?? form.method
  const data = new FormData(form, submitter)
  changed.delete(form)
  if (method === 'get' && isHere(action)) {
    event.preventDefault()
    return void visit(`${action.split('?')[0]}?${textsOf(data)}`)
  }
  if (method === 'post' && comesBack(data, action)) {
    event.preventDefault()
    return void send(action, form.enctype === 'multipart/form-data' ? data : textsOf(data))
  }
  // A form is sent once, however often its button is pressed.
  if (form.dataset['sent']) event.preventDefault()
  form.dataset['sent'] = 'true'
})

/** Whether a form leads back to this page: it says so, or is sent to its address or one below it. */
function comesBack(data: FormData, action: string): boolean {
  const back = data.get('back')
  if (typeof back === 'string') return isHere(back)
  const within = `${location.pathname.replace(/\/$/, '')}/`
  return isHere(action) || new URL(action, location.href).pathname.startsWith(within)
}

/** Fields as a query; of a file, its name. */
function textsOf(data: FormData): URLSearchParams {
  return new URLSearchParams(
    [...data].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]),
  )
}

addEventListener('popstate', () => {
  if (isShown(location.href)) return
  changed.clear()
  void visit(location.href, false)
})
addEventListener('pageshow', () => {
  isSending = false
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sent]'))
    delete form.dataset['sent']
})
document.addEventListener('input', ({ target }) => {
  const form = (target as Element).closest('form')
  if (form) changed.add(form)
})
/** The address has what is chosen beside a preview, so that both are shown again when somebody comes back. */
document.addEventListener('change', ({ target }) => {
  const form = (target as Element).closest<HTMLFormElement>('form[data-preview]')
  if (form) showsNow(`${form.dataset['preview']}?${textsOf(new FormData(form))}`)
})

/** Gives what is shown another address. */
function showsNow(address: string): void {
  history.replaceState(history.state, '', address)
  shown = location.href.split('#')[0]
}

showsNow(withoutNotice(new URL(location.href)))
