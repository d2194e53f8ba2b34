/** Writes the documents that are served, in every version and format, to dist/openapi. The build runs it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { controlRoutes } from '../src/http/control/routes.ts'
import { controlDocument } from '../src/openapi/control.ts'
import { downConvert } from '../src/openapi/down-convert.ts'
import { v1Document } from '../src/openapi/v1.ts'
import { asYaml } from '../src/openapi/yaml.ts'
import { VERSION } from '../src/version.ts'

const folder = new URL('../dist/openapi/', import.meta.url)
const v1 = v1Document(VERSION)
const control = controlDocument(controlRoutes, VERSION)
const versions = [
  ['v1-3.1', v1],
  ['v1-3.0', downConvert(v1)],
  ['control-3.1', control],
  ['control-3.0', downConvert(control)],
] as const

await mkdir(folder, { recursive: true })
for (const [name, document] of versions) {
  await writeFile(new URL(`${name}.json`, folder), JSON.stringify(document))
  // The control plane is served as JSON only.
  if (name.startsWith('v1')) await writeFile(new URL(`${name}.yaml`, folder), asYaml(document))
}
