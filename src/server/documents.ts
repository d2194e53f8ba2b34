/**
 * What a server serves beside both surfaces, and no document describes: its health, the OpenAPI documents in each form,
 * and where to find them.
 */
import { readFile } from 'node:fs/promises'
import type { Context } from 'hono'
import * as z from 'zod'
import { answerFile } from '../dashboard/assets.ts'
import { hostOf } from '../http/guard.ts'
import { USUAL_ADDRESS } from '../openapi/common.ts'
import { DocumentForm, type DocumentSurface, readDocument } from '../openapi/forms.ts'
import type { Registry } from '../sandbox/registry.ts'
import { ok, type Route, route } from '../surface/operation.ts'
import { RefusalError } from '../surface/refusals.ts'
import { buildFolder, packageRoot } from '../version.ts'

/** The routes that serve the documents. */
export const documentRoutes: readonly Route[] = [
  openapi('getOpenapiJson', '/openapi.json', 'v1'),
  openapi('getOpenapiYaml', '/openapi.yaml', 'v1'),
  openapi('getSandboxOpenapiJson', '/sandbox/openapi.json', 'control'),
  openapi('getSandboxOpenapiYaml', '/sandbox/openapi.yaml', 'control'),
  route({
    ...declareGet('getApiCatalog', '/.well-known/api-catalog'),
    answer: ({ c }) => serveText(c, async () => apiCatalog, 'application/linkset+json'),
  }),
  file(
    '/fixture.schema.json',
    'application/schema+json',
    new URL('fixtures/fixture.schema.json', packageRoot),
  ),
  file(
    '/workflows.arazzo.yaml',
    'application/yaml',
    new URL('openapi/workflows.arazzo.yaml', buildFolder),
  ),
  file('/llms.txt', 'text/plain; charset=utf-8', new URL('llms.txt', packageRoot)),
]

/** One that describes a surface, drawn by the build in every form. It names the address that it was asked at. */
function openapi(operationId: string, path: `/${string}`, surface: DocumentSurface): Route {
  const format = path.endsWith('.yaml') ? 'yaml' : 'json'
  return route({
    ...declareGet(operationId, path),
    query: DocumentForm,
    answer: ({ query: form, c }) => {
      const drawn = () => readDocument(surface, form, format)
      return serveText(c, drawn, `application/${format}`)
    },
  })
}

/** One that is a file. It names the address that it was asked at. */
function file(path: `/${string}`, mediaType: string, at: URL): Route {
  return route({
    ...declareGet(`get ${path}`, path),
    answer: ({ c }) => serveText(c, () => readFile(at, 'utf8'), mediaType),
  })
}

/** `/health/live`: whether the process runs. `/health/ready`: whether it listens and the disk takes changes. */
export function healthRoutes(registry: Pick<Registry, 'storeFailure'>): readonly Route[] {
  return [
    route({ ...declareGet('getLiveness', '/health/live'), answer: () => ok({ status: 'live' }) }),
    route({
      ...declareGet('getReadiness', '/health/ready'),
      answer: async () => {
        const failure = await registry.storeFailure()
        if (failure === null) return ok({ status: 'ready' })
        throw new RefusalError('storage_unavailable', `No change can be stored: ${failure}.`)
      },
    }),
  ]
}

function declareGet(operationId: string, path: `/${string}`) {
  const replies = {
    200: { description: 'The answer.', schema: z.unknown(), source: 'sandbox' },
  } as const
  const words = { tag: 'Server', summary: path, description: path, source: 'sandbox' }
  const read = { method: 'get', security: 'none', refusals: [] } as const
  return { ...read, ...words, operationId, path, replies }
}

/** What there is to read on each surface. (RFC 9727, RFC 9264) */
const apiCatalog = JSON.stringify({
  linkset: [catalogEntry('/v1', ''), catalogEntry('/sandbox', '/sandbox')],
})

function catalogEntry(surface: string, below: string) {
  const at = (path: string, type: string) => ({ href: `${USUAL_ADDRESS}${path}`, type })
  return {
    anchor: `${USUAL_ADDRESS}${surface}`,
    'service-desc': [
      at(`${below}/openapi.json`, 'application/json'),
      at(`${below}/openapi.yaml`, 'application/yaml'),
    ],
    'service-doc': [at('/docs', 'text/html'), at('/workflows.arazzo.yaml', 'application/yaml')],
    status: [at('/health/ready', 'application/json')],
  }
}

/** A text, with the address that it was asked at. */
export async function serveText(
  c: Context,
  read: () => Promise<string>,
  mediaType: string,
): Promise<Response> {
  // The guard has looked at the host, so that it holds nothing that would need escaping.
  const served = (await read()).replaceAll(USUAL_ADDRESS, `http://${hostOf(c)}`)
  return answerFile(c, served, { 'Content-Type': mediaType })
}
