/** Writes the documents that are served, in every version and format, to the folder `openapi` of a build. The build runs it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { controlRoutes } from '../src/http/control/routes.ts'
import { controlDocument } from '../src/openapi/control.ts'
import { asYaml, downConvert } from '../src/openapi/down-convert.ts'
import { v1Document } from '../src/openapi/v1.ts'
import { VERSION } from '../src/version.ts'

const folder = join(process.argv[2] as string, 'openapi')
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
  await writeFile(join(folder, `${name}.json`), JSON.stringify(document))
  // The control plane is served as JSON only.
  if (name.startsWith('v1')) await writeFile(join(folder, `${name}.yaml`), asYaml(document))
}
