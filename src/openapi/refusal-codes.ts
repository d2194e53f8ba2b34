/** Which codes an operation can refuse with: those that it declares, and those that go without saying. */
import type { Declaration } from '../surface/operation.ts'
import { type Code, codeTable } from '../wire/common/error-codes.ts'

/** Every code that can be answered to a request that has reached this operation. */
export function refusalCodesOf(declared: Declaration): ReadonlySet<Code> {
  const { path, method, security, body, refusals = [], storeFailures } = declared
  const codes = new Set<Code>(['invalid_request'])
  // Whatever a call below /sandbox is about, its key may be none, and the sandbox that it names may not exist.
  const findsSandbox = path === '/sandbox' || path.startsWith('/sandbox/')
  // The control plane may ask for its token.
  const asks = security !== 'none' || findsSandbox || path.startsWith('/sandboxes')
  if (asks) codes.add('unauthorized')
  for (const code of refusals) codes.add(code)
  if (findsSandbox) codes.add('not_found')
  // The control plane is loaded at its first call.
  if (findsSandbox || path.startsWith('/sandboxes')) codes.add('unavailable')
  if (method !== 'get') {
    codes.add('payload_too_large').add(body?.foreignMedia ?? 'unsupported_media_type')
  }
  codes.add('internal')
  for (const code of storeFailures ?? (['storage_damaged', 'storage_unavailable'] as const)) {
    codes.add(code)
  }
  return codes
}

/** Codes, each once, in the order of the table. */
export function inTableOrder(codes: readonly Code[]): Code[] {
  return (Object.keys(codeTable) as Code[]).filter((code) => codes.includes(code))
}
