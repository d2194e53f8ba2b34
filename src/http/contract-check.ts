/**
 * Checking a pact over HTTP: the same report as the command `check` makes, as the wire has it. Loads the comparison when
 * somebody first asks for one; no native code comes with it.
 */
import type { InteractionReport } from '../contracts/report/report.ts'
import type { WireCheck, WireFinding } from '../wire/pact.ts'

type Checker = (document: object) => Promise<WireCheck>

let checker: Promise<Checker> | null = null

/** Compares a pact with the documented surface; errors say that the client does not fit. */
export async function checkPact(document: object): Promise<WireCheck> {
  checker ??= makeChecker()
  return (await checker)(document)
}

async function makeChecker(): Promise<Checker> {
  const { comparing } = await import('./comparing.ts')
  const { isUnreadable, readPact } = await import('../contracts/pact-file.ts')
  const { pactReport } = await import('../contracts/report/build.ts')
  const { operations, compare } = comparing()
  return async (document) => {
    const pact = readPact('pact', JSON.stringify(document))
    if (isUnreadable(pact)) {
      return { ok: false, findings: pact.map(({ message }) => findingOf(message)) }
    }
    const known = { operations, findings: await compare(pact), verified: null, base: null }
    const { result, interactions } = pactReport(pact, known)
    const findings = interactions.flatMap(findingsIn)
    const nothing = result === 'empty' ? [findingOf('The pact holds no interaction.')] : []
    return { ok: result === 'passed', findings: [...nothing, ...findings] }
  }
}

function findingsIn({ description, operation, findings }: InteractionReport): WireFinding[] {
  return findings.map(({ severity, path, message }) => ({
    severity,
    interaction: description,
    path,
    message,
    operation: operation?.name ?? null,
    openapi_line: operation?.line ?? null,
  }))
}

function findingOf(message: string): WireFinding {
  const nowhere = { interaction: null, path: null, operation: null, openapi_line: null }
  return { severity: 'error', message, ...nowhere }
}
