/** The version of this product, as package.json states it, and the folder that it is installed in. */
import { readFileSync } from 'node:fs'

/** The folder that holds package.json, fixtures and openapi.yaml, from src/ and dist/ alike. */
export const packageRoot = new URL('../', import.meta.url)

/** The version of this product. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('package.json', packageRoot), 'utf8'),
).version
