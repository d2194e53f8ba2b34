/**
 * The stamp on every answer: which sandbox gave it, at what virtual time, in answer to which request, and what it
 * leans on. Owns which sandbox a request belongs to before anybody has proved who they are.
 */
import type { Context, MiddlewareHandler } from 'hono'
import type { Registry } from '../sandbox/registry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { VERSION } from '../version.ts'
import { assumptionsOf } from './assumptions.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The sandbox that the request belongs to; the default one until authentication says otherwise. */
    sandbox: Sandbox
    /** The answer that was made with the stamp on it; absent where none was. */
    stamped: Response
  }
}

type HeaderFields = Record<string, string>

/** Stamps every answer that was not made with the stamp on it; mount it before everything else. */
export function stamp(registry: Registry): MiddlewareHandler {
  return async (c, next) => {
    c.set('sandbox', registry.default)
    await next()
    if (c.get('stamped') === c.res) return
    for (const [name, value] of Object.entries(stampOf(c))) c.res.headers.set(name, value)
  }
}

/**
 * Makes an answer with the stamp on it. Its headers are one plain object, because the server writes such an object as
 * it is; a `Headers` that anybody touches afterwards has to be built, sorted and taken apart again for each answer.
 */
export function stamped(
  c: Context,
  text: string | null,
  { status, headers }: { readonly status: number; readonly headers: HeaderFields },
): Response {
  const answer = new Response(text, { status, headers: { ...headers, ...stampOf(c) } })
  c.set('stamped', answer)
  return answer
}

function stampOf(c: Context): HeaderFields {
  const leaned = assumptionsOf(c)
  const fields: HeaderFields = leaned === null ? {} : { 'Sandbox-Assumptions': leaned }
  // Operations can be served without any sandbox.
  const sandbox = c.get('sandbox') as Sandbox | undefined
  if (sandbox === undefined) return fields
  fields['Request-Id'] = requestIdOf(c)
  fields['Sandbox-Id'] = sandbox.id
  fields['Sandbox-Time'] = sandbox.now()
  fields['Sandbox-Version'] = VERSION
  return fields
}

/** The id of the request, counted by its sandbox when it is first asked for. */
export function requestIdOf(c: Context): string {
  const known = c.get('requestId') as string | undefined
  if (known !== undefined) return known
  const requestId = c.get('sandbox').nextRequestId()
  c.set('requestId', requestId)
  return requestId
}
