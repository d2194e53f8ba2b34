/**
 * What a secret looks like: its names, what stands between a name and its secret, shapes, and the secrets of this process.
 * Owns masking a text by these alone.
 */

/** Parts of the names of fields and headers with secrets, as a part of a pattern. */
export const SECRET_NAMES =
  'authorization|credential|passw(?:or)?d|passphrase|secret|token|api[-_]?key|private[-_]?key'

/** What is between the name of a secret and the secret in JSON, forms and addresses, as a part of a pattern. */
export const SECRET_FOLLOWS = String.raw`[\w-]*[\\"'\]]*\s*[=:]`

/** Secrets by their look: a JWT, a credential after its scheme, a password in an address, a cookie, an element of XML, a private key. */
export const SECRET_LOOKS = [
  String.raw`(?:(?<![\w-])|(?<=%[0-9a-f]{2}))eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*`,
  String.raw`(?<=\bbearer(?:[\s+]|%20))(?=[\w.~/-]*\d)[\w.~/-]{8,}=*`,
  String.raw`(?<=\bauthorization: ?(?:bearer|basic) )(?![<$]|sk_)[^\s"'\\]+`,
  // A plan may be called basic: what follows it is no identifier and no date.
  String.raw`(?<=\bbasic(?:[\s+]|%20))[a-z0-9+/]{12,}={0,2}(?![\w=-])`,
  String.raw`(?<=\w://[^\s/:@"']*:)[^\s/@"']+(?=@)`,
  String.raw`(?<=(?<![\w.+-])(?!mailto:)[\w.+-]+:)[^\s/:@"']{4,}(?=@\w)`,
  String.raw`(?<=\bcookie: ?)[\w.-]+=[^\r\n"']+`,
  String.raw`(?<=<[\w-]*(?:${SECRET_NAMES})[\w-]*>)[^<]+(?=</)`,
  String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[\w+/=\s\\-]*`,
  `(?<=/(?:${SECRET_NAMES})/)[^\\s/?#"']+`,
].join('|')

/** A secret after its name, of several names the last. A name and a colon in a sentence do not match. */
const named = new RegExp(
  String.raw`((?:${SECRET_NAMES})(?![\w-]*?(?:${SECRET_NAMES}))${SECRET_FOLLOWS})(?:\s*((\\*["'])(?:\3\3)?)[^]*?(?:(?<!\\)\2|$)|\s*[{[][^]*|[^\s"'&;,}]+)`,
  'gi',
)

const secretLook = new RegExp(SECRET_LOOKS, 'gi')

export const secretName = new RegExp(`${SECRET_NAMES}|cookie|session|^(?:x-)?auth$`, 'i')

/** What says only how a token is used, or for how long. */
const openName = /^token_type$|_lifetime$/i

/** Whether a field, a parameter or a header of this name carries a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name) && !openName.test(name)
}

/** Whether a path such as `$.access_token` leads to a secret; the name of a header is one. */
export function leadsToSecret(path: string): boolean {
  return path.split(/[.[\]'"]+/).some(isSecretName)
}

/** The shortest secret of this server that is masked: a shorter one may be a common word. */
const OWN_SECRET_MIN = 8

/** Secrets of this process without a pattern, such as its control token, as they are and as encoded in addresses. */
const ownSecrets = new Set<string>()

/** Masks a secret in every text from now on. */
export function hideSecret(secret: string): void {
  if (secret.length < OWN_SECRET_MIN) return
  ownSecrets.add(secret).add(encodeURIComponent(secret))
}

export function ownSecretsIn(text: string): readonly string[] {
  return [...ownSecrets].filter((secret) => text.includes(secret))
}

export function maskOwnSecrets(text: string): string {
  return ownSecretsIn(text).reduce((rest, secret) => rest.replaceAll(secret, '...'), text)
}

/**
 * Masks keys and tokens that were sent in the wrong place, and values after the name of a secret. Only the one public
 * key is shown. In a path an underscore may be escaped.
 */
export function maskSecrets(message: string): string {
  return maskOwnSecrets(message)
    .replace(/(?<![a-z0-9])sk(?:_|%5f)(?!sandbox_default(?![\w%-]))[\w%-]{4,}/gi, 'sk_...')
    .replace(/whsec(?:_|%5f)[\w+/=%-]{4,}/gi, 'whsec_...')
    .replace(/([ar]t)(?:_|%5f)[a-z0-9-]+(?:_|%5f)[\w%-]{20,}/gi, '$1_...')
    .replace(secretLook, '...')
    .replace(named, '$1...')
}
