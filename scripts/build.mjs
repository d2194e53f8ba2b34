/** Builds dist: compiles src, and copies the reference's assets so that nobody but us installs Swagger UI. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

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
const compiler = place('node_modules/typescript/bin/tsc')
try {
  execFileSync(process.execPath, [compiler, '-p', place('tsconfig.build.json')], {
    stdio: 'inherit',
  })
} catch (error) {
  process.exit(error.status ?? 1)
}
