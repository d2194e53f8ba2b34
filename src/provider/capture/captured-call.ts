/** One call of /v1, for a pact: whole, with its secrets, and the world before it; and its request, masked for the pact. */
import { jsonIn } from '../../contracts/common/json.ts'
import { headerIn, pairsOf } from '../../contracts/replay/exchange-recorder.ts'
import { maskBody, maskTarget } from '../../masking/mask.ts'
import { v1Operations } from '../../operations/v1.ts'
import type { RequestLogEntry } from '../../sandbox/request-log.ts'
import type { World } from '../../world/world.ts'

/** A call and its answer, as they were. */
export interface CapturedCall extends RequestLogEntry {
  readonly body: Uint8Array | null
  readonly answer: string | null
  /** A fork of the world before it; null where its credential named no sandbox. */
  readonly before: World | null
}

export type OnCall = (call: CapturedCall) => void

/** What a call asks for. */
export type CallInput = NonNullable<ReturnType<typeof askedBy>>

type Fields = Readonly<Record<string, unknown>>

/** What a call asks for; null where the interface has no such operation. */
export function askedBy({ operationId, method, target, headers, body }: CapturedCall) {
  const operation = v1Operations.find((each) => each.operationId === operationId)?.operationId
  if (operation === undefined) return null
  const pairs = pairsOf(headers)
  const [path = ''] = target.split('?')
  const [, query = ''] = maskTarget(target).split('?')
  const sent = Buffer.from(body ?? '').toString()
  const contentType = headerIn(pairs, 'content-type')
  const isForm = /^application\/x-www-form-urlencoded/i.test(contentType ?? '')
  const text = sent === '' ? '' : maskBody(sent, contentType)
  const fieldsIn = (body: string) => {
    const value = isForm ? Object.fromEntries(new URLSearchParams(body)) : jsonIn(body)
    return typeof value === 'object' && !Array.isArray(value) ? (value as Fields | null) : null
  }
  const credentials = headerIn(pairs, 'authorization')?.match(
    /^(basic\b|bearer\b|\S+(?= ))? *(.*)$/i,
  )
  return {
    ...{ operation, method, path, contentType, isForm },
    /** Without secrets; a body is empty without one, and then without a type. */
    ...{ query, text },
    subscriptionId: operation === 'refreshToken' ? '' : (path.split('/')[ID_AT] ?? ''),
    accept: headerIn(pairs, 'accept'),
    /** The scheme, empty without one, and the credential; null without the header. */
    authorization: credentials ? ([credentials[1] ?? '', credentials[2] ?? ''] as const) : null,
    /** The fields of the body; null where it is neither a form nor an object. */
    fields: fieldsIn(sent),
    /** The same without secrets. */
    shown: fieldsIn(text),
  }
}

/** The segment of a path that names the subscription. */
export const ID_AT = 3

/** A field of the body that is a text; empty where it is not. */
export function textIn({ fields }: CallInput, name: string): string {
  const value = fields?.[name]
  return typeof value === 'string' ? value : ''
}
