/**
 * Releases a version: `node scripts/release.mjs major|minor|patch|1.2.3 [--dry-run]`. Writes the version and the section
 * of the changelog, what is generated from them, a commit and its tag; then the tarball, the wheel of the Python client and,
 * where docker is, the image, into `release`. It publishes nothing, and says what does.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const UNRELEASED = '## [Unreleased]'

/** What the version is written in, and how. Documents and recorded answers are generated from it. */
const files = {
  'package.json': (text, version) => replaced(text, /(?<=^ {2}"version": ")[^"]+/m, version),
  'package-lock.json': (text, version) => {
    const lock = JSON.parse(text)
    for (const each of [lock, lock.packages['']]) each.version = version
    return `${JSON.stringify(lock, null, 2)}\n`
  },
  'clients/python/pyproject.toml': (text, version) =>
    replaced(text, /(?<=^version = ")[^"]+/m, version),
  'src/openapi/workflows.arazzo.yaml': (text, version) =>
    replaced(text, /(?<=^ {2}version: ).+/m, version),
  'CHANGELOG.md': (text, version) => {
    const day = new Date().toISOString().slice(0, 10)
    return text.replace(UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${day}`)
  },
}

const [order, ...flags] = process.argv.slice(2)
const isDry = flags[0] === '--dry-run'
const read = (path) => readFileSync(path, 'utf8')
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()

if (order === undefined || flags.length > (isDry ? 1 : 0)) {
  refuse('usage: node scripts/release.mjs major|minor|patch|1.2.3 [--dry-run]')
}
const { version: current, repository } = JSON.parse(read('package.json'))
const version = nextOf(current, order)
check()
const written = Object.entries(files).map(([path, write]) => [path, write(read(path), version)])

console.log(`${current} -> ${version}`)
for (const [path, text] of written) step(`write ${path}`, () => writeFileSync(path, text))
for (const script of ['examples', 'openapi']) run('npm', 'run', script)
run('git', 'commit', '--all', '--message', `Version ${version}`)
run('git', 'tag', '--annotate', `v${version}`, '--message', `Version ${version}`)
step('make the folder release', () => mkdirSync('release', { recursive: true }))
run('npm', 'pack', '--pack-destination', 'release')
run('python3', '-m', 'pip', 'wheel', '--no-deps', '--wheel-dir', 'release', 'clients/python')
const image = `subscription-sandbox:${version}`
if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0) {
  run('docker', 'build', '--network', 'host', '--tag', image, '.')
  run('docker', 'save', '--output', `release/subscription-sandbox-${version}.tar`, image)
} else {
  console.log('no image: docker does not answer here')
}
console.log(
  `To publish: git push --follow-tags, npm publish release/*-${version}.tgz, twine upload release/*.whl`,
)

/** What would spoil a release is refused before anything is written. */
function check() {
  if (git('status', '--porcelain') !== '') refuse('The work tree has changes: commit them first.')
  if (git('tag', '--list', `v${version}`) !== '') refuse(`The tag v${version} exists already.`)
  const [, unreleased = ''] = read('CHANGELOG.md').split(/^## .*$/m)
  if (!read('CHANGELOG.md').includes(UNRELEASED) || unreleased.trim() === '') {
    refuse(`CHANGELOG.md has nothing below "${UNRELEASED}".`)
  }
  const origin = spawnSync('git', ['remote', 'get-url', 'origin'], { encoding: 'utf8' })
  const address = (url) =>
    url
      .trim()
      .replace(/^git\+|\.git$/g, '')
      .replace(/^git@([^:]+):/, 'https://$1/')
  if (address(origin.stdout) !== address(repository.url)) {
    const named = `package.json names ${repository.url} as its repository`
    const message = `${named}, but origin is ${origin.stdout.trim() || 'not set'}.`
    if (!isDry) refuse(message)
    console.log(`A release would be refused: ${message}`)
  }
}

function nextOf(from, to) {
  const parts = from.split('.').map(Number)
  const at = ['major', 'minor', 'patch'].indexOf(to)
  if (at >= 0)
    return parts.map((part, i) => (i < at ? part : Number(i === at) * (part + 1))).join('.')
  if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(to)) {
    refuse(`The version must be major, minor, patch or three numbers such as 1.2.3; got "${to}".`)
  }
  const numbers = to.split('.').map(Number)
  const differs = numbers.findIndex((number, i) => number !== parts[i])
  if (differs < 0 || numbers[differs] < parts[differs]) {
    refuse(`The version must be after ${from}; got "${to}".`)
  }
  return to
}

/** Replaces the version; refuses a file that does not have it where it is expected. */
function replaced(text, pattern, version) {
  if (text.match(pattern)?.[0] !== current) refuse(`${current} was not found as ${pattern}`)
  return text.replace(pattern, version)
}

function run(program, ...args) {
  step([program, ...args].join(' '), () => execFileSync(program, args, { stdio: 'inherit' }))
}

/** Says what is done; a dry run does no more than that. */
function step(name, work) {
  console.log(isDry ? `would ${name.replace(/^(?!write|make)/, 'run ')}` : `> ${name}`)
  if (!isDry) work()
}

function refuse(message) {
  console.error(message)
  process.exit(2)
}
