/**
 * Writes what a build consists of: the bundles, the pages' assets, the documents, and the files that programs import,
 * which name the build. Copies the reference's assets, so that nobody but us installs Swagger UI.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { build } from 'rolldown'
import { loadedAtFirstUse, quickToRead } from './bundle-plugins.mjs'

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
const styles = [
  'frame',
  'menu',
  'controls',
  'lists',
  'timeline',
  'drawing',
  'pages',
  'narrow',
  'print',
]

/** What programs import, and what people run. */
const imported = ['index', 'client', 'fast-check', 'pact', 'vitest', 'vitest-reporter']
const commands = ['cli/main', 'cli/demo', 'cli/health']

/**
 * The chunks that a start reads: what each command needs, and what `serve` does. The bundler by itself makes a chunk of
 * what is needed in the same cases, which were 60 files for a start.
 */
const groups = [
  {
    name: 'command',
    test: /\/src\/(?:cli\/(?:program|terminal\/(?:connection|files|output|stoppable))|sandbox\/sandbox-types)\.ts$/,
    priority: 2,
  },
  { name: 'server', test: /\/src\/cli\/commands\/serve\.ts$/, priority: 1 },
]

/** Writes a whole dist into a folder, its build in the folder `name` there. */
export async function bundle({ root, folder, name }) {
  const target = join(folder, name)
  copyAssets(root, target)
  const scripts = await bundleScripts(root, target)
  const packages = await bundleModules(root, target, name)
  writeDeclarations(root, target)
  await writeDocuments(root, target)
  writeFileSync(
    join(folder, 'licences.txt'),
    licencesOf([...new Set([...packages, ...scripts])].sort(), root),
  )
  mkdirSync(join(folder, 'cli'))
  const version = readFileSync(join(root, 'scripts/node-version.mjs'), 'utf8')
  for (const each of commands) {
    // Imported once the version is known: Node reads all that is imported otherwise before anything runs.
    const text = `#!/usr/bin/env node\n${version}await import('../${name}/${each}.js')\n`
    // npm makes it a program where it is installed, but not again where a later build writes it.
    writeFileSync(join(folder, `${each}.js`), text, { mode: 0o755 })
  }
  for (const each of imported) writeEntry(folder, name, each)
}

/** Runs the script that draws the documents, as a bundle: compiling each module by itself takes longer. */
async function writeDocuments(root, target) {
  const script = join(target, 'write-documents.mjs')
  await build({
    ...forNode(root),
    input: 'scripts/write-documents.ts',
    external: isPackage,
    output: { file: script, codeSplitting: false },
  })
  execFileSync(process.execPath, [script, target], { cwd: root, stdio: 'inherit' })
  rmSync(script)
}

/** What names a module for programs: for `import` and for `require`, each with its types. */
function writeEntry(folder, build, module) {
  const write = (kind, text) => writeFileSync(join(folder, `${module}.${kind}`), `${text}\n`)
  write('js', `export * from './${build}/${module}.js'`)
  write('d.ts', `export * from './${build}/${module}.js'`)
  write('d.cts', `export * from './${build}/${module}.cjs'`)
  if (module === 'client') return write('cjs', `module.exports = require('./${build}/client.cjs')`)
  // By the `require` of Node, which reads ES modules, outside of the context in which Jest runs a test: that of Jest reads
  // none. So what is imported and what is required is the same, and is loaded once.
  const nodeModule = `require('node:vm').runInThisContext("process.getBuiltinModule('node:module')")`
  write(
    'cjs',
    `module.exports = ${nodeModule}.createRequire(__filename)('./${build}/${module}.js')`,
  )
}

function copyAssets(root, target) {
  const pages = join(target, 'assets/dashboard')
  cpSync(join(root, 'src/dashboard/assets'), pages, { recursive: true })
  const parts = styles.map((each) => join(root, `src/dashboard/styles/${each}.css`))
  const css = parts.map((path) => readFileSync(path, 'utf8')).join('\n')
  writeFileSync(join(pages, 'dashboard.css'), css)
  const reference = join(target, 'assets/swagger-ui')
  mkdirSync(reference)
  for (const asset of assets) {
    copyFileSync(join(root, 'node_modules/swagger-ui-dist', asset), join(reference, asset))
  }
}

/** Bundles what the pages of the dashboard run in browsers; answers the packages in it. */
async function bundleScripts(root, target) {
  const { output } = await build({
    cwd: root,
    input: 'src/dashboard/browser/main.ts',
    transform: { target: 'es2022' },
    output: {
      ...written,
      file: join(target, 'assets/dashboard/dashboard.js'),
      format: 'iife',
    },
  })
  return packagesOf(output)
}

