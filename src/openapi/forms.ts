/**
 * The forms in which a document is served and printed: JSON or YAML, OpenAPI 3.1 or 3.0, open or closed, with every media
 * type or with JSON alone. The build draws all of them, because drawing one takes a third of a second, for which every
 * other call would wait.
 */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import * as z from 'zod'
import { buildFolder } from '../version.ts'
import { Flag } from '../wire/common/fields.ts'

export const surfaces = ['v1', 'control'] as const
export type DocumentSurface = (typeof surfaces)[number]

export const documentFormats = ['json', 'yaml'] as const
export type DocumentFormat = (typeof documentFormats)[number]

/** What a reader of a document chooses. */
export const DocumentForm = z.strictObject({
  version: z
    .enum(['3.0', '3.1'])
    .default('3.1')
    .meta({ accepts: '3.0 or 3.1', description: 'The version of OpenAPI to write it in.' }),
  media: z.enum(['all', 'json']).default('all').meta({
    accepts: 'all or json',
    description: 'Whether bodies have all media types, or JSON alone.',
  }),
  closed: Flag.default(false).describe(
    'Whether it lists all that the sandbox answers today, and nothing else: for verifiers, not for clients.',
  ),
})
export type DocumentForm = z.infer<typeof DocumentForm>

/** Every form of a document. */
export const documentForms: readonly DocumentForm[] = (['3.1', '3.0'] as const).flatMap((version) =>
  (['all', 'json'] as const).flatMap((media) =>
    [false, true].map((closed) => ({ version, media, closed })),
  ),
)

/** The name of the file, compressed by gzip, that the build writes a form into. */
export function documentFile(
  surface: DocumentSurface,
  { version, media, closed }: DocumentForm,
  format: DocumentFormat,
): string {
  const parts = [
    surface,
    version,
    ...(media === 'json' ? ['json'] : []),
    ...(closed ? ['closed'] : []),
  ]
  return `${parts.join('-')}.${format}.gz`
}

/** A document in one form, as the build has drawn it. */
export async function readDocument(
  surface: DocumentSurface,
  form: DocumentForm,
  format: DocumentFormat,
): Promise<string> {
  const file = new URL(`openapi/${documentFile(surface, form, format)}`, buildFolder)
  return (await promisify(gunzip)(await readFile(file))).toString()
}

/** The closed form in which our own tools read a document. */
export const closedForm: DocumentForm = { version: '3.1', media: 'all', closed: true }
