/**
 * The secrets of a recording, before anything of it is kept: each becomes a word that stands for it alone, so that it is
 * still seen which token is sent where.
 */
import { MASK, maskBody, maskTarget, maskText, type Words } from '../masking/mask.ts'

const word = /^masked-\d+$/

/** The shortest secret that is also masked where nothing names it: a shorter one may be a common word. */
const SECRET_MIN = 8

/** Headers whose values are kept, but for a credential; of all others a recording of ours has the names. */
const keptHeaders =
  /^(?:authorization|idempotency-key|content-type|accept|allow|date|location|retry-after|www-authenticate|sandbox-time|sandbox-id)$/i

export type Masks = ReturnType<typeof masksFor>

/** Masks for one recording, of which `before` is the text so far: its words are not given again. */
export function masksFor(before = '') {
  const known = new Map<string, string>()
  // By their first characters, the longest first: so a long recording with many secrets is read once.
  const lengths = new Map<string, readonly number[]>()
  let count = Math.max(0, ...[...before.matchAll(/masked-(\d+)/g)].map(([, each]) => Number(each)))
  const words: Words = {
    forSecret: (value) => {
      const secret = String(value)
      if (word.test(secret) || secret === MASK || secret === '') return value
      if (!known.has(secret)) {
        // A number becomes another one: a service refuses it as it refuses what was sent.
        count += secret === `${count + 1}` ? 2 : 1
        known.set(secret, `masked-${count}`)
        const start = secret.slice(0, SECRET_MIN)
        const all = new Set(lengths.get(start)).add(secret.length)
        const longestFirst = [...all].sort((one, other) => other - one)
        lengths.set(start, longestFirst)
      }
      const its = `${known.get(secret)}`
      return typeof value === 'number' ? Number(its.replace('masked-', '')) : its
    },
    inText: (text) => {
      let [shown, from] = ['', 0]
      for (let at = 0; at + SECRET_MIN <= text.length; at += 1) {
        const possible = lengths.get(text.slice(at, at + SECRET_MIN)) ?? []
        const length = possible.find((each) => known.has(text.slice(at, at + each)))
        if (at < from || length === undefined) continue
        shown += `${text.slice(from, at)}${known.get(text.slice(at, at + length))}`
        from = at + length
      }
      return shown + text.slice(from)
    },
  }
  return {
    /** The value of a header. */
    header: (name: string, value: string) => {
      if (!keptHeaders.test(name)) return MASK
      if (!/^(?:authorization|idempotency-key)$/i.test(name)) return maskText(value, words)
      const [, scheme = '', secret = ''] = /^(\S+ +)?(.*)$/.exec(value) ?? []
      return `${scheme}${words.forSecret(secret)}`
    },
    /** A body, or any other text; what is JSON or a form is masked by the names in it, and else stays as it is written. */
    text: (text: string, mediaType: string | null) => maskBody(text, mediaType, words),
    target: (target: string) => maskTarget(words.inText(target)),
  }
}
