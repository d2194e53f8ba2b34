/** Specmatic sends the examples of a document and compares the answers with its schemas. */
import { writeFileSync } from 'node:fs'
import type { OpenAPIObject, OperationObject, ParameterObject } from 'openapi3-ts/oas31'
import { mapOperations } from '../../src/openapi/document-parts.ts'
import { EXAMPLE_REFRESH_TOKEN } from '../../src/openapi/examples/call.ts'
import { apiKey, bothForms, npmInstall, readDocument, succeeds, type Tool } from './tool.ts'

/** The package of npm holds the program for Java. */
const jar = 'node_modules/specmatic/specmatic.jar'

/** Its query must have a list. */
const leftOut = '/sandbox/broker/matrix'

export const specmatic: Tool = {
  needs: ['java'],
  install: (folder) => [npmInstall(folder, 'specmatic@2.55.1')],
  forms: bothForms,
  passes: async (service) => {
    const document = mapOperations(await readDocument(service), readable)
    writeFileSync(`${service.folder}/document.json`, withMinimum(document))
    console.log(`Not called: ${leftOut}.`)
    return succeeds(
      [
        ...(['java', '-jar', jar, 'test', 'document.json'] as const),
        ...[`--testBaseURL=${service.url}`, '--timeout=60', `--filter=PATH!='${leftOut}'`],
      ],
      service,
      // It takes credentials from variables with the names of the security schemes.
      { apiKey, refreshToken: EXAMPLE_REFRESH_TOKEN, SPECMATIC_DISABLE_TELEMETRY: 'true' },
    )
  },
}

/**
 * It sends each example once for each alternative of `security`, and the second time what was deleted is gone. Of a list
 * with one value in a query it takes the value for the whole, and does not call.
 */
function readable({ security, parameters = [], ...operation }: OperationObject): OperationObject {
  const optional = security?.some((alternative) => Object.keys(alternative).length === 0)
  const kept = (parameters as ParameterObject[]).filter(({ schema }) => {
    return !JSON.stringify(schema).includes('"type":"array"')
  })
  return { ...operation, parameters: kept, ...(!optional && security && { security }) }
}

/** It takes `exclusiveMinimum: 0` of a number for `minimum: 1`. */
function withMinimum(document: OpenAPIObject): string {
  return JSON.stringify(document).replaceAll('"exclusiveMinimum":0', '"minimum":0')
}
