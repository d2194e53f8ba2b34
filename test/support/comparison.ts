/** Comparing a pact of one interaction with the document of /v1. */
import { createComparison } from '../../src/contracts/comparison/compare.ts'
import { v1Document } from '../../src/openapi/v1.ts'
import { create, creates, pactOf } from './pacts.ts'

export const document = v1Document('0.1.0') as Parameters<typeof createComparison>[0]
export const compare = await createComparison(document)
export const json = { 'Content-Type': 'application/json' }

/** The findings on a pact of one interaction. */
export async function findings(
  interaction: Parameters<typeof pactOf>[0][number],
  version = '3.0.0',
) {
  const pact = pactOf([interaction], { metadata: { pactSpecification: { version } } })
  const [found = []] = await compare(pact)
  const lines = pact.text.split('\n')
  return found.map((finding) => ({ ...finding, at: lines[finding.line - 1]?.trim() }))
}

/** An interaction that asks for something else than `create`. */
export const asks = (request: object) => {
  return creates('breaks', { status: 200 }, { request: { ...create, ...request } })
}
export const answers = (parts: object) =>
  creates('breaks', { status: 200, headers: json, ...parts })
