/** What a place of the OpenAPI document rests on: sections of the interface, or assumptions. */
import type { OpenApi } from './operations.ts'

type Node = Readonly<Record<string, unknown>>

/** What the document holds at a place; undefined where it holds nothing. */
export function valueAt(document: OpenApi, location = ''): unknown {
  const root = document as unknown as Node
  return stepsOf(location).reduce<unknown>((node, step) => {
    if (typeof node !== 'object' || node === null) return undefined
    // Behind a reference, the comparator goes on with the path from the root.
    return resolved(root, node as Node)[step] ?? (step === 'components' ? root[step] : undefined)
  }, root)
}

/** The extension that names it, nearest to the place that the comparator wrote down. */
export function basisAt(document: OpenApi, location = ''): string[] {
  const root = document as unknown as Node
  let nearest = ''
  const steps = stepsOf(location)
  for (let length = 1; length <= steps.length; length += 1) {
    const value = valueAt(document, steps.slice(0, length).join('.'))
    if (typeof value !== 'object' || value === null) break
    nearest = String(resolved(root, value as Node)['x-interface'] ?? nearest)
  }
  return nearest.split(/, */).filter((name) => name !== '')
}

/** The basis of all answers of the same class (2xx, 4xx): for a status that the document does not define. */
export function basisOfStatus(document: OpenApi, responses = '', status: unknown = 0): string[] {
  const declared = Object(valueAt(document, responses))
  const alike = Object.keys(declared).filter((each) => each[0] === String(status)[0])
  return [...new Set(alike.flatMap((each) => basisAt(document, `${responses}.${each}`)))]
}

/** A basis in words. */
export function basisText(basis: readonly string[]): string {
  const sections = basis.filter((name) => /^\d/.test(name))
  const slugs = basis.filter((name) => !/^\d/.test(name)).map((slug) => `\`${slug}\``)
  const texts = [
    ...(sections.length === 0 ? [] : [`documented in section ${sections.join(', ')}`]),
    ...(slugs.length === 0 ? [] : [`assumed: ${slugs.join(', ')}`]),
  ]
  return texts.length === 0 ? '' : ` (${texts.join('; ')})`
}

function stepsOf(location: string): string[] {
  return location.replace(/^\[root\]\./, '').split('.')
}

function resolved(root: Node, node: Node): Node {
  const reference = node['$ref']
  if (typeof reference !== 'string') return node
  const steps = reference.replace(/^#\//, '').split('/')
  return steps.reduce<Node>((at, step) => (at[step.replace('~1', '/')] ?? {}) as Node, root)
}
