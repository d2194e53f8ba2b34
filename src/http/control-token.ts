/**
 * The control token: who may use the control plane of a server that was started with one. Owns how it is sent and
 * compared; it is never printed.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { CONTROL_TOKEN_HEADER } from '../headers.ts'
import { hideSecret } from '../masking/looks.ts'
import { RefusalError } from '../surface/refusals.ts'
import { digestOf } from '../world/commands/tokens.ts'

/** Refuses calls without the token. A server without a token refuses no call. */
export function guardToken(token: string | null): (c: Context) => void {
  if (token === null) return () => undefined
  hideSecret(token)
  // Digests are equally long, whatever was sent.
  const wanted = digestOf(token)
  const isWanted = (sent: string) => timingSafeEqual(digestOf(sent), wanted)
  return (c) => {
    const sent = c.req.header(CONTROL_TOKEN_HEADER)
    if (sent !== undefined ? isWanted(sent) : tokensInAuthorization(c).some(isWanted)) {
      c.set('hasTokenInAuthorization', sent === undefined)
      return
    }
    throw new RefusalError(
      'unauthorized',
      `${CONTROL_TOKEN_HEADER} is ${sent === undefined ? 'missing' : 'wrong'}; it must be the control token that this server was started with. A tool that cannot send this header can send the token in Authorization: as Bearer, or as the password of Basic.`,
      // A browser asks for a password where it is asked for Basic, which a call of a script should not cause.
      /^\/dashboard(?:\/|$)/.test(c.req.path)
        ? { headers: { 'WWW-Authenticate': 'Basic realm="subscription-sandbox"' } }
        : {},
    )
  }
}

/** What may be the token in Authorization: verifiers of pacts cannot send our header, and neither can an address bar. */
function tokensInAuthorization(c: Context): string[] {
  const [, scheme = '', credentials = ''] =
    /^(bearer|basic) +([\x21-\x7e]+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return [credentials]
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? []
  return password === undefined ? [] : [password]
}
