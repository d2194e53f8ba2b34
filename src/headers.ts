/** Names of headers that both sides of the wire write. */

/** A separate header: on the control plane, Authorization names a sandbox by its key. */
export const CONTROL_TOKEN_HEADER = 'Sandbox-Control-Token'

/** The header with the token, for calls of the control plane. */
export function tokenHeader(token: string | null): Readonly<Record<string, string>> {
  return token === null ? {} : { [CONTROL_TOKEN_HEADER]: token }
}
