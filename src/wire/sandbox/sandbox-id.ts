/** What identifies a sandbox. No underscore, so that keys and tokens, which carry the identifier, can be taken apart. */
export const sandboxId = {
  pattern: /^[a-z0-9][a-z0-9-]{0,62}$/,
  accepts: '1 to 63 of a-z, 0-9 and -, not beginning with -',
} as const
