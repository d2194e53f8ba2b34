/** What the document of /v1 states that answers rest on, to be held against what their headers say. */
import { expect } from 'vitest'
import { v1Document } from '../../src/openapi/v1.ts'
import type { Declaration } from '../../src/surface/operation.ts'
import { VERSION } from '../../src/version.ts'

type Node = Readonly<Record<string, unknown>>

const document = v1Document(VERSION) as unknown as Node

export interface Stated {
  /** What every such answer rests on. */
  readonly always: ReadonlySet<string>
  /** What some of them do. */
  readonly own: ReadonlySet<string>
  /** What some answers of the operation rest on, whatever they are: by its credentials and its request. */
  readonly whole: ReadonlySet<string>
}

/** The assumptions at an operation, its credentials, its request and one of its answers: a success, or a code. */
export function statedAt({ path, method }: Declaration, code: string | null): Stated {
  const operation = at(document, 'paths', path, method)
  const responses = Object.entries(operation['responses'] as Node)
    .filter(([status]) => status !== 'default')
    .map(([status, response]) => ({ status, response: resolved(response as Node) }))
  const found = responses.find(({ status, response }) =>
    code === null ? status < '400' : code in at(response, 'x-error-codes'),
  )
  if (found === undefined) throw new Error(`${method} ${path} does not state ${code}`)
  const { response } = found
  const always = code === null ? response['x-interface'] : at(response, 'x-error-codes')[code]
  const schemes = (operation['security'] as Node[]).flatMap((each) => Object.keys(each))
  const whole = [
    operation['x-interface-sometimes'],
    ...schemes.map(
      (name) => at(document, 'components', 'securitySchemes', name)['x-interface-sometimes'],
    ),
    ...sourcesIn(operation['requestBody']),
  ]
  const own =
    code === null
      ? response['x-interface-sometimes']
      : at(response, 'x-error-codes-sometimes')[code]
  return { always: slugsOf([always]), own: slugsOf([own]), whole: slugsOf(whole) }
}

/** What an answer says that it rests on. */
export function restsOn({ headers }: { readonly headers: Headers }): ReadonlySet<string> {
  return slugsOf([headers.get('Sandbox-Assumptions')])
}

/** Fails where the header of an answer says anything that the document does not, or leaves out what it always says. */
export function checkStated(
  declared: Declaration,
  answer: { readonly headers: Headers; readonly code: string | null },
): void {
  const { always, own, whole } = statedAt(declared, answer.code)
  const said = restsOn(answer)
  const about = `of ${declared.operationId} answering ${answer.code ?? 'what was asked'}`
  const stated = new Set([...always, ...own, ...whole])
  const unstated = [...said].filter((slug) => !stated.has(slug))
  expect(unstated, `Slugs in the header alone, ${about}`).toEqual([])
  const unsaid = [...always].filter((slug) => !said.has(slug))
  expect(unsaid, `Slugs in the document alone, ${about}`).toEqual([])
}

/** Everything below a node that says where something comes from. */
function sourcesIn(node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(resolved(node as Node)).flatMap(([key, value]) => {
    if (key === 'x-interface-enum') return Object.values(value as Node)
    return key.startsWith('x-interface') ? [value] : sourcesIn(value)
  })
}

/** The slugs in texts that list them, without sections of the interface and what is the sandbox's own. */
function slugsOf(texts: readonly unknown[]): ReadonlySet<string> {
  const words = texts.flatMap((text) => (typeof text === 'string' ? text.split(', ') : []))
  return new Set(words.filter((word) => !/^([1-9]|sandbox|)$/.test(word)))
}

function resolved(node: Node): Node {
  const { $ref } = node
  return typeof $ref === 'string' ? at(document, ...$ref.slice(2).split('/')) : node
}

function at(node: Node, ...path: readonly string[]): Node {
  return path.reduce((inner, step) => (inner[step] ?? {}) as Node, node)
}
