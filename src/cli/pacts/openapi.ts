/** `openapi`: prints the OpenAPI document of a surface without starting anything. */
import { Option } from 'commander'
import {
  type DocumentForm,
  type DocumentFormat,
  type DocumentSurface,
  documentFormats,
  readDocument,
  surfaces,
} from '../../openapi/forms.ts'
import { addExamples, type Configure } from '../terminal/usage.ts'

type Options = DocumentForm & {
  readonly surface: DocumentSurface
  readonly format: DocumentFormat
  readonly json?: true
}

export const openapiCommand: Configure = (command) => {
  const choice = (flags: string, says: string, [first, ...others]: readonly string[]) =>
    new Option(flags, says).choices([first as string, ...others]).default(first)
  addExamples(
    command,
    'openapi > openapi.yaml',
    'openapi --surface control --media json --format json',
  )
    .addOption(
      choice('--surface <surface>', 'the documented surface or the control plane', surfaces),
    )
    .addOption(choice('--version <version>', 'the version of OpenAPI', ['3.1', '3.0']))
    .addOption(
      choice('--media <media>', 'all media types of bodies, or JSON alone', ['all', 'json']),
    )
    .option(
      '--closed',
      'with all that the sandbox answers today and nothing else: for verifiers',
      false,
    )
    .addOption(choice('--format <format>', 'YAML or JSON', [...documentFormats].reverse()))
    .option('--json', 'as --format json')
    .action(async ({ surface, format, json, ...form }: Options) => {
      const chosen = json ? 'json' : format
      const text = await readDocument(surface, form, chosen)
      const printed = chosen === 'json' ? `${JSON.stringify(JSON.parse(text), null, 2)}\n` : text
      process.stdout.write(printed)
    })
}
