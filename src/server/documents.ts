/**
 * Serves the OpenAPI documents: as JSON and YAML, in 3.1 and, for tools that do not read it yet, in 3.0. The build has
 * drawn them, because drawing one takes a third of a second, for which every other call would wait.
 */
import { readFile } from 'node:fs/promises'
import type { Context } from 'hono'
import * as z from 'zod'
import { hostOf } from '../http/host.ts'
import { USUAL_ADDRESS } from '../openapi/common.ts'
import { type Route, route } from '../surface/operation.ts'
import { buildFolder, packageRoot } from '../version.ts'
import { NoFields } from '../wire/fields.ts'

const query = z.strictObject({
  version: z
    .enum(['3.0', '3.1'])
    .default('3.1')
    .meta({ accepts: '3.0 or 3.1', description: 'The version of OpenAPI to write it in.' }),
})

const shared = {
  method: 'get',
  tag: 'Documents',
  description: 'The document that describes a surface. It names the address that it was asked at.',
  source: 'sandbox',
  security: 'none',
  query,
  refusals: [],
} as const

/** The routes that serve the documents. */
export const documentRoutes: readonly Route[] = [
  route({
    ...shared,
    operationId: 'getOpenapiJson',
    path: '/openapi.json',
    summary: 'Get the document as JSON',
    replies: { 200: { description: 'The document.', schema: z.unknown(), source: 'sandbox' } },
    answer: ({ query: { version }, c }) =>
      answered(c, drawn(`v1-${version}.json`), 'application/json'),
  }),
  route({
    ...shared,
    operationId: 'getOpenapiYaml',
    path: '/openapi.yaml',
    summary: 'Get the document as YAML',
    replies: {
      200: {
        description: 'The document.',
        schema: z.string(),
        mediaType: 'application/yaml',
        source: 'sandbox',
      },
    },
    answer: ({ query: { version }, c }) =>
      answered(c, drawn(`v1-${version}.yaml`), 'application/yaml'),
  }),
  route({
    ...shared,
    operationId: 'getSandboxOpenapiJson',
    path: '/sandbox/openapi.json',
    summary: 'Get the document of the control plane as JSON',
    replies: { 200: { description: 'The document.', schema: z.unknown(), source: 'sandbox' } },
    answer: ({ query: { version }, c }) =>
      answered(c, drawn(`control-${version}.json`), 'application/json'),
  }),
  route({
    ...shared,
    query: NoFields,
    operationId: 'getFixtureSchema',
    path: '/fixture.schema.json',
    summary: 'Get the JSON Schema of fixtures',
    description: 'For the completion of editors: it says what a fixture can have.',
    replies: { 200: { description: 'The schema.', schema: z.unknown(), source: 'sandbox' } },
    answer: async ({ c }) =>
      c.body(await readFile(new URL('fixtures/fixture.schema.json', packageRoot), 'utf8'), 200, {
        'Content-Type': 'application/schema+json',
      }),
  }),
  route({
    operationId: 'getLlmsText',
    method: 'get',
    path: '/llms.txt',
    tag: 'Documents',
    summary: 'Get what a language model should know',
    description: 'What the sandbox is, and where to read on.',
    source: 'sandbox',
    security: 'none',
    refusals: [],
    replies: {
      200: { description: 'Text.', schema: z.string(), mediaType: 'text/plain', source: 'sandbox' },
    },
    answer: ({ c }) => answered(c, new URL('llms.txt', packageRoot), 'text/plain; charset=utf-8'),
  }),
]

/** Shared by all apps of a process: the documents depend on none of them. */
const texts = new Map<string, Promise<string>>()

/** A document that the build has drawn. */
function drawn(file: string): URL {
  return new URL(`openapi/${file}`, buildFolder)
}

async function answered(c: Context, file: URL, mediaType: string): Promise<Response> {
  const text = texts.get(file.href) ?? readFile(file, 'utf8')
  texts.set(file.href, text)
  // The guard has looked at the host, so that it holds nothing that would need escaping.
  const served = (await text).replaceAll(USUAL_ADDRESS, `http://${hostOf(c)}`)
  return c.body(served, 200, { 'Content-Type': mediaType })
}
