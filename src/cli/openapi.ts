/** `openapi`: prints the OpenAPI document of /v1 without starting anything. */
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { packageRoot } from '../version.ts'
import { type Configure, examplesText } from './usage.ts'

export const openapiCommand: Configure = (command) => {
  command
    .option('--json', 'print JSON, not YAML')
    .addHelpText('after', examplesText('openapi > openapi.yaml', 'openapi --json'))
    .action(print)
}

async function print(options: { readonly json?: boolean }): Promise<void> {
  const yaml = await readFile(new URL('openapi.yaml', packageRoot), 'utf8')
  process.stdout.write(options.json ? `${JSON.stringify(parse(yaml), null, 2)}\n` : yaml)
}
