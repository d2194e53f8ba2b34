/** Comparing pacts with the document of /v1: what the command line and the server share. */
import { readFileSync } from 'node:fs'
import { type Compare, comparison } from '../../contracts/compare.ts'
import { type Operations, operationsOf } from '../../contracts/operations.ts'
import { v1Document } from '../../openapi/v1.ts'
import { packageRoot, VERSION } from '../../version.ts'
import { ownHeaderFindings, stateFindings } from './own-findings.ts'

export interface Comparing {
  readonly operations: Operations
  /** Loaded and compiled with the first pact that is compared. */
  readonly compare: Compare
  /** The same, and whether the catalogue has the states: for who does not set them up. */
  readonly compareWithStates: Compare
}

/** Prepares comparing with the document of /v1. */
export function comparing(): Comparing {
  const document = v1Document(VERSION)
  const yaml = () => readFileSync(new URL('openapi.yaml', packageRoot), 'utf8')
  let comparator: Promise<Compare> | null = null
  const compare: Compare = async (pact) => {
    comparator ??= comparison(document)
    const found = await (await comparator)(pact)
    return pact.interactions.map((interaction, position) => [
      ...(found[position] ?? []),
      ...ownHeaderFindings(pact, interaction),
    ])
  }
  return {
    operations: operationsOf(document, yaml),
    compare,
    compareWithStates: async (pact) => {
      const found = await compare(pact)
      return pact.interactions.map((interaction, position) => [
        ...(found[position] ?? []),
        ...stateFindings(pact, interaction),
      ])
    },
  }
}
