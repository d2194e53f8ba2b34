/** The generators of a pact that put values of its states into a request. */

import type { Finding } from '../common/report-shape.ts'
import type { PactFile, PactInteraction } from '../pacts/pact-file.ts'
import { findingAt } from './compare.ts'

type Path = readonly (string | number)[]

/** Warnings about generators that name a value that no state of the interaction answered: the core sends the example. */
export function unknownValues(
  pact: PactFile,
  { index, written }: PactInteraction,
  values: Readonly<Record<string, unknown>>,
): Finding[] {
  const { generators } = Object(written.request) as { generators?: unknown }
  const path = ['interactions', index, 'request', 'generators']
  return expressionsIn(generators, path).flatMap(({ at, expression }) => {
    const names = [...expression.matchAll(/\$\{([^}]*)\}/g)].map(([, name = '']) => name)
    const unknown = (names.length === 0 ? [expression] : names).filter(
      (name) => !Object.hasOwn(values, name),
    )
    if (unknown.length === 0) return []
    const known = Object.keys(values).join(', ') || 'nothing'
    const message = `The generator asks for ${unknown.join(', ')}, which no state answered, so that the value of the example was sent; the states answered ${known}.`
    return findingAt(pact, at, { severity: 'warning', code: 'generator.unknown', message })
  })
}

function expressionsIn(node: unknown, at: Path): { at: Path; expression: string }[] {
  if (typeof node !== 'object' || node === null) return []
  const { type, expression } = node as { type?: unknown; expression?: unknown }
  if (type === 'ProviderState' && typeof expression === 'string') return [{ at, expression }]
  return Object.entries(node).flatMap(([key, inner]) => expressionsIn(inner, [...at, key]))
}
