/** The compose file and the Kubernetes manifests name the processes that nginx sends requests to. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { commandsOf, fencesOf } from '../support/fences.ts'
import { manifestsOf } from '../support/manifests.ts'

const upstreams = [
  ...readFileSync('deploy/nginx.conf', 'utf8').matchAll(/^ +server (\S+):4010 max_fails=0;$/gm),
].map(([, name]) => name)

const compose = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true })
const objects = await manifestsOf('deploy')

it('has a compose service for each, with a volume and an address of its own', () => {
  const { proxy, ...processes } = compose.services
  expect(Object.keys(processes)).toEqual(upstreams)
  expect(proxy.depends_on).toEqual(upstreams)
  const volumes = Object.values<Process>(processes).map((each) => each.volumes.join())
  expect(volumes).toEqual(Object.keys(compose.volumes).map((name) => `${name}:/data`))
  const addresses = Object.values<Process>(processes).map(
    ({ networks }) => networks['processes']?.ipv4_address,
  )
  expect(new Set(addresses).size).toBe(upstreams.length)
})

it('has a pod and a Service in Kubernetes for each', () => {
  const set = objects.find(({ kind }) => kind === 'StatefulSet')
  expect(upstreams).toEqual(
    Array.from({ length: set?.spec?.replicas ?? 0 }, (_, at) => `${set?.metadata.name}-${at}`),
  )
  const services = objects.filter(({ kind }) => kind === 'Service')
  const ofPods = services.filter(
    ({ spec, metadata }) =>
      spec?.selector?.['statefulset.kubernetes.io/pod-name'] === metadata.name,
  )
  expect(ofPods.map(({ metadata }) => metadata.name)).toEqual(upstreams)
  const names = services.map(({ metadata }) => metadata.name)
  expect(names).toContain(set?.spec?.serviceName)
})

it('is started by the commands of the guide, as each file says itself, and a test types them', () => {
  const typed = commandsIn('docs/guides/many-users.md')
  expect(typed).toHaveLength(2)
  const tests = ['docker', 'kubernetes'].map((name) =>
    readFileSync(`test/deploy/${name}.test.ts`, 'utf8'),
  )
  const starts = [
    ...tests.join().matchAll(/commandIn\('docs\/guides\/many-users\.md', '(.+)'\)/g),
  ].map(([, start = '']) => start)
  expect(typed.map((command) => starts.filter((start) => command.startsWith(start)))).toEqual([
    ['docker build'],
    ['kubectl apply'],
  ])
  const headers = ['deploy/compose.yaml', 'deploy/kustomization.yaml'].map((path) =>
    readFileSync(path, 'utf8'),
  )
  const lines = typed.flatMap((command) => command.split('\n'))
  expect(lines.filter((line) => !headers.join().includes(line))).toEqual([])
})

it('runs every program there without root, on a root that it cannot write', () => {
  const pods = objects.flatMap(({ spec }) => spec?.template?.spec ?? [])
  expect(pods).toHaveLength(2)
  for (const { containers, securityContext } of pods) {
    expect(securityContext.runAsNonRoot).toBe(true)
    expect(containers[0]?.securityContext.readOnlyRootFilesystem).toBe(true)
  }
})

/** The commands in the fences of a page that say no output; test/deploy/proxied-calls.test.ts types the others. */
function commandsIn(page: string): string[] {
  const fences = fencesOf(readFileSync(page, 'utf8'))
  expect(new Set(fences.map(({ language }) => language))).toEqual(new Set(['sh', 'console']))
  return commandsOf(fences.filter(({ language }) => language === 'sh'))
}

interface Process {
  readonly volumes: readonly string[]
  readonly networks: Readonly<Record<string, { readonly ipv4_address: string }>>
}
