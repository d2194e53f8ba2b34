/** What a tool that reads OpenAPI needs here, and the sandbox that it calls. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { OpenAPIObject } from 'openapi3-ts/oas31'

export interface Service {
  readonly url: string
  /** Where the document is served. */
  readonly document: string
  /** The folder of the tool: what it is installed in and writes to. */
  readonly folder: string
}

export type Command = readonly [program: string, ...args: string[]]

export interface Tool {
  /** Programs that must be on the machine. */
  readonly needs: readonly string[]
  readonly install: (folder: string) => readonly Command[]
  /** The forms of the documents that it reads. */
  readonly forms: readonly Form[]
  /** Whether it found nothing. */
  readonly passes: (service: Service) => Promise<boolean>
}

export type Form = 'open' | 'closed'

export const bothForms: readonly Form[] = ['open', 'closed']

/** The key of the sandbox that has what the examples name. */
export const apiKey = 'sk_sandbox_examples'

export async function readDocument({ document }: Service): Promise<OpenAPIObject> {
  return (await (await fetch(document)).json()) as OpenAPIObject
}

/** Whether the program ended with 0. */
export async function succeeds(
  [program, ...args]: Command,
  { folder }: Service,
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const child = spawn(program, args, {
    stdio: 'inherit',
    cwd: folder,
    env: { ...process.env, ...env },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

export const npmInstall = (folder: string, ...packages: string[]): Command => [
  ...(['npm', 'install', '--no-audit', '--no-fund', '--prefix', folder] as const),
  ...packages,
]
