/**
 * Follows the requests of the sandbox. The page has the number of the newest request that it shows, so that no change
 * between it and the stream is missed. Where somebody is at work, a button says how many changes are not shown.
 */
import { isAtWork, MISSED, refresh, SHOWN } from './swap.ts'

/** How often a page is loaded again at most. */
const PAUSE_MS = 300
/** When a stream that was refused is opened again. */
const RETRY_MS = 5000

/** The numbers of requests that the page does not show yet. */
let missed: number[] = []
let isWaiting = false
/** The stream is closed while nobody looks: a browser has few connections to one server. */
let stream: EventSource | undefined

/** The address of the stream; null if the page follows nothing. */
function liveSource(): URL | null {
  const { live } = document.body.dataset
  return !live || document.hidden ? null : new URL(live, location.href)
}

/** Loads the page again, soon, and once however much happens until then. */
function refreshSoon(): void {
  if (isWaiting) return
  isWaiting = true
  setTimeout(async () => {
    isWaiting = false
    if (!document.hidden) await refresh()
    showMissed()
    if (missed.length > 0) document.dispatchEvent(new Event(MISSED))
  }, PAUSE_MS)
}

function follow(): void {
  stream?.close()
  stream = undefined
  missed = []
  const wanted = liveSource()
  if (wanted === null) return
  let opened = 0
  const opening = new EventSource(wanted)
  opening.addEventListener('message', ({ lastEventId }) => {
    missed.push(Number(lastEventId))
    forgetShown()
    if (missed.length > 0) refreshSoon()
  })
  opening.addEventListener('open', () => {
    opened += 1
    // After a restart of the server, requests are counted from the first one again.
    if (opened > 1) refreshSoon()
  })
  opening.addEventListener('error', () => {
    // Refused, such as one stream too many: the browser does not try again.
    if (opening.readyState === EventSource.CLOSED && opening === stream)
      setTimeout(follow, RETRY_MS)
  })
  stream = opening
}

/** What a stream reports: changes, or all requests. */
const kindOf = (address: string | URL) => new URL(address).searchParams.get('of')

function forgetShown(): void {
  const after = Number(liveSource()?.searchParams.get('after') ?? 0)
  missed = missed.filter((number) => number > after)
}

/** Says how many changes are not shown: somebody is at work, or the page could not be loaded. */
function showMissed(): void {
  const line = document.getElementById('missed')
  const count = isAtWork() || !isWaiting ? missed.length : 0
  if (count === 0) line?.replaceChildren()
  if (line === null || count === 0) return
  const [button = document.createElement('button')] = line.children
  button.textContent = `${count} ${count === 1 ? 'change' : 'changes'}, show`
  if (!button.isConnected) line.append(button)
}

document.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('#missed button')) void refresh({ anyway: true })
})
document.addEventListener(SHOWN, () => {
  const source = liveSource()
  if ((stream ? kindOf(stream.url) : null) !== (source ? kindOf(source) : null)) follow()
  forgetShown()
  showMissed()
})
document.addEventListener('visibilitychange', () => {
  follow()
  // Meanwhile the server may have been restarted.
  if (!document.hidden) refreshSoon()
})
addEventListener('pagehide', () => stream?.close())
addEventListener('pageshow', ({ persisted }) => {
  follow()
  if (persisted) refreshSoon()
})
// A clock that runs moves without a request, and what other sandboxes answer is in no stream.
setInterval(() => {
  if (document.querySelector('.clock-bar[data-mode=running], [data-again]')) refreshSoon()
}, 2000)
