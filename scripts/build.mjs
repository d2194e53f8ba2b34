/**
 * Builds dist: bundles src with what it runs on, because a start would otherwise spend most of its time on finding
 * and reading some hundred small modules. Copies the reference's assets, so that nobody but us installs Swagger UI.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

rmSync(place('dist'), { recursive: true, force: true })
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
  },
  // Two are native; the comparator is a single file that few commands ask for; the last has no licence file to pass on.
  external: [
    '@pact-foundation/pact-core',
    '@pactflow/openapi-pact-comparator',
    'fs-native-extensions',
    'standardwebhooks',
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
  sourcemap: true,
  metafile: true,
  // Nothing is minified, so that the stack of a defect reads as the source does.
  minify: false,
  // Some of what is bundled is CommonJS, which asks for node's own modules by `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
})
execFileSync(process.execPath, ['--import', 'tsx', place('scripts/write-documents.ts')], {
  cwd: place('./'),
  stdio: 'inherit',
})
writeFileSync(place('dist/licences.txt'), licencesOf(Object.keys(metafile.inputs)))

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
