/** `openapi`: prints the OpenAPI document of /v1 without starting anything. */
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { packageRoot } from '../version.ts'
import { readOptions } from './usage.ts'

/** Prints the document as YAML, or as JSON with `--json`. */
export async function openapi(args: string[]): Promise<void> {
  const options = readOptions(args, { json: { type: 'boolean', default: false } })
  const yaml = await readFile(new URL('openapi.yaml', packageRoot), 'utf8')
  process.stdout.write(options.json ? `${JSON.stringify(parse(yaml), null, 2)}\n` : yaml)
}
