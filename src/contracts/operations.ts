/** The operations of an OpenAPI document: which one a request is for, and on which line of openapi.yaml it stands. */
import { LineCounter, parseDocument } from 'yaml'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** What is read of an OpenAPI document. */
export interface OpenApi {
  readonly paths?: Readonly<Record<string, object>>
}

export interface Operation {
  /** Method and path, as the document has it. */
  readonly name: string
  readonly line: number
}

export interface Operations {
  /** The operation that a request is for; null where there is none. */
  readonly find: (method: string, path: string) => Operation | null
}

/** The operations of a document; `yaml` is its text, which is asked for when a line is. */
export function operationsOf({ paths = {} }: OpenApi, yaml: () => string): Operations {
  const declared = Object.entries(paths).flatMap(([path, item]) => {
    return Object.keys(item)
      .filter((key) => methods.includes(key))
      .map((method) => ({ method, path, pattern: patternOf(path) }))
  })
  // Reading a document with positions takes longer than comparing a pact, so it is done when something is wrong.
  let lineOf: ReturnType<typeof positionsIn> | null = null
  return {
    find: (asked, askedPath) => {
      const found = declared.find(({ method, pattern }) => {
        return method === asked.toLowerCase() && pattern.test(askedPath)
      })
      if (found === undefined) return null
      lineOf ??= positionsIn(yaml())
      const { method, path } = found
      return { name: `${method.toUpperCase()} ${path}`, line: lineOf(method, path) }
    },
  }
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^/]+')}$`)
}

function positionsIn(text: string): (method: string, path: string) => number {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter })
  return (method, path) => {
    const operation = document.getIn(['paths', path, method], true) as { range?: [number] }
    // The range is that of the value, which begins on the line after its key.
    const [offset] = operation.range ?? [0]
    return lineCounter.linePos(offset).line - 1
  }
}
