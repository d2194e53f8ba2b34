/** The version of this product, as package.json states it, the folder that it is installed in, and that of its build. */
import { existsSync, readFileSync } from 'node:fs'

/** The name of the build that this is in; a build puts it here. */
declare const BUILD: string

/** The folder that holds package.json, fixtures and openapi.yaml: above src/, and above wherever a build puts this. */
export const packageRoot = rootAbove(new URL('.', import.meta.url))

/** The folder of the build that runs, which later builds leave alone; from src, that of the newest. */
export const buildFolder = new URL(
  `dist/${typeof BUILD === 'undefined' ? 'current' : BUILD}/`,
  packageRoot,
)

/** The version of this product. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('package.json', packageRoot), 'utf8'),
).version

function rootAbove(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder
  return rootAbove(new URL('..', folder))
}