/** Bundles src; answers the packages that are in the bundles. */
async function bundleModules(root, target, name) {
  const { output } = await build({
    ...forNode(root, { BUILD: JSON.stringify(name) }),
    input: {
      ...Object.fromEntries(commands.map((each) => [each, `src/${each}.ts`])),
      'contracts/verify-child': 'src/contracts/replay/verify-child.ts',
      'http/contracts/worker': 'src/http/contracts/worker.ts',
      'fast-check': 'src/fast-check.ts',
      index: 'src/index.ts',
      pact: 'src/pact.ts',
      vitest: 'src/vitest.ts',
      'vitest-reporter': 'src/vitest-reporter.ts',
    },
    // Two are native; the comparator, fast-check and vitest are there only for those who use them; the types of the client are of
    // `openapi-fetch`; the last has no licence file to pass on.
    external: [
      '@pact-foundation/pact-core',
      '@pactflow/openapi-pact-comparator',
      'fast-check',
      'fs-native-extensions',
      'openapi-fetch',
      'standardwebhooks',
      'vitest',
    ],
    output: {
      ...written,
      dir: target,
      chunkFileNames: 'chunks/[hash].js',
      codeSplitting: { groups },
      // Node looks up at each use whether a constant has its value already.
      topLevelVar: true,
      plugins: [quickToRead],
    },
    plugins: [loadedAtFirstUse],
  })
  // For browsers too: nothing of Node is in it.
  const client = { cwd: root, input: 'src/client.ts', transform: { target: 'es2022' } }
  await build({
    ...client,
    external: isPackage,
    output: { ...written, file: join(target, 'client.js') },
  })
  // With `openapi-fetch`, whose default export is another for `require`.
  const { output: required } = await build({
    ...client,
    output: { ...written, file: join(target, 'client.cjs'), format: 'cjs' },
  })
  return [...packagesOf(output), ...packagesOf(required)]
}

/** How a bundle is written. Names stay as they are, so that the stack of a defect reads as the source does. */
const written = { strict: true, comments: { annotation: false, jsdoc: false } }

/** What bundles for Node have in common. */
function forNode(root, define = {}) {
  return {
    cwd: root,
    platform: 'node',
    // What some packages have for bundlers: their other form finds its parts in a way that a bundle does not follow.
    resolve: { mainFields: ['module', 'main'] },
    transform: { target: 'node20', define },
  }
}

/** Whether an import names a package, and no file. */
const isPackage = (id) => !id.startsWith('.') && !isAbsolute(id)

/** The packages that are in a bundle. */
function packagesOf(output) {
  return output.flatMap(({ moduleIds = [] }) =>
    moduleIds.flatMap((path) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  )
}

/**
 * The types of what programs import: they refer to nothing but the library's own folder. Each file is read alone
 * (tsconfig.library.json), which takes a fiftieth of the time; `npm run typecheck` checks the types. They are there for
 * `import` and for `require`; what is generated is types alone, which both read from one file.
 */
function writeDeclarations(root, target) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const project = join(root, 'tsconfig.library.json')
  const { files } = JSON.parse(readFileSync(project, 'utf8'))
  const written = join(target, '../types')
  execFileSync(process.execPath, [compiler, '-p', project, '--outDir', written], {
    stdio: 'inherit',
  })
  for (const each of files) {
    const path = each.replace(/^src\/(.*)\.ts$/, '$1')
    mkdirSync(dirname(join(target, path)), { recursive: true })
    const declared = readFileSync(join(written, `${path}.d.ts`), 'utf8')
    // Neither a program of ES2022 nor one without the types of Node knows it.
    const lib = declared.includes('AsyncDisposable') ? DISPOSABLE : ''
    const text = `${lib}${declared}`
    const forms = isGenerated(path) ? ['cjs'] : ['js', 'cjs']
    for (const form of forms) {
      writeFileSync(join(target, `${path}.d.${form.replace('js', 'ts')}`), referringTo(form, text))
    }
  }
  rmSync(written, { recursive: true })
}

/** A declaration that names others by what they are at run time; the compiler leaves their extensions. */
function referringTo(form, text) {
  return text.replace(
    /(from '\.[^']*)\.ts'/g,
    (_, path) => `${path}.${isGenerated(path) ? 'cjs' : form}'`,
  )
}

const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n'

const isGenerated = (path) => /(?:^|\/)generated\//.test(path)

/** The licences of the packages that were bundled, as they ask to be passed on. */
function licencesOf(packages, root) {
  const texts = packages.map((each) => {
    const folder = join(root, 'node_modules', each)
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    if (file === undefined) throw new Error(`${each} has no licence to pass on`)
    return `${each}\n\n${readFileSync(join(folder, file), 'utf8')}`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}
