/** The operations of an OpenAPI document: which one a request is for, and its line in openapi.yaml. */

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** What is read of an OpenAPI document. */
export interface OpenApi {
  readonly paths?: Readonly<Record<string, object>>
}

export type Operations = ReturnType<typeof operationsOf>

/** The operations of a document; `yaml` reads its text when a line is first needed. */
export function operationsOf({ paths = {} }: OpenApi, yaml: () => string) {
  const declared = Object.entries(paths).flatMap(([path, item]) => {
    const own = Object.keys(item).filter((key) => methods.includes(key))
    return own.map((method) => ({ method, path, pattern: patternOf(path) }))
  })
  let lines: readonly string[] | null = null
  return {
    /** The operation that a request is for: its method and path, and its line. Null if the document has none. */
    find: (asked: string, askedPath: string) => {
      const found = declared.find(({ method, pattern }) => {
        return method === asked.toLowerCase() && pattern.test(askedPath)
      })
      if (found === undefined) return null
      lines ??= yaml().split('\n')
      const { method, path } = found
      // Found by indentation: parsing YAML with positions takes longer than comparing a pact.
      const at = lines.indexOf(`  ${path}:`)
      const line = at === -1 ? 1 : lines.indexOf(`    ${method}:`, at) + 1
      return { name: `${method.toUpperCase()} ${path}`, line }
    },
  }
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^/]+')}$`)
}
