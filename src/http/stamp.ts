/**
 * The stamp on every answer: which sandbox gave it, at what virtual time, in answer to which request. Owns which
 * sandbox a request belongs to before anybody has proved who they are.
 */
import type { Context, MiddlewareHandler } from 'hono'
import type { Registry } from '../sandbox/registry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { VERSION } from '../version.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The sandbox that the request belongs to; the default one until authentication says otherwise. */
    sandbox: Sandbox
  }
}

/** Stamps every answer; mount it before everything else. */
export function stamp(registry: Registry): MiddlewareHandler {
  return async (c, next) => {
    c.set('sandbox', registry.default)
    await next()
    const { sandbox } = c.var
    const { headers } = c.res
    headers.set('Request-Id', requestIdOf(c))
    headers.set('Sandbox-Id', sandbox.id)
    headers.set('Sandbox-Time', sandbox.now())
    headers.set('Sandbox-Version', VERSION)
  }
}

/** The id of the request, counted by its sandbox when it is first asked for. */
export function requestIdOf(c: Context): string {
  const known = c.get('requestId') as string | undefined
  if (known !== undefined) return known
  const requestId = c.var.sandbox.nextRequestId()
  c.set('requestId', requestId)
  return requestId
}
