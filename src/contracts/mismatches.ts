/** The mismatches that the core found, as the report shows them. */
import type { CoreError, CoreMismatch } from './core-result.ts'
import type { Mismatch } from './report/report.ts'
import { leadsToToken, NOT_SHOWN, withoutTokens } from './secrets.ts'

const kinds: Readonly<Record<string, Mismatch['kind']>> = {
  StatusMismatch: 'status',
  HeaderMismatch: 'header',
  BodyMismatch: 'body',
  BodyTypeMismatch: 'body',
}

/** The mismatches of one interaction: the status first, because it often explains the others. */
export function mismatchesOf({ mismatch: { message, mismatches } }: CoreError): Mismatch[] {
  if (message !== undefined) {
    const kind = message.includes('state change') ? 'setup' : 'request'
    return [{ kind, at: '', expected: '', got: '', message }]
  }
  const place = ({ kind, at }: Mismatch) => `${['status', 'header', 'body'].indexOf(kind)} ${at}`
  return mismatches
    .map(mismatchOf)
    .sort((one, other) => place(one).localeCompare(place(other), 'en'))
}

function mismatchOf({ type, mismatch, path, key, expected, actual }: CoreMismatch): Mismatch {
  const at = key ?? path ?? ''
  const got = actual ?? ''
  const token = leadsToToken(at) ? got.replace(/^"|"$/g, '') : ''
  return {
    kind: kinds[type] ?? 'request',
    at,
    expected: expected ?? '',
    got: token === '' ? withoutTokens(got) : NOT_SHOWN,
    message: token === '' ? withoutTokens(mismatch) : mismatch.replaceAll(token, NOT_SHOWN),
  }
}
