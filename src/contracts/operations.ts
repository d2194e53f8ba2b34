/** The operations of an OpenAPI document: which one a request is for, and its line in openapi.yaml. */

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
  /** The operation that a request is for; null if the document has none. */
  readonly find: (method: string, path: string) => Operation | null
}

/** The operations of a document; `yaml` reads its text when a line is first needed. */
export function operationsOf({ paths = {} }: OpenApi, yaml: () => string): Operations {
  const declared = Object.entries(paths).flatMap(([path, item]) => {
    return Object.keys(item)
      .filter((key) => methods.includes(key))
      .map((method) => ({ method, path, pattern: patternOf(path) }))
  })
  let lines: readonly string[] | null = null
  return {
    find: (asked, askedPath) => {
      const found = declared.find(({ method, pattern }) => {
        return method === asked.toLowerCase() && pattern.test(askedPath)
      })
      if (found === undefined) return null
      lines ??= yaml().split('\n')
      const { method, path } = found
      return { name: `${method.toUpperCase()} ${path}`, line: lineOf(lines, method, path) }
    },
  }
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^/]+')}$`)
}

/** Found by indentation: parsing YAML with positions takes longer than comparing a pact. */
function lineOf(lines: readonly string[], method: string, path: string): number {
  const at = lines.indexOf(`  ${path}:`)
  return at === -1 ? 1 : lines.indexOf(`    ${method}:`, at) + 1
}
