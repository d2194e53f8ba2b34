/** Comparing pacts with the document of /v1: what the command line and the server share. */
import { readFileSync } from 'node:fs'
import { type Compare, comparison } from '../../contracts/compare.ts'
import { type Operations, operationsOf } from '../../contracts/operations.ts'
import { v1Document } from '../../openapi/v1.ts'
import { packageRoot, VERSION } from '../../version.ts'

export interface Comparing {
  readonly operations: Operations
  /** Loaded and compiled with the first pact that is compared. */
  readonly compare: Compare
}

/** Prepares comparing with the document of /v1. */
export function comparing(): Comparing {
  const document = v1Document(VERSION)
  const yaml = () => readFileSync(new URL('openapi.yaml', packageRoot), 'utf8')
  let compare: Promise<Compare> | null = null
  return {
    operations: operationsOf(document, yaml),
    compare: async (pact) => {
      compare ??= comparison(document)
      return (await compare)(pact)
    },
  }
}
