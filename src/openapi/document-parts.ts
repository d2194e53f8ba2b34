/** The parts of a document: its operations, and the schemas that something refers to. */
import type { OpenAPIObject, OperationObject } from 'openapi3-ts/oas31'
import { mapValues } from '../surface/schema-book.ts'

/** The document with other operations. */
export function mapOperations<Document extends Pick<OpenAPIObject, 'paths'>>(
  document: Document,
  change: (operation: OperationObject) => OperationObject,
): Document {
  const paths = mapValues(document.paths ?? {}, (item) =>
    mapValues(item as Record<string, unknown>, (each) => change(each as OperationObject)),
  )
  return { ...document, paths }
}

/** The names of the schemas that something refers to, by whatever way. */
export function schemasReached(
  from: unknown,
  schemas: Readonly<Record<string, unknown>>,
): ReadonlySet<string> {
  const found = new Set<string>()
  const look = (text: string) => {
    for (const [, name = ''] of text.matchAll(/#\/components\/schemas\/([\w.-]+)/g)) {
      if (found.has(name)) continue
      found.add(name)
      look(JSON.stringify(schemas[name]))
    }
  }
  look(JSON.stringify(from))
  return found
}

/** The document without the schemas that nothing else in it refers to. */
export function withoutUnused<Document extends Pick<OpenAPIObject, 'components'>>(
  document: Document,
): Document {
  const { components = {}, ...others } = document
  const { schemas = {}, ...otherComponents } = components
  const kept = schemasReached([others, otherComponents], schemas)
  const left = Object.entries(schemas).filter(([name]) => kept.has(name))
  return { ...document, components: { ...otherComponents, schemas: Object.fromEntries(left) } }
}
