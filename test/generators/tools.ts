/** Generators of clients, each with a program that is written against the clients that it makes of both documents. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../support/process.ts'

export type Command = readonly [string, ...string[]]

/** The documents, each with the path where it is served. */
export const documents = { v1: '/openapi.json', control: '/sandbox/openapi.json' } as const
export type DocumentName = keyof typeof documents

/** A bug of a generator: what the compiler says of it, and where it was reported. */
interface Bug {
  readonly says: string
  readonly issue: string
}

/** One generator, and how its clients are made, compiled and run, all in a folder with v1.json and control.json. */
export interface Generator {
  readonly name: string
  readonly version: string
  /** Programs that must be installed, each as a command that succeeds where it is. */
  readonly needs: readonly Command[]
  /** The form of the documents that it reads. */
  readonly query: '' | '?media=json' | '?media=json&version=3.0'
  /** How many times the program runs the scenario: once for each media type that it sends. */
  readonly runs: number
  /** What is copied into the folder. */
  readonly program: readonly (readonly [from: string, to: string])[]
  readonly generate: (document: DocumentName) => Command
  readonly compile: readonly Command[]
  /** The program, or the bug of the generator for which its clients do not compile. */
  readonly run: Command | Bug
  /** What its users must know. */
  readonly note?: string
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))
const bin = (name: string) => `${here}node_modules/.bin/${name}`
const tsc = `${root}node_modules/.bin/tsc`
const types = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node']
const strict = ['--ignoreConfig', '--noEmit', '--strict', '--allowImportingTsExtensions', ...types]
const bundled = ['--moduleResolution', 'bundler', '--module', 'esnext']
const runTs = (file: string): Command => [process.execPath, '--import', 'tsx', file]

/** The versions of what `npm run generators` installs. */
export const versions = {
  oapiCodegen: '2.8.2',
  openapiGenerator: '7.17.0',
  openapiPythonClient: '0.29.1',
} as const

/** It refuses unknown fields unless this is set, whatever the document says. */
const readsUnknownFields = 'disallowAdditionalPropertiesIfNotPresent=false'
const unknownFieldsNote = `with \`--additional-properties=${readsUnknownFields}\``

const python = process.env['GENERATORS_PYTHON'] ?? 'python3'
const jar = process.env['OPENAPI_GENERATOR_JAR'] ?? 'openapi-generator-cli.jar'
const mvnCompile: Command = [
  'mvn',
  ...['-q', '-DskipTests', '-Dmaven.javadoc.skip', 'compile'],
  ...['dependency:build-classpath', '-Dmdep.outputFile=classpath'],
]

const manifest = readFileSync(new URL('package.json', import.meta.url), 'utf8')
const { devDependencies } = JSON.parse(manifest) as { devDependencies: Record<string, string> }
const installed = (name: string) => devDependencies[name] ?? ''

const npmTool = { needs: [], runs: 1 } as const

/** What the variants of openapi-generator have in common. */
const openapiGenerator = (generator: string, needs: readonly Command[]) => ({
  version: versions.openapiGenerator,
  needs: [...needs, ['java', '-jar', jar, 'version'] as const],
  query: '?media=json' as const,
  runs: 1,
  generate: (document: DocumentName, ...options: string[]): Command => [
    ...(['java', '-jar', jar, 'generate', '-g', generator, '-i', `${document}.json`] as const),
    ...options,
  ],
})

const java = (library: string): Generator => {
  const tool = openapiGenerator('java', [['mvn', '-version']])
  return {
    ...tool,
    name: `openapi-generator, Java (\`${library}\`)`,
    program: [
      ['java/Main.java', 'src/main/java/Main.java'],
      [`java/${library}.java`, 'src/main/java/Library.java'],
    ],
    generate: (document) =>
      tool.generate(
        document,
        ...['--library', library, '-o', '.', '--invoker-package', document],
        ...['--api-package', `${document}.api`, '--model-package', `${document}.model`],
        `--additional-properties=${readsUnknownFields}`,
      ),
    compile: [mvnCompile],
    note: unknownFieldsNote,
    run: ['sh', '-c', 'java -cp "target/classes:$(cat classpath)" Main'],
  }
}

const typescript = (library: string): Generator => {
  const tool = openapiGenerator(`typescript-${library}`, [])
  return {
    ...tool,
    name: `openapi-generator, TypeScript (\`${library}\`)`,
    // It makes a class of the webhooks that does not compile, and version 3.0 has none.
    query: '?media=json&version=3.0',
    program: [[`typescript-${library}.ts`, 'client.ts']],
    generate: (document) => tool.generate(document, '-o', document),
    compile: [[tsc, ...strict, ...bundled, 'client.ts']],
    run: runTs('client.ts'),
  }
}

const pythonGenerator = openapiGenerator('python', [
  [python, '-c', 'import pydantic, urllib3, dateutil'],
])
const goGenerator = openapiGenerator('go', [['go', 'version']])
const kotlinGenerator = openapiGenerator('kotlin', [['mvn', '-version']])
const csharpGenerator = openapiGenerator('csharp', [['dotnet', '--version']])
const rustGenerator = openapiGenerator('rust', [['cargo', '--version']])

