/**
 * What a server serves beside both surfaces, and no document describes: its health, and the OpenAPI documents, as JSON
 * and YAML, in 3.1 and, for tools that do not read it yet, in 3.0. The build has drawn them, because drawing one takes a
 * third of a second, for which every other call would wait.
 */
import { readFile } from 'node:fs/promises'
import type { Context } from 'hono'
import * as z from 'zod'
import { refuse } from '../billing/refusal.ts'
import { hostOf } from '../http/guard.ts'
import { USUAL_ADDRESS } from '../openapi/common.ts'
import type { Registry } from '../sandbox/registry.ts'
import { ok, type Route, route } from '../surface/operation.ts'
import { refusalFor } from '../surface/refusals.ts'
import { buildFolder, packageRoot } from '../version.ts'

const query = z.strictObject({
  version: z
    .enum(['3.0', '3.1'])
    .default('3.1')
    .meta({ accepts: '3.0 or 3.1', description: 'The version of OpenAPI to write it in.' }),
})

/** The routes that serve the documents. */
export const documentRoutes: readonly Route[] = [
  openapi('getOpenapiJson', '/openapi.json', 'v1'),
  openapi('getOpenapiYaml', '/openapi.yaml', 'v1'),
  openapi('getSandboxOpenapiJson', '/sandbox/openapi.json', 'control'),
  route({
    ...declared('getFixtureSchema', '/fixture.schema.json'),
    answer: async ({ c }) =>
      c.body(await readFile(new URL('fixtures/fixture.schema.json', packageRoot), 'utf8'), 200, {
        'Content-Type': 'application/schema+json',
      }),
  }),
  route({
    ...declared('getLlmsText', '/llms.txt'),
    answer: ({ c }) => answered(c, new URL('llms.txt', packageRoot), 'text/plain; charset=utf-8'),
  }),
]

/** One that describes a surface, drawn by the build in every version. It names the address that it was asked at. */
function openapi(operationId: string, path: `/${string}`, surface: 'v1' | 'control'): Route {
  const format = path.endsWith('.yaml') ? 'yaml' : 'json'
  return route({
    ...declared(operationId, path),
    query,
    answer: ({ query: { version }, c }) => {
      const drawn = new URL(`openapi/${surface}-${version}.${format}`, buildFolder)
      return answered(c, drawn, `application/${format}`)
    },
  })
}

/**
 * `/health/live`: whether the process runs. `/health/ready`: whether every sandbox is loaded, which it is once the
 * process listens, and the disk takes changes.
 */
export function healthRoutes(registry: Pick<Registry, 'storeFailure'>): readonly Route[] {
  return [
    route({ ...declared('getLiveness', '/health/live'), answer: () => ok({ status: 'live' }) }),
    route({
      ...declared('getReadiness', '/health/ready'),
      answer: async () => {
        const failure = await registry.storeFailure()
        if (failure === null) return ok({ status: 'ready' })
        throw refusalFor(refuse('storage_unavailable', `No change can be stored: ${failure}.`))
      },
    }),
  ]
}

function declared(operationId: string, path: `/${string}`) {
  const replies = { 200: { description: 'It.', schema: z.unknown(), source: 'sandbox' } } as const
  const words = { tag: 'Server', summary: path, description: path, source: 'sandbox' }
  const read = { method: 'get', security: 'none', refusals: [] } as const
  return { ...read, ...words, operationId, path, replies }
}

/** Shared by all apps of a process: the documents depend on none of them. */
const texts = new Map<string, Promise<string>>()

async function answered(c: Context, file: URL, mediaType: string): Promise<Response> {
  const text = texts.get(file.href) ?? readFile(file, 'utf8')
  texts.set(file.href, text)
  // The guard has looked at the host, so that it holds nothing that would need escaping.
  const served = (await text).replaceAll(USUAL_ADDRESS, `http://${hostOf(c)}`)
  return c.body(served, 200, { 'Content-Type': mediaType })
}
