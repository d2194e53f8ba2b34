/** What is published, and how: the list of its files, the links in its pages, and the script that releases a version. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folders.ts'

let place: Awaited<ReturnType<typeof temporaryFolder>>

beforeEach(async () => {
  place = await temporaryFolder()
})

afterEach(() => place.remove())

/** A program as it ran: what it printed, and how it ended. */
function ran(command: string, args: readonly string[], options: object = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options })
  return { status, stdout, stderr }
}

it('is published without a warning, to everybody, with its provenance, and holds what its pages link to', () => {
  const settings = join(place.path, 'npmrc')
  // Somebody who has logged in, at a registry that nobody asks.
  const registry = '127.0.0.1:9/'
  writeFileSync(
    settings,
    `fetch-retries=0\nregistry=http://${registry}\n//${registry}:_authToken=none\n`,
  )
  const options = ['--dry-run', '--ignore-scripts', '--loglevel', 'warn', '--userconfig', settings]
  const { name, version, publishConfig } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { status, stdout, stderr } = ran('npm', ['publish', '--json', ...options])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  // npm 11 names the package above it.
  const { [name]: named, ...unnamed } = JSON.parse(stdout)
  const published = named ?? unnamed
  expect(published).toMatchObject({ id: `${name}@${version}` })
  expect(publishConfig).toEqual({ access: 'public', provenance: true })
  const files: string[] = published.files.map(({ path }: { path: string }) => path)
  const links = files
    .filter((file) => /^(?!dist\/).*\.md$/.test(file))
    .flatMap((file) => linksIn(file).map((link) => ({ file, link })))
  expect(links.length).toBeGreaterThan(100)
  const isHeld = (path: string) =>
    files.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`))
  const broken = links.filter(
    ({ file, link }) => !isHeld(normalize(join(dirname(file), link.replace(/#.*/, '')))),
  )
  expect(broken).toEqual([])
})

/** The links of a page to other files. */
function linksIn(page: string): string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```.*?^```/gms, '')
  const found = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)]
  return found
    .map(([, link, source]) => link ?? source ?? '')
    .filter((link) => !/^(\w+:|#)/.test(link))
}

describe('a release', () => {
  const script = resolve('scripts/release.mjs')
  let folder: string
  /** Git as somebody who has no settings. */
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
  const git = (...args: string[]) =>
    execFileSync('git', [...author, ...args], { cwd: folder, encoding: 'utf8' })
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')

  /** Runs it where npm, pip and docker only note that they were called. */
  function release(...args: string[]) {
    const env = {
      ...process.env,
      PATH: `${place.path}/bin:${process.env['PATH']}`,
      ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' },
      ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' },
    }
    return ran(process.execPath, [script, ...args], { cwd: folder, env })
  }

  beforeEach(() => {
    folder = join(place.path, 'project')
    const others = ['clients/python/pyproject.toml', 'src/openapi/workflows.arazzo.yaml']
    for (const file of ['package.json', 'package-lock.json', ...others]) {
      cpSync(file, join(folder, file))
    }
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      '# Changelog\n\n## [Unreleased]\n\n- One.\n\n## [0.1.0]\n\n- First.\n',
    )
    mkdirSync(join(place.path, 'bin'))
    for (const program of ['npm', 'python3', 'docker']) {
      const path = join(place.path, 'bin', program)
      writeFileSync(path, `#!/bin/sh\necho "$(basename "$0") $*" >> "${place.path}/calls"\n`)
      chmodSync(path, 0o755)
    }
    const { repository } = JSON.parse(read('package.json'))
    git('init', '--quiet')
    git('remote', 'add', 'origin', repository.url.replace('git+', ''))
    git('add', '.')
    git('commit', '--quiet', '--message', 'All')
  })

  it('writes the version everywhere, moves the section of the changelog, tags, and makes the files', () => {
    const before = read('package-lock.json')
    const { status, stderr, stdout } = release('minor')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(read('package.json')).version).toBe('0.2.0')
    const lock = JSON.parse(read('package-lock.json'))
    expect([lock.version, lock.packages[''].version]).toEqual(['0.2.0', '0.2.0'])
    expect(read('package-lock.json').split('\n')).toHaveLength(before.split('\n').length)
    expect(read('clients/python/pyproject.toml')).toContain('\nversion = "0.2.0"\n')
    expect(read('src/openapi/workflows.arazzo.yaml')).toContain('\n  version: 0.2.0\n')
    expect(read('CHANGELOG.md')).toMatch(
      /## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n- One\.\n\n## \[0\.1\.0\]\n/,
    )
    expect(git('describe').trim()).toBe('v0.2.0')
    expect(git('log', '-1', '--format=%s').trim()).toBe('Version 0.2.0')
    expect(readFileSync(join(place.path, 'calls'), 'utf8').trim().split('\n')).toEqual([
      'npm run examples',
      'npm run openapi',
      'npm pack --pack-destination release',
      'python3 -m pip wheel --no-deps --wheel-dir release clients/python',
      'docker info',
      'docker build --network host --tag subscription-sandbox:0.2.0 .',
      'docker save --output release/subscription-sandbox-0.2.0.tar subscription-sandbox:0.2.0',
    ])
    expect(stdout).toContain('npm publish release/*-0.2.0.tgz')
  })

  it('says with --dry-run what it would do, and does nothing', () => {
    git('remote', 'set-url', 'origin', 'https://example.com/other.git')
    const { status, stdout } = release('1.0.0', '--dry-run')
    expect(status).toBe(0)
    expect(stdout).toContain('0.1.0 -> 1.0.0')
    for (const step of ['write CHANGELOG.md', 'run git tag', 'run npm pack', 'run docker build']) {
      expect(stdout).toContain(`would ${step}`)
    }
    expect(stdout).toContain('A release would be refused: package.json names')
    expect(git('status', '--porcelain') + git('tag')).toBe('')
    expect(readFileSync(join(place.path, 'calls'), 'utf8')).toBe('docker info\n')
  })

  it.each([
    ['a version that is none', ['1.x'], 'must be major, minor, patch or three numbers', () => {}],
    ['an older version', ['0.0.9'], 'must be after 0.1.0; got "0.0.9"', () => {}],
    ['the same version', ['0.1.0'], 'must be after 0.1.0; got "0.1.0"', () => {}],
    ['an unknown option', ['patch', '--dry'], 'usage: ', () => {}],
    ['changes', ['patch'], 'has changes', () => writeFileSync(join(folder, 'new'), '')],
    ['its own tag', ['patch'], 'v0.1.1 exists', () => git('tag', 'v0.1.1')],
    [
      'an origin that the package does not name',
      ['patch'],
      'but origin is https://example.com/other.git.',
      () => git('remote', 'set-url', 'origin', 'https://example.com/other.git'),
    ],
    [
      'a changelog without news',
      ['patch'],
      'has nothing below',
      () => {
        writeFileSync(join(folder, 'CHANGELOG.md'), '## [Unreleased]\n\n## [0.1.0]\n\n- First.\n')
        git('commit', '--quiet', '--all', '--message', 'No news')
      },
    ],
  ])('is refused for %s, and changes nothing', (...[, args, says, prepare]) => {
    prepare()
    const before = git('log', '--format=%H') + git('status', '--porcelain')
    const { status, stderr } = release(...args)
    expect(stderr).toContain(says)
    expect(status).toBe(2)
    expect(git('log', '--format=%H') + git('status', '--porcelain')).toBe(before)
  })
})
