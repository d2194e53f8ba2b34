/** Names of headers that both sides of the wire write. */

/** A separate header: on the control plane, Authorization names a sandbox by its key. */
export const CONTROL_TOKEN_HEADER = 'Sandbox-Control-Token'
