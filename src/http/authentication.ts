/**
 * Authentication: which sandbox a key or token opens. Subscription calls take an API key or a live access token; the
 * control plane finds its sandbox by header or key. A base address names the sandbox itself. (Interface section 5)
 */
import type { Context } from 'hono'
import { isRefusal } from '../billing/refusal.ts'
import { DEFAULT_SANDBOX } from '../sandbox/registry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Declaration } from '../surface/operation.ts'
import { orThrow, printValue, RefusalError, toRefusalError } from '../surface/refusals.ts'
import { accessTokenState, sandboxOfToken } from '../world/commands/tokens.ts'
import { addressedId } from './base-address.ts'
import { addAssumptions } from './request/context.ts'
import { undocumentedError } from './request/strict.ts'

const bearer = /^Bearer +([\x21-\x7e]+)$/i
const keyShape = /^sk_sandbox_([a-z0-9][a-z0-9-]{0,62})(?:_([a-z0-9]+))?$/

/** The credential behind `Bearer` in the Authorization header; null without one. */
export function bearerOf(c: Context): string | null {
  return bearer.exec(c.req.header('authorization') ?? '')?.[1] ?? null
}

/** Finds the sandbox of a call on /v1, or throws `unauthorized`; `not_found` where its base address names none. */
export async function authenticateClient(c: Context, { security }: Declaration): Promise<void> {
  const addressed = await addressedSandbox(c)
  const credential = bearerOf(c)
  if (credential === null) throw malformedHeader(security)
  if (addressed !== null) {
    const refusal = otherSandboxError(addressed, credential)
    if (refusal !== null) throw refusal
    if (security === 'refresh_token') return
    // A key or token of this sandbox is checked as on /v1, so that one that is revoked or expired stays so.
    if (ownerNamedIn(credential) === null) {
      if (/(?:^|[^a-z])live(?:[^a-z]|$)/i.test(credential)) throw unknownCredential(credential)
      c.set('hasForeignKey', true)
      return
    }
  }
  const sandbox =
    security === 'refresh_token'
      ? await findByRefreshToken(c, credential)
      : ((await findByKey(c, credential)) ?? (await findByAccessToken(c, credential)))
  if (sandbox === null) throw unknownCredential(credential)
  c.set('sandbox', sandbox)
}

/** Finds the sandbox of a call on the control plane, or throws `not_found` or `unauthorized`. */
export async function authenticateControl(c: Context, { path }: Declaration): Promise<void> {
  // The operations on sandboxes have none: the one that a header names may be the one to be made.
  if (path.startsWith('/sandboxes')) return
  const sandbox = await sandboxFor(c)
  if (sandbox instanceof RefusalError) throw sandbox
  c.set('sandbox', sandbox)
}

/** Finds the sandbox of a request that no operation serves, also by a token; leaves the default one where it names none. */
export async function findSandbox(c: Context): Promise<void> {
  const sandbox = await sandboxFor(c)
  const isNone = sandbox instanceof RefusalError
  const found = isNone ? await sandboxOf(c, sandboxOfToken(bearerOf(c) ?? '') ?? '') : sandbox
  if (found !== null) c.set('sandbox', found)
}

/** The sandbox whose base address a request came to, and which it then belongs to; null at another address. */
async function addressedSandbox(c: Context): Promise<Sandbox | null> {
  const sandboxId = addressedId(c)
  if (sandboxId === null) return null
  const sandbox = await sandboxOf(c, sandboxId)
  if (sandbox === null) {
    const message = `The address names sandbox ${printValue(sandboxId)}, which does not exist; GET /sandboxes lists the sandboxes.`
    throw new RefusalError('not_found', message)
  }
  c.set('sandbox', sandbox)
  return sandbox
}

/** Refuses, at the base address of a sandbox, a key or token that says that it is of another one. */
function otherSandboxError({ id }: Sandbox, credential: string): RefusalError | null {
  const owner = ownerNamedIn(credential)
  if (owner === null || owner === id) return null
  return new RefusalError(
    'unauthorized',
    `This is the base address of sandbox ${printValue(id)}, and the Authorization header carries the key or token of another sandbox; it must carry one of this sandbox, or any text that is no key or token of a sandbox.`,
  )
}

/**
 * The id of the sandbox that a key or token of ours names; null for any other text, and for the key that guides, and so
 * pacts and applications, have.
 */
