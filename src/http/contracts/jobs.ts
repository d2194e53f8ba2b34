/**
 * The jobs of the worker for pacts: parsing, checking, and preparing them for the store. Owns the bounds on a pact and on
 * its findings; `run-job.ts` starts and ends the worker.
 */
import { isUnreadable, type PactFile, readPact } from '../../contracts/pacts/pact-file.ts'
import { pactReport } from '../../contracts/report/build.ts'
import { type ReadyPact, storedPact } from '../../provider/pact-text.ts'
import { validate } from '../../surface/field-errors.ts'
import { invalidField, invalidFields, RefusalError } from '../../surface/refusals.ts'
import { ContractsPublish, PactDocument, ResultIn } from '../../wire/pacts/pact.ts'
import type { WireCheck, WireFinding } from '../../wire/pacts/pact-check.ts'
import { readJsonObject } from '../request/body.ts'
import { type Comparer, createComparer } from './comparing.ts'
import { assertParties, assertText, type Parties } from './parties.ts'

/** The most interactions and messages of one pact: a check of so many takes some seconds. */
const INTERACTIONS_MAX = 20_000

/** The most findings that one answer lists. */
const FINDINGS_MAX = 100

/** The most characters of one text in a finding. */
const TEXT_MAX = 1000

/** A pact that can be stored. */
interface CheckedPact extends Parties, ReadyPact {
  readonly check: WireCheck
}

/** The jobs of the worker, by name. Each throws `RefusalError` where its body is refused. */
export const contractJobs = {
  check: async (bytes: Uint8Array) => {
    const { pact, interactions } = await readDocument(bytes)
    if (!isUnreadable(pact)) return { ...(await comparePact(pact, FINDINGS_MAX)), interactions }
    const findings = pact.map(({ message }) => findingOf(message))
    return { ok: false, ...limitFindings(findings, FINDINGS_MAX), interactions }
  },
  publish: async (bytes: Uint8Array): Promise<CheckedPact> => {
    const { document, pact } = await readUsable(bytes)
    const { consumer, provider } = pact
    const check = await comparePact(pact, FINDINGS_MAX)
    return { consumer, provider, ...storedPact(document), check }
  },
  publishAll: async (bytes: Uint8Array) => {
    const body = validate(ContractsPublish, await readJsonObject(bytes)) as ContractsPublish
    const findingsMax = Math.ceil(FINDINGS_MAX / body.contracts.length)
    const { pacticipantName: pacticipant, pacticipantVersionNumber: version } = body
    const pacts: (CheckedPact & { readonly version: string })[] = []
    for (const [index, contract] of body.contracts.entries()) {
      const field = `contracts[${index}]`
      const { document, pact } = await readContent(contract.content, `${field}.content`)
      const { consumerName: consumer, providerName: provider } = contract
      assertText(`${field}.consumerName`, consumer, pacticipant)
      assertParties(pact, { consumer, provider }, `${field}.content: `)
      const check = await comparePact(pact, findingsMax)
      pacts.push({ consumer, provider, version, ...storedPact(document), check })
    }
    const marks = { branches: body.branch == null ? [] : [body.branch], tags: body.tags ?? [] }
    return { pacts, pacticipant, version, marks }
  },
  /** What is stored of a result: those of the interactions may be long, and are left out. */
  readResult: async (bytes: Uint8Array) => {
    const result = validate(ResultIn, await readJsonObject(bytes)) as ResultIn
    const { success, providerApplicationVersion: providerVersion, verifiedBy } = result
    const verifier = [verifiedBy?.implementation, verifiedBy?.version].filter(Boolean).join(' ')
    return { success, providerVersion, verifiedBy: verifier || null }
  },
} as const

export type ContractJobs = typeof contractJobs

/** Reads a pact, as a document and as a pact file or its problems. Throws 400 for what is no pact. */
async function readDocument(bytes: Uint8Array) {
  const document = validate(PactDocument, await readJsonObject(bytes)) as PactDocument
  const interactions = countOf(document)
  // Whether it is UTF-8 was checked when it was parsed; a mark of the byte order is left out there too.
  return { document, interactions, pact: readPact('pact', new TextDecoder().decode(bytes)) }
}

/** The same. Throws 400 if it cannot be used. */
async function readUsable(bytes: Uint8Array) {
  const { document, pact } = await readDocument(bytes)
  if (isUnreadable(pact)) {
    throw invalidFields(
      pact.map(({ field = 'body', message }) => ({ field: cut(field), message: cut(message) })),
    )
  }
  return { document, pact }
}

/** Reads a pact in base64 from a field of a body. Throws 400 that names the field if it cannot be used. */
async function readContent(content: string, field: string) {
  try {
    return await readUsable(Buffer.from(content, 'base64'))
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    const why = error.message.replace(/^The body /, 'it ')
    throw invalidFields([{ field, message: `${field} holds no pact that can be used: ${why}` }])
  }
}

/** The number of interactions and messages. Throws 400 if there are too many. */
function countOf(document: Readonly<Record<string, unknown>>): number {
  let count = 0
  for (const field of ['interactions', 'messages']) {
    const list = document[field]
    const length = Array.isArray(list) ? list.length : 0
    if (length > INTERACTIONS_MAX) {
      const rule = `must be a list of at most ${INTERACTIONS_MAX}; got one of ${length}`
      throw invalidField(field, rule)
    }
    count += length
  }
  return count
}

let known: Comparer | null = null

/** Compares a pact with the documented surface; errors say that the client does not fit. */
async function comparePact(pact: PactFile, findingsMax: number): Promise<WireCheck> {
  known ??= createComparer()
  const findings = await known.compareWithStates(pact)
  const { operations } = known
  const report = pactReport(pact, { operations, findings, verified: null, base: null })
  const found = report.interactions.flatMap(({ description: interaction, operation, findings }) =>
    findings.map(({ severity, path, message }) => {
      const { name = null, line = null } = operation ?? {}
      return { severity, interaction, path, message, operation: name, openapi_line: line }
    }),
  )
  const nothing = report.result === 'empty' ? [findingOf('The pact holds no interaction.')] : []
  return {
    ok: report.result === 'passed',
    ...limitFindings([...nothing, ...found], findingsMax),
  }
}

/** The first findings, with long texts cut. */
function limitFindings(findings: readonly WireFinding[], max: number) {
  const shown = findings.slice(0, max).map((each) => ({
    ...each,
    ...{ interaction: cut(each.interaction), path: cut(each.path), message: cut(each.message) },
  }))
  return { findings: shown, more_findings: findings.length - shown.length }
}

function cut<Text extends string | null>(text: Text): Text | string {
  return text !== null && text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text
}

function findingOf(message: string): WireFinding {
  const nowhere = { operation: null, openapi_line: null }
  return { severity: 'error', interaction: null, path: null, message, ...nowhere }
}
