/** A client of the documented surface: sends forms with an API key, as the interface's examples do. */
import type { Answer, Shop } from './control.ts'
import { formType } from './surface.ts'

/** The key of the default sandbox. */
const apiKey = 'sk_sandbox_default'

/** Posts a form to a documented path. */
export function submit<Body = Record<string, unknown>>(
  shop: Shop,
  path: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Answer<Body>> {
  const bytes = new URLSearchParams(fields).toString()
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': formType }
  return shop.call<Body>('POST', path, { headers, ...(bytes === '' ? {} : { bytes }) })
}

/** Refreshes as the interface shows it: the token in the header and in the body. */
export function refresh<Body = Record<string, unknown>>(
  shop: Shop,
  token: string,
  json: unknown = { refresh_token: token },
): Promise<Answer<Body>> {
  return shop.call<Body>('POST', '/v1/auth/refresh', {
    json,
    headers: { Authorization: `Bearer ${token}` },
  })
}