function ownerNamedIn(credential: string): string | null {
  if (credential === `sk_sandbox_${DEFAULT_SANDBOX}`) return null
  return keyShape.exec(credential)?.[1] ?? sandboxOfToken(credential)
}

/**
 * The sandbox that the base address names, else the one that `Sandbox-Id` names, else that of the key, else the default one.
 * An unknown or malformed key is refused, so that a mistyped one does not reset the default sandbox.
 */
async function sandboxFor(c: Context): Promise<Sandbox | RefusalError> {
  const addressed = await addressedSandbox(c)
  if (addressed !== null) return otherSandboxError(addressed, bearerOf(c) ?? '') ?? addressed
  const named = c.req.header('sandbox-id')
  if (named !== undefined) {
    const found = await c.get('server').registry.find(named)
    if (found !== null) return isRefusal(found) ? toRefusalError(found) : found
    const message = `Sandbox-Id ${printValue(named)} does not exist; GET /sandboxes lists the sandboxes.`
    return new RefusalError('not_found', message)
  }
  const namesNone = c.req.header('authorization') === undefined || c.get('hasTokenInAuthorization')
  if (namesNone) return c.get('server').registry.default
  const credential = bearerOf(c)
  if (credential === null) return malformedHeader('api_key')
  return (await findByKey(c, credential)) ?? unknownCredential(credential)
}

/**
 * A refresh token's own checks come after the body's, so that only its sandbox is looked for here. A contract may have
 * chosen a text that says nothing of its sandbox; then its verifier can name that in a header.
 */
async function findByRefreshToken(c: Context, token: string): Promise<Sandbox> {
  const owner = await sandboxOf(c, sandboxOfToken(token) ?? '')
  return (
    owner ??
    (await sandboxOf(c, c.req.header('sandbox-id') ?? '')) ??
    c.get('server').registry.default
  )
}

async function findByKey(c: Context, credential: string): Promise<Sandbox | null> {
  const [, sandboxId, suffix = ''] = keyShape.exec(credential) ?? []
  if (sandboxId === undefined) return null
  const sandbox = await sandboxOf(c, sandboxId)
  // Whose key it is, is known, so that the refusal of one that is revoked comes from that sandbox.
  if (sandbox !== null) c.set('sandbox', sandbox)
  return sandbox?.hasKey(suffix) ? sandbox : null
}

/** The sandbox of an access token; null where a text names none. It refuses a token that is not live. */
async function findByAccessToken(c: Context, token: string): Promise<Sandbox | null> {
  const sandbox = await sandboxOf(c, sandboxOfToken(token) ?? '')
  if (sandbox === null) return null
  c.set('sandbox', sandbox)
  const state = await sandbox.read((world) => accessTokenState(world, token))
  if (state === 'expired') addAssumptions(c, ['access-token-lifetime'])
  if (state !== 'live') throw unknownCredential(token)
  addAssumptions(c, ['access-tokens-on-subscription-calls', 'key-and-token-scopes'])
  if (sandbox.settings.strict) {
    throw undocumentedError(
      'The Authorization header must carry an API key: the interface shows no access token here',
      'access-tokens-on-subscription-calls',
    )
  }
  if (sandbox.settings.vary.includes('access-tokens-on-subscription-calls')) {
    throw unknownCredential(token)
  }
  return sandbox
}

/** The sandbox of an id; throws where its stored state is damaged. */
function sandboxOf(c: Context, sandboxId: string): Sandbox | null | Promise<Sandbox | null> {
  const sandbox = c.get('server').registry.find(sandboxId)
  return sandbox instanceof Promise ? sandbox.then(orThrow<Sandbox | null>) : sandbox
}

function malformedHeader(security: Declaration['security']): RefusalError {
  const secret = security === 'refresh_token' ? 'REFRESH_TOKEN' : 'API_KEY'
  return new RefusalError(
    'unauthorized',
    `The Authorization header is missing or malformed; it must be "Bearer <${secret}>".`,
  )
}

/**
 * A key is never repeated, and one that may be real least of all. What the id of a sandbox in a key or the random letters of a
 * token spell says nothing.
 */
function unknownCredential(credential: string): RefusalError {
  return new RefusalError(
    'unauthorized',
    /live/i.test(credential) && ownerNamedIn(credential) === null
      ? 'The Authorization header carries what looks like a live key. This is a sandbox: never send it one. Its keys look like sk_sandbox_default.'
      : 'The Authorization header carries a key or token that is unknown, expired or revoked; it must carry the API key of a sandbox, such as sk_sandbox_default.',
  )
}