const goCompile: readonly Command[] = [
  ['go', 'mod', 'init', 'client'],
  ['go', 'mod', 'tidy'],
  ['go', 'build', '-o', 'client', '.'],
]

export const generators: readonly Generator[] = [
  {
    ...npmTool,
    name: 'openapi-typescript with openapi-fetch',
    version: `${installed('openapi-typescript')}, ${installed('openapi-fetch')}`,
    query: '',
    runs: 2,
    program: [['openapi-fetch.ts', 'client.ts']],
    generate: (document) => [bin('openapi-typescript'), `${document}.json`, '-o', `${document}.ts`],
    compile: [[tsc, ...strict, 'client.ts']],
    run: runTs('client.ts'),
  },
  {
    ...npmTool,
    name: '@hey-api/openapi-ts',
    version: installed('@hey-api/openapi-ts'),
    query: '',
    program: [['hey-api.ts', 'client.ts']],
    generate: (document) => [
      bin('openapi-ts'),
      ...['-i', `${document}.json`, '-o', document, '--no-log-file'],
    ],
    compile: [[tsc, ...strict, ...bundled, 'client.ts']],
    run: runTs('client.ts'),
  },
  {
    ...npmTool,
    name: 'orval',
    version: installed('orval'),
    query: '?media=json',
    program: [['orval', '.']],
    generate: (document) => [bin('orval'), '--config', 'orval.config.ts', '--project', document],
    compile: [[tsc, ...strict, ...bundled, 'client.ts']],
    run: runTs('client.ts'),
  },
  {
    name: 'openapi-python-client',
    version: versions.openapiPythonClient,
    needs: [[python, '-c', 'import openapi_python_client, httpx, attrs']],
    query: '?media=json',
    runs: 1,
    program: [['openapi_python_client.py', 'client.py']],
    generate: (document) => [
      python,
      ...['-m', 'openapi_python_client', 'generate', '--path', `${document}.json`],
      ...['--meta', 'none', '--output-path', document, '--overwrite'],
    ],
    compile: [],
    run: [python, 'client.py'],
  },
  {
    ...pythonGenerator,
    name: 'openapi-generator, Python',
    // Of a webhook it makes an operation whose parameters have no type, and version 3.0 has no webhooks.
    query: '?media=json&version=3.0',
    program: [['openapi_generator.py', 'client.py']],
    generate: (document) =>
      pythonGenerator.generate(document, '-o', '.', `--package-name=${document}`),
    compile: [],
    run: [python, 'client.py'],
  },
  {
    name: 'oapi-codegen',
    version: versions.oapiCodegen,
    needs: [
      ['go', 'version'],
      ['oapi-codegen', '-version'],
    ],
    query: '',
    runs: 2,
    // It removes the schema that only a webhook refers to, unless it is told.
    note: 'with `-generate types,client,skip-prune`',
    program: [['go/oapi_codegen.go', 'main.go']],
    generate: (document) => [
      'oapi-codegen',
      ...['-generate', 'types,client,skip-prune', '-package', document],
      ...['-o', `${document}/api.go`, `${document}.json`],
    ],
    compile: goCompile,
    run: ['./client'],
  },
  {
    ...goGenerator,
    name: 'openapi-generator, Go',
    note: unknownFieldsNote,
    program: [['go/openapi_generator.go', 'main.go']],
    generate: (document) =>
      goGenerator.generate(
        document,
        ...['-o', document, `--package-name=${document}`],
        `--additional-properties=withGoMod=false,${readsUnknownFields}`,
        '--global-property=apiTests=false',
      ),
    compile: goCompile,
    run: ['./client'],
  },
  typescript('fetch'),
  typescript('axios'),
  java('native'),
  java('okhttp-gson'),
  {
    ...rustGenerator,
    name: 'openapi-generator, Rust',
    program: [['rust', '.']],
    generate: (document) =>
      rustGenerator.generate(document, '-o', document, `--package-name=${document}`),
    compile: [['cargo', 'build', '--quiet']],
    run: ['cargo', 'run', '--quiet'],
  },
  {
    ...kotlinGenerator,
    name: 'openapi-generator, Kotlin',
    program: [['kotlin', '.']],
    generate: (document) =>
      kotlinGenerator.generate(document, '-o', '.', `--package-name=${document}`),
    compile: [['mvn', '-q', 'compile']],
    run: {
      says: "Expecting ';' after the last enum entry",
      issue: 'https://github.com/OpenAPITools/openapi-generator/issues/18660',
    },
  },
  {
    ...csharpGenerator,
    name: 'openapi-generator, C# (`httpclient`)',
    program: [['csharp', '.']],
    generate: (document) =>
      csharpGenerator.generate(
        document,
        ...['--library', 'httpclient', '-o', document, `--package-name=${document}`],
      ),
    compile: [['dotnet', 'build', '--nologo', '--output', 'built', 'client.csproj']],
    run: ['dotnet', 'built/client.dll'],
  },
]

/** The command that fails because a generator needs what is not installed; undefined where everything is. */
export function missingFor({ needs }: Generator): Command | undefined {
  return needs.find(([program, ...args]) => spawnSync(program, args).status !== 0)
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
