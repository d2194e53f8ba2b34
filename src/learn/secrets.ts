/**
 * The secrets of a recording, before anything of it is kept: each becomes a word that stands for it alone, so that it is
 * still seen which token is sent where.
 */
import { jsonIn } from '../contracts/json.ts'
import { isSecretName, maskedBody, maskedTarget } from '../http/masking.ts'
import { masked } from '../surface/refusals.ts'

/** What was masked without a word of its own, so that it cannot be told from others. */
export const MASKED_ALIKE = '[masked]'

const word = /^masked-\d+$/

/** The shortest secret that is also masked where nothing names it: a shorter one may be a common word. */
const SECRET_MIN = 8

/** Headers whose values are kept, but for a credential; of all others a recording of ours has the names. */
const keptHeaders =
  /^(?:authorization|content-type|accept|allow|date|location|retry-after|www-authenticate|sandbox-time|sandbox-id)$/i

export interface Masks {
  /** The value of a header. */
  readonly header: (name: string, value: string) => string
  /** A body, or any other text; what is JSON or a form is masked by the names in it, and else stays as it is written. */
  readonly text: (text: string, mediaType: string | null) => string
  readonly target: (target: string) => string
}

/** Masks for one recording, of which `before` is the text so far: its words are not given again. */
export function masksFor(before = ''): Masks {
  const words = new Map<string, string>()
  let count = Math.max(0, ...[...before.matchAll(/masked-(\d+)/g)].map(([, each]) => Number(each)))
  const wordFor = (secret: string) => {
    if (word.test(secret) || secret === MASKED_ALIKE || secret === '') return secret
    const known = words.get(secret)
    if (known !== undefined) return known
    count += 1
    words.set(secret, `masked-${count}`)
    return `masked-${count}`
  }
  const known = (text: string) =>
    [...words]
      .filter(([secret]) => secret.length >= SECRET_MIN)
      .reduce((rest, [secret, its]) => rest.replaceAll(secret, its), text)
  const within = (name: string, value: unknown): unknown => {
    if (typeof value === 'string') return isSecretName(name) ? wordFor(value) : masked(known(value))
    if (Array.isArray(value)) return value.map((each) => within(name, each))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, within(key, each)]))
  }
  return {
    header: (name, value) => {
      if (!keptHeaders.test(name)) return MASKED_ALIKE
      if (!/^authorization$/i.test(name)) return masked(known(value))
      const [, scheme = '', secret = ''] = /^(\S+ +)?(.*)$/.exec(value) ?? []
      return `${scheme}${wordFor(secret)}`
    },
    text: (text, mediaType) => {
      const json = jsonIn(text)
      if (typeof json === 'object' && json !== null) {
        const shown = JSON.stringify(within('', json))
        return shown === JSON.stringify(json) ? text : shown
      }
      // Whatever else it is, it is hidden as a whole where it may name a secret.
      if (!mediaType?.includes('x-www-form-urlencoded')) return maskedBody(known(text), mediaType)
      const pairs = [...new URLSearchParams(text)]
      const shown = pairs.map(([name, value]): [string, string] => [name, `${within(name, value)}`])
      const isSame = pairs.every(([, value], at) => value === shown[at]?.[1])
      return isSame ? text : new URLSearchParams(shown).toString()
    },
    target: (target) => maskedTarget(known(target)),
  }
}
