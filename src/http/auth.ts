/**
 * Authentication: which sandbox a key or token opens. Subscription calls take an API key or a live access token;
 * the control plane takes no secret, and finds its sandbox by header or key. (Interface section 5)
 */
import type { Context } from 'hono'
import { acceptsAccessToken, sandboxOfToken } from '../sandbox/commands/tokens.ts'
import type { Registry } from '../sandbox/registry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { leanOn } from './assumptions.ts'
import { granted, RefusalError } from './errors.ts'
import { printValue } from './field-errors.ts'
import type { Declaration } from './operation.ts'

const bearer = /^Bearer +([\x21-\x7e]+)$/i
const keyShape = /^sk_sandbox_([a-z0-9][a-z0-9-]{0,62})(?:_([a-z0-9]+))?$/

/** What stands behind `Bearer` in the Authorization header; null where nothing does. */
export function bearerOf(c: Context): string | null {
  return bearer.exec(c.req.header('authorization') ?? '')?.[1] ?? null
}

/** Finds the sandbox of a call on /v1, or throws `unauthorized`. */
export function authenticateClient(registry: Registry) {
  return (c: Context, operation: Declaration): void | Promise<void> => {
    const credential = bearerOf(c)
    if (credential === null) throw missing(operation)
    const enter = (sandbox: Sandbox | null) => {
      if (sandbox === null) throw unknown(credential)
      c.set('sandbox', sandbox)
    }
    const sandbox =
      operation.security === 'refresh_token'
        ? ownerOf(registry, credential, c)
        : opened(registry, credential, c)
    return sandbox instanceof Promise ? sandbox.then(enter) : enter(sandbox)
  }
}

/** Finds the sandbox of a call on the control plane: the one named, else that of the key, else the default one. */
export function findSandbox(registry: Registry) {
  return async (c: Context): Promise<void> => {
    const named = c.req.header('sandbox-id')
    const sandbox =
      named === undefined ? await ofKey(registry, bearerOf(c)) : await found(registry, named)
    if (sandbox === null) {
      throw new RefusalError(
        'not_found',
        `Sandbox-Id ${printValue(named)} is no sandbox here; the id of one that GET /sandboxes lists would be accepted.`,
      )
    }
    c.set('sandbox', sandbox)
  }
}

/**
 * A refresh token's own checks come after the body's, so that only its sandbox is looked for here. A contract may have
 * chosen a text that says nothing of its sandbox; then whoever replays it can name that in a header.
 */
async function ownerOf(registry: Registry, token: string, c: Context): Promise<Sandbox> {
  const owner = await found(registry, sandboxOfToken(token) ?? '')
  return owner ?? (await found(registry, c.req.header('sandbox-id') ?? '')) ?? registry.default
}

/** At once for the key of a sandbox that was asked for before, as nearly every call has one. */
function opened(
  registry: Registry,
  credential: string,
  c: Context,
): Sandbox | null | Promise<Sandbox | null> {
  const [, keyOwner, suffix = ''] = keyShape.exec(credential) ?? []
  if (keyOwner === undefined) return holderOf(registry, credential, c)
  const withKey = (sandbox: Sandbox | null) => (sandbox?.hasKey(suffix) ? sandbox : null)
  const sandbox = found(registry, keyOwner)
  return sandbox instanceof Promise ? sandbox.then(withKey) : withKey(sandbox)
}

/** The sandbox that an access token opens; null where it is not live. */
async function holderOf(registry: Registry, token: string, c: Context): Promise<Sandbox | null> {
  const sandbox = await found(registry, sandboxOfToken(token) ?? '')
  const isLive = await sandbox?.read((world) => acceptsAccessToken(world, token))
  if (sandbox === null || !isLive) return null
  leanOn(c, ['access-tokens-on-subscription-calls', 'key-and-token-scopes'])
  return sandbox
}

async function ofKey(registry: Registry, credential: string | null): Promise<Sandbox> {
  const owner = keyShape.exec(credential ?? '')?.[1] ?? ''
  return (await found(registry, owner)) ?? registry.default
}

/** The sandbox of an id; throws where what is kept of it is damaged. */
function found(registry: Registry, sandboxId: string): Sandbox | null | Promise<Sandbox | null> {
  const sandbox = registry.find(sandboxId)
  return sandbox instanceof Promise ? sandbox.then(granted<Sandbox | null>) : sandbox
}

function missing({ security }: Declaration): RefusalError {
  const secret = security === 'refresh_token' ? 'REFRESH_TOKEN' : 'API_KEY'
  return new RefusalError(
    'unauthorized',
    `The Authorization header is missing or not of the form "Bearer <${secret}>", which would be accepted.`,
  )
}

/** A key is never repeated, and one that may be real least of all. */
function unknown(credential: string): RefusalError {
  return new RefusalError(
    'unauthorized',
    /live/i.test(credential)
      ? 'The Authorization header carries what looks like a live key. This is a sandbox: never send it one; a key such as sk_sandbox_default would be accepted.'
      : 'The Authorization header carries a key or token that is unknown, expired or revoked; the API key of a sandbox, such as sk_sandbox_default, would be accepted.',
  )
}
