/** Generators of clients, each with a client that is written against what it makes. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../support/process.ts'

type Command = readonly [string, ...string[]]

/** One generator, and how a client of it is made, compiled and run, all in a folder that holds openapi.json. */
export interface Generator {
  readonly name: string
  /** Programs that must be on the machine, each by a command that succeeds where it is. */
  readonly needs: readonly Command[]
  /** What is copied into the folder, from and to. */
  readonly client: readonly [from: string, to: string]
  /** What generates and compiles. */
  readonly make: readonly Command[]
  readonly run: Command
  /** How many subscriptions the client creates: one for each media type that it can send. */
  readonly subscriptions: number
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))
const bin = (name: string) => `${here}node_modules/.bin/${name}`
const tsc = `${root}node_modules/.bin/tsc`
const types = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node']
const strict = ['--ignoreConfig', '--noEmit', '--strict', '--allowImportingTsExtensions', ...types]
const runTs = (file: string): Command => [process.execPath, '--import', 'tsx', file]
const python = process.env['GENERATORS_PYTHON'] ?? 'python3'
const jar = process.env['OPENAPI_GENERATOR_JAR'] ?? 'openapi-generator-cli.jar'
const openapiGenerator = (...options: string[]): Command => {
  return ['java', '-jar', jar, 'generate', '-i', 'openapi.json', ...options]
}

export const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript with openapi-fetch',
    needs: [],
    client: ['openapi-fetch.ts', 'client.ts'],
    make: [
      [bin('openapi-typescript'), 'openapi.json', '-o', 'schema.ts'],
      [tsc, ...strict, 'client.ts'],
    ],
    run: runTs('client.ts'),
    subscriptions: 2,
  },
  {
    name: '@hey-api/openapi-ts',
    needs: [],
    client: ['hey-api.ts', 'client.ts'],
    make: [
      [bin('openapi-ts'), '-i', 'openapi.json', '-o', 'generated', '--no-log-file'],
      [tsc, ...strict, '--moduleResolution', 'bundler', '--module', 'esnext', 'client.ts'],
    ],
    run: runTs('client.ts'),
    subscriptions: 1,
  },
  {
    name: 'oapi-codegen',
    needs: [
      ['go', 'version'],
      ['oapi-codegen', '-version'],
    ],
    client: ['go/main.go', 'main.go'],
    make: [
      [
        'oapi-codegen',
        '-generate',
        'types,client',
        '-package',
        'main',
        '-o',
        'api.go',
        'openapi.json',
      ],
      ['go', 'mod', 'init', 'client'],
      ['go', 'mod', 'tidy'],
      ['go', 'build', '-o', 'client', '.'],
    ],
    run: ['./client'],
    subscriptions: 2,
  },
  {
    name: 'openapi-python-client',
    needs: [[python, '-c', 'import openapi_python_client, httpx, attrs']],
    client: ['openapi_python_client.py', 'client.py'],
    make: [
      [
        python,
        '-m',
        'openapi_python_client',
        'generate',
        '--path',
        'openapi.json',
        '--meta',
        'none',
        '--output-path',
        'generated',
      ],
    ],
    run: [python, 'client.py'],
    subscriptions: 2,
  },
  {
    name: 'openapi-generator, Python',
    needs: [
      ['java', '-jar', jar, 'version'],
      [python, '-c', 'import pydantic, urllib3, dateutil'],
    ],
    client: ['openapi_generator.py', 'client.py'],
    make: [openapiGenerator('-g', 'python', '-o', '.')],
    run: [python, 'client.py'],
    subscriptions: 1,
  },
  {
    name: 'openapi-generator, Java',
    needs: [
      ['java', '-jar', jar, 'version'],
      ['mvn', '-version'],
    ],
    client: ['java/Main.java', 'src/main/java/Main.java'],
    make: [
      // It leaves out the classes of forms and imports them all the same, unless it is told.
      openapiGenerator(
        ...['-g', 'java', '--library', 'native', '-o', '.'],
        ...['--global-property', 'skipFormModel=false'],
      ),
      [
        'mvn',
        '-q',
        '-DskipTests',
        '-Dmaven.javadoc.skip',
        'compile',
        'dependency:build-classpath',
        '-Dmdep.outputFile=classpath',
      ],
    ],
    run: ['sh', '-c', 'java -cp "target/classes:$(cat classpath)" Main'],
    subscriptions: 1,
  },
]

/** What the machine lacks for a generator; null where it has everything. */
export function missingFor({ needs }: Generator): string | null {
  const missing = needs.find(([program, ...args]) => spawnSync(program, args).status !== 0)
  return missing === undefined ? null : missing.join(' ')
}

/** Runs a command in a folder to its end, and answers what it printed. Throws where it fails. */
export async function runIn(
  folder: string,
  command: Command,
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  const run = runProgram(command, environment, folder)
  const code = await run.ended
  if (code === 0) return run.output()
  throw new Error(`${command.join(' ')} ended with ${code}:\n${run.output()}${run.errors()}`)
}
