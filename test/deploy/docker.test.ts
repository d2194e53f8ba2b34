/** What the pages say to type at Docker is typed at a real engine, where there is one. */
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { parse } from 'yaml'
import {
  docker,
  hasCompose,
  hasDefaultNetwork,
  hasDocker,
  hasImage,
  tell,
  typed,
} from '../support/docker.ts'
import { commandIn } from '../support/fences.ts'
import type { Run } from '../support/process.ts'
import { played } from '../support/transcript.ts'

/** A build installs the packages and compiles. */
const BUILD_MS = 600_000

const READY_MS = 60_000

/** Where the pages have it published. */
const url = 'http://127.0.0.1:4010'

const compose = 'deploy/compose.yaml'
const own = `subscription-sandbox-test-${process.pid}`

const serving = await commandIn('docs/serving.md', 'docker build')
const manyUsers = await commandIn('docs/guides/many-users.md', 'docker build')

if (!hasDocker) tell('The commands for Docker were not run: no engine answers "docker info".')
else if (!hasDefaultNetwork)
  tell(
    'Docker has no default network here: images were built with "--network host" beside it, and "docker run" with a network of its own.',
  )

describe.runIf(hasDocker)('Docker', () => {
  beforeAll(() => docker('network', 'create', own))
  afterAll(() => docker('network', 'rm', own))

  it('serves at the address of docs/serving.md, until it is stopped', {
    timeout: BUILD_MS,
  }, async (context) => {
    await needs(context, serving, await baseImages())
    const [build = '', run = '', ...more] = serving.split('\n')
    expect(more).toEqual([])
    expect(run).toContain('--volume sandbox-data:')
    await succeeded(typed(build, { network: own }))

    // A volume of this name may be there already, with somebody's data.
    const serves = typed(run.replace('sandbox-data:', `${own}:`), { network: own })
    try {
      await ready(serves)
      const [container = '', ...others] = await containersWith(own)
      expect(others).toEqual([])
      await docker('stop', container)
      expect(await serves.ended, serves.errors()).toBe(0)
      expect(await containersWith(own)).toEqual([])
    } finally {
      for (const left of await containersWith(own)) await docker('rm', '--force', left)
      await serves.ended
      await docker('volume', 'rm', '--force', own)
    }
  })

  it('serves many users as docs/guides/many-users.md says', {
    timeout: BUILD_MS,
  }, async (context) => {
    if (!hasCompose)
      return notRun(context, manyUsers, 'Docker has no Compose ("docker compose version")')
    // Beside a server that somebody has started from this folder.
    const at = { network: own, environment: { COMPOSE_PROJECT_NAME: own } }
    const [build = '', up = '', ...more] = manyUsers.split('\n')
    expect(more).toEqual([])
    expect(up).toBe(`docker compose --file ${compose} up --detach`)
    await succeeded(typed(up.replace('up --detach', 'config --quiet'), at))
    const { services } = parse(await readFile(compose, 'utf8'), { merge: true })
    await needs(context, manyUsers, [...(await baseImages()), services.proxy.image])
    await succeeded(typed(build, at))
    try {
      const starting = typed(up, at)
      await ready(starting)
      await succeeded(starting)
      const { printed, promised } = await played('docs/guides/many-users.md', url)
      expect(printed).toHaveLength(5)
      expect(printed).toEqual(promised)
      const states = await docker('ps', '--all', '--filter', label, '--format', '{{.State}}')
      const started = Object.keys(services).filter((name) => !services[name].profiles)
      expect(states.split('\n')).toEqual(started.map(() => 'running'))
    } finally {
      await succeeded(typed(up.replace('up --detach', 'down --volumes'), at))
    }
    expect(await docker('ps', '--all', '--quiet', '--filter', label)).toBe('')
    expect(await docker('volume', 'ls', '--quiet', '--filter', label)).toBe('')
  })
})

const label = `label=com.docker.compose.project=${own}`

/** Skips a test that cannot be run here, and says so. */
async function needs(context: TestContext, command: string, images: readonly string[]) {
  for (const image of images) {
    if (!(await hasImage(image)))
      notRun(context, command, `Docker has no image ${image}, and cannot pull it`)
  }
  if (await answers()) notRun(context, command, `something else answers at ${url}`)
}

function notRun({ skip }: TestContext, command: string, reason: string): never {
  const text = `Not run: ${command.replaceAll('\n', '; ')}: ${reason}.`
  tell(text)
  return skip(text)
}

/** The images of others that the Dockerfile begins with. */
async function baseImages(): Promise<string[]> {
  const stages = [
    ...(await readFile('Dockerfile', 'utf8')).matchAll(/^FROM (\S+)(?: AS (\w+))?$/gm),
  ]
  const names = stages.map(([, , name]) => name)
  return [
    ...new Set(
      stages.flatMap(([, from = '']) => ([...names, 'scratch'].includes(from) ? [] : from)),
    ),
  ]
}

async function containersWith(volume: string): Promise<string[]> {
  const listed = await docker('ps', '--all', '--quiet', '--filter', `volume=${volume}`)
  return listed.split('\n').filter((id) => id !== '')
}

function answers(): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

async function succeeded(running: Run): Promise<void> {
  const code = await running.ended
  expect(code, `${running.output()}${running.errors()}`).toBe(0)
}

/** Waits until the published address is ready, while what has it served has not failed. */
async function ready({ child, errors }: Run): Promise<void> {
  const giveUpAt = Date.now() + READY_MS
  while (!(await fetch(`${url}/health/ready`).catch(() => null))?.ok) {
    if (child.exitCode || Date.now() > giveUpAt)
      expect.fail(`${url} did not get ready: ${errors()}`)
    await pause(100)
  }
}
