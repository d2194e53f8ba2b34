/** A client of the refresh operation. */
import { jsonOf } from './answer.ts'

/** What a refresh answers; a new refresh token is optional. */
export interface Tokens {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token?: string
}

/** What a refresh sends where that differs from what the interface asks for. */
export interface Deviation {
  /** The whole header; null sends none. */
  readonly authorization?: string | null
  readonly body?: unknown
}

/** Exchanges a refresh token, in the header and in the body, for a new access token. */
export async function refresh(
  baseUrl: string,
  refreshToken: string,
  { authorization = `Bearer ${refreshToken}`, body }: Deviation = {},
): Promise<Tokens> {
  const answer = await fetch(`${baseUrl}/v1/auth/refresh`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(authorization === null ? {} : { Authorization: authorization }),
    },
    body: JSON.stringify(body ?? { refresh_token: refreshToken }),
  })
  return jsonOf<Tokens>(answer)
}
