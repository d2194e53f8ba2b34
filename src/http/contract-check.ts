/**
 * Comparing a pact with the documented surface, without a call. Loads the comparison when somebody first asks for one;
 * no native code comes with it.
 */
import { readFileSync } from 'node:fs'
import { v1Document } from '../openapi/v1.ts'
import { packageRoot, VERSION } from '../version.ts'
import type { WireCheck, WireFinding } from '../wire/pact.ts'

type Checker = (document: object) => Promise<WireCheck>

let checker: Promise<Checker> | null = null

/** Compares a pact with the documented surface; errors say that the client does not fit. */
export async function checkPact(document: object): Promise<WireCheck> {
  checker ??= makeChecker()
  return (await checker)(document)
}

async function makeChecker(): Promise<Checker> {
  const { comparison } = await import('../contracts/compare.ts')
  const { operationsOf } = await import('../contracts/operations.ts')
  const { isUnreadable, readPact } = await import('../contracts/pact-file.ts')
  const openapi = v1Document(VERSION)
  const compare = await comparison(openapi)
  const text = () => readFileSync(new URL('openapi.yaml', packageRoot), 'utf8')
  const operations = operationsOf(openapi, text)
  return async (document) => {
    const pact = readPact('pact', JSON.stringify(document))
    if (isUnreadable(pact)) return checkOf(pact.map(({ message }) => findingOf(message)))
    const compared = await compare(pact)
    const foreign = pact.foreign.map(({ description, type }) => ({
      ...findingOf(`"${type}" is not HTTP, and nothing here can say whether it fits.`),
      interaction: description,
    }))
    const found = pact.interactions.flatMap(({ description, request }, at) => {
      const operation = operations.find(request.method, request.path)
      return (compared[at] ?? []).map(({ severity, path, message }) => ({
        severity,
        interaction: description,
        path,
        message,
        operation: operation?.name ?? null,
        openapi_line: operation?.line ?? null,
      }))
    })
    const isEmpty = pact.interactions.length + foreign.length === 0
    return checkOf([
      ...(isEmpty ? [findingOf('The pact holds no interaction.')] : []),
      ...foreign,
      ...found,
    ])
  }
}

function findingOf(message: string): WireFinding {
  const nowhere = { interaction: null, path: null, operation: null, openapi_line: null }
  return { severity: 'error', message, ...nowhere }
}

function checkOf(findings: WireFinding[]): WireCheck {
  return { ok: findings.every(({ severity }) => severity !== 'error'), findings }
}
