/** Serves OpenAPI documents: as JSON and YAML, in 3.1 and, for tools that do not read it yet, in 3.0. */
import type { OpenAPIObject } from 'openapi3-ts/oas31'
import * as z from 'zod'
import { downConvert } from '../openapi/down-convert.ts'
import { type Route, route } from '../surface/operation.ts'

const query = z.strictObject({
  version: z
    .enum(['3.0', '3.1'])
    .default('3.1')
    .meta({ accepts: '3.0 or 3.1', description: 'The version of OpenAPI to write it in.' }),
})

const shared = {
  method: 'get',
  tag: 'Documents',
  description: 'The document that describes a surface, made from what is served.',
  source: 'sandbox',
  security: 'none',
  query,
  refusals: [],
} as const

type Path = `/${string}.${'json' | 'yaml'}`

/**
 * The routes that serve a document, as JSON or YAML by the end of the path. The document is drawn when it is first asked
 * for, since drawing it would be most of the start.
 */
export function documentRoutes(
  paths: readonly Path[],
  draw: () => Promise<OpenAPIObject>,
): Route[] {
  const versions = once(async () => {
    const document = await draw()
    return { '3.1': document, '3.0': downConvert(document) }
  })
  return paths.map((path) => (path.endsWith('.yaml') ? yaml(path, versions) : json(path, versions)))
}

type Versions = () => Promise<Readonly<Record<'3.0' | '3.1', object>>>

function json(path: Path, versions: Versions): Route {
  return route({
    ...shared,
    operationId: `get${nameOf(path)}`,
    path,
    summary: 'Get the document as JSON',
    replies: { 200: { description: 'The document.', schema: z.unknown(), source: 'sandbox' } },
    answer: async ({ query, c }) => c.json((await versions())[query.version]),
  })
}

function yaml(path: Path, versions: Versions): Route {
  const texts = new Map<string, string>()
  return route({
    ...shared,
    operationId: `get${nameOf(path)}`,
    path,
    summary: 'Get the document as YAML',
    replies: {
      200: {
        description: 'The document.',
        schema: z.string(),
        mediaType: 'application/yaml',
        source: 'sandbox',
      },
    },
    answer: async ({ query: { version }, c }) => {
      // Loaded when it is needed: a start without it is shorter.
      const { asYaml } = await import('../openapi/yaml.ts')
      const text = texts.get(version) ?? asYaml((await versions())[version])
      texts.set(version, text)
      return c.body(text, 200, { 'Content-Type': 'application/yaml' })
    },
  })
}

/** Makes a value when it is first asked for, and answers the same one ever after. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | null = null
  return () => (made ??= make())
}

/** `/sandbox/openapi.json` becomes `SandboxOpenapiJson`. */
function nameOf(path: Path): string {
  return path
    .split(/[/.]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')
}
