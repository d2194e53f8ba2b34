/**
 * Builds dist: bundles src with what it runs on, because a start would otherwise spend most of its time on finding
 * and reading some hundred small modules. Copies the reference's assets, so that nobody but us installs Swagger UI.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = new URL('../', import.meta.url)
const place = (path) => fileURLToPath(new URL(path, root))

/** What the reference needs, and the licences that it comes under. */
const assets = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui-standalone-preset.js',
  'swagger-ui-standalone-preset.js.LICENSE.txt',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
]

/** The stylesheet of the dashboard, in the order in which one part overrides another. */
const styles = ['frame', 'menu', 'controls', 'lists', 'timeline', 'pages', 'narrow']

// npx prepares the package of the folder that it is typed in, each time, and somebody may run what is built.
const isForNpx = process.argv.includes('--prepare') && process.env.npm_command === 'exec'
if (isForNpx && existsSync(place('dist/cli/main.js'))) process.exit()
rmSync(place('dist'), { recursive: true, force: true })
cpSync(place('src/dashboard/assets'), place('dist/assets/dashboard'), { recursive: true })
writeFileSync(
  place('dist/assets/dashboard/dashboard.css'),
  styles.map((name) => readFileSync(place(`src/dashboard/styles/${name}.css`), 'utf8')).join('\n'),
)
mkdirSync(place('dist/assets/swagger-ui'), { recursive: true })
for (const asset of assets) {
  copyFileSync(
    place(`node_modules/swagger-ui-dist/${asset}`),
    place(`dist/assets/swagger-ui/${asset}`),
  )
}
const { metafile } = await build({
  absWorkingDir: place('./'),
  entryPoints: {
    'cli/main': 'src/cli/main.ts',
    'cli/demo': 'src/cli/demo.ts',
    'cli/health': 'src/cli/health.ts',
    'contracts/verify-child': 'src/contracts/verify-child.ts',
    'http/contracts/worker': 'src/http/contracts/worker.ts',
    index: 'src/index.ts',
    vitest: 'src/vitest.ts',
  },
  // Two are native; the comparator and vitest are there only for those who use them; the types of the client are of
  // `openapi-fetch`; the last has no licence file to pass on.
  external: [
    '@pact-foundation/pact-core',
    '@pactflow/openapi-pact-comparator',
    'fs-native-extensions',
    'openapi-fetch',
    'standardwebhooks',
    'vitest',
  ],
  outdir: 'dist',
  chunkNames: 'chunks/[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  // What some packages have for bundlers: their other form finds its parts in a way that a bundle does not follow.
  mainFields: ['module', 'main'],
  target: 'node20',
  metafile: true,
  // Nothing is minified, so that the stack of a defect reads as the source does.
  minify: false,
  // Some of what is bundled is CommonJS, which asks for node's own modules by `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
})
// For browsers too: nothing of Node is in it.
await build({
  absWorkingDir: place('./'),
  entryPoints: ['src/client.ts'],
  outdir: 'dist',
  bundle: true,
  packages: 'external',
  format: 'esm',
  target: 'es2022',
})
writeDeclarations()
execFileSync(process.execPath, ['--import', 'tsx', place('scripts/write-documents.ts')], {
  cwd: place('./'),
  stdio: 'inherit',
})
writeFileSync(place('dist/licences.txt'), licencesOf(Object.keys(metafile.inputs)))

/** The types of what programs import: they refer to nothing but the library's own folder. */
function writeDeclarations() {
  const folder = place('dist/types')
  const compiler = place('node_modules/typescript/bin/tsc')
  const options = [
    '--noEmit',
    'false',
    '--emitDeclarationOnly',
    '--declaration',
    '--outDir',
    folder,
  ]
  execFileSync(process.execPath, [compiler, '-p', place('tsconfig.library.json'), ...options], {
    stdio: 'inherit',
  })
  const faces = ['index', 'client', 'vitest']
  const library = ['connect', 'sandbox', 'sandbox-error'].map((name) => `library/${name}`)
  for (const name of [...faces, ...library, 'generated/control', 'generated/v1']) {
    const text = readFileSync(`${folder}/${name}.d.ts`, 'utf8')
    mkdirSync(dirname(place(`dist/${name}`)), { recursive: true })
    // The compiler leaves the extensions of what it only refers to.
    writeFileSync(place(`dist/${name}.d.ts`), text.replace(/(from '\..*)\.ts'/g, "$1.js'"))
  }
  rmSync(folder, { recursive: true })
}

/** The licences of the packages that were bundled, as they ask to be passed on. */
function licencesOf(inputs) {
  const packages = inputs.flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [])
  const texts = [...new Set(packages)].sort().map((folder) => {
    const file = readdirSync(place(folder)).find((name) => /^licen[cs]e/i.test(name))
    if (file === undefined) throw new Error(`${folder} has no licence to pass on`)
    return `${folder.replace('node_modules/', '')}\n\n${readFileSync(place(`${folder}/${file}`), 'utf8')}`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}
