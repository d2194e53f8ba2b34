/** The version of this product, as package.json states it, and the folder that it is installed in. */
import { existsSync, readFileSync } from 'node:fs'

/** The folder that holds package.json, fixtures and openapi.yaml: above src/, and above wherever a build puts this. */
export const packageRoot = rootAbove(new URL('.', import.meta.url))

/** The version of this product. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('package.json', packageRoot), 'utf8'),
).version

function rootAbove(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder
  return rootAbove(new URL('..', folder))
}
