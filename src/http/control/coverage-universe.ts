/** What there is to be covered of the documented surface: all of it follows from declarations, so that nothing can be forgotten. */
import { assumptions, settingAssumptions } from '../../assumptions/register.ts'
import { transitions } from '../../billing/status.ts'
import { refusalCodesOf } from '../../openapi/refusal-codes.ts'
import { v1Document } from '../../openapi/v1.ts'
import { v1Operations } from '../../operations/v1.ts'
import { type Declaration, mediaTypes } from '../../surface/operation.ts'
import { VERSION } from '../../version.ts'
import type { Measure } from '../../wire/coverage.ts'
import { type Code, codeTable } from '../../wire/errors.ts'

/** The units of every measure, by key. */
type Universe = Readonly<Record<Measure, readonly string[]>>

/** No client can bring these about: its sandbox fails. */
const failures: readonly Code[] = ['internal', 'storage_damaged', 'storage_unavailable']

/** The documented surface. */
export const operations: readonly Declaration[] = v1Operations

let once: Universe | null = null

/** What every measure counts. */
export function universe(): Universe {
  once ??= {
    operations: operations.map(({ operationId }) => operationId),
    statuses: operations.flatMap((each) =>
      statusesOf(each).map((status) => `${each.operationId} ${status}`),
    ),
    media: operations.flatMap((each) =>
      mediaOf(each).map((media) => `${each.operationId} ${media}`),
    ),
    error_codes: codes(),
    transitions,
    settings: [...settingAssumptions.map(({ slug }) => slug.replaceAll('-', '_')), 'vary'],
    assumptions: statedAssumptions(),
  }
  return once
}

function statusesOf(declared: Declaration): number[] {
  const refused = clientCodesOf(declared).map((code) => codeTable[code].status)
  const statuses = new Set([...Object.keys(declared.replies).map(Number), ...refused])
  return [...statuses].sort((one, other) => one - other)
}

/** An operation without a body, or that can do without one, is also asked without. */
function mediaOf({ body }: Declaration): string[] {
  const media = Object.keys(mediaTypes).filter((each) => body?.media.some((one) => one === each))
  return body?.required ? media : [...media, 'none']
}

function codes(): Code[] {
  const found = new Set<Code>([...operations.flatMap(clientCodesOf), 'method_not_allowed'])
  return (Object.keys(codeTable) as Code[]).filter((code) => found.has(code))
}

function clientCodesOf(declared: Declaration): Code[] {
  return [...refusalCodesOf(declared)].filter((code) => !failures.includes(code))
}

/** What an answer on /v1 can rest on, as its document states it; the rest of the register shows on the control plane. */
function statedAssumptions(): string[] {
  const stated = new Set<string>()
  collect(v1Document(VERSION), stated)
  return assumptions.map(({ slug }) => slug as string).filter((slug) => stated.has(slug))
}

function collect(node: unknown, stated: Set<string>): void {
  if (typeof node === 'string') for (const word of node.split(', ')) stated.add(word)
  if (typeof node === 'object' && node !== null) {
    for (const inner of Object.values(node)) collect(inner, stated)
  }
}
