/**
 * Writes the documents that are served, in every form, and the catalogue of errors, to the folder `openapi` of a build, and
 * the fixtures as they are read. The build runs it.
 */
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { controlRoutes } from '../src/http/control/routes.ts'
import { controlDocument } from '../src/openapi/control.ts'
import { documentText, toForm } from '../src/openapi/derive-form.ts'
import { documentFile, documentFormats, documentForms, surfaces } from '../src/openapi/forms.ts'
import { v1Document } from '../src/openapi/v1.ts'
import { packageRoot, VERSION } from '../src/version.ts'
import { cataloguePage } from './errors/catalogue.ts'
import { shippedFixtures } from './shipped-fixtures.ts'

const build = process.argv[2] as string
const folder = join(build, 'openapi')
const closed = { v1: v1Document(VERSION), control: controlDocument(controlRoutes, VERSION) }

await mkdir(folder, { recursive: true })
const workflows = 'workflows.arazzo.yaml'
await copyFile(new URL(`src/openapi/${workflows}`, packageRoot), join(folder, workflows))
for (const surface of surfaces) {
  for (const form of documentForms) {
    const document = toForm(surface, closed[surface], form)
    for (const format of documentFormats) {
      const file = join(folder, documentFile(surface, form, format))
      await writeFile(file, gzipSync(documentText(document, format)))
    }
  }
}
await writeFile(join(folder, 'errors.html'), cataloguePage())
await writeFile(join(build, 'fixtures.json'), JSON.stringify([...(await shippedFixtures())]))
