/**
 * Serves the OpenAPI documents: as JSON and YAML, in 3.1 and, for tools that do not read it yet, in 3.0. The build has
 * drawn them, because drawing one takes a third of a second, for which every other call would wait.
 */
import { readFile } from 'node:fs/promises'
import type { Context } from 'hono'
import * as z from 'zod'
import { hostOf } from '../http/guard.ts'
import { USUAL_ADDRESS } from '../openapi/common.ts'
import { type Route, route } from '../surface/operation.ts'
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

/** No document describes these operations. */
function declared(operationId: string, path: `/${string}`) {
  const replies = { 200: { description: 'It.', schema: z.unknown(), source: 'sandbox' } } as const
  const words = { tag: 'Documents', summary: path, description: path, source: 'sandbox' }
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
