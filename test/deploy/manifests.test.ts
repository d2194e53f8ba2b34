/** The compose file and the Kubernetes manifests name the processes that nginx sends requests to. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { commandsOf, fencesOf } from '../support/fences.ts'
import { Manifest, manifestsOf, objectsIn, ofKind } from '../support/manifests.ts'

const upstreams = [
  ...readFileSync('deploy/nginx.conf', 'utf8').matchAll(/^ +server (\S+):4010 max_fails=0;$/gm),
].map(([, name]) => name)

const compose = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true })
const objects = await manifestsOf('deploy')

it('has a compose service for each, with a volume and an address of its own', () => {
  const { proxy, move, ...processes } = compose.services
  expect(Object.keys(processes)).toEqual(upstreams)
  expect(proxy.depends_on).toEqual(upstreams)
  const volumes = Object.values<Process>(processes).map((each) => each.volumes.join())
  expect(volumes).toEqual(Object.keys(compose.volumes).map((name) => `${name}:/data`))
  const addresses = Object.values<Process>(processes).map(
    ({ networks }) => networks['processes']?.ipv4_address,
  )
  expect(new Set(addresses).size).toBe(upstreams.length)
  expect(proxy.extra_hosts).toEqual(upstreams.map((name, at) => `${name}:${addresses[at]}`))
  const pairs = upstreams.map((name, at) => `${name}:4010=/data-${at}`)
  expect(move.command.slice(-upstreams.length)).toEqual(pairs)
  expect(move.volumes.slice(1)).toEqual(upstreams.map((_, at) => `data-${at}:/data-${at}`))
})

it('passes on to each the variables that the guide names', () => {
  const guide = readFileSync('docs/guides/many-users.md', 'utf8')
  const named = [...new Set(guide.match(/\bSANDBOX_\w+/g))]
  expect(named).toContain('SANDBOX_EXPIRE')
  for (const name of upstreams) {
    expect(Object.keys(compose.services[name ?? ''].environment)).toEqual(
      expect.arrayContaining(named),
    )
  }
})

it('gives both images the same settings, whatever their base', () => {
  const stages = readFileSync('Dockerfile', 'utf8').split(/^FROM /m)
  const [slim, full] = stages.slice(-2).map(settingsOf)
  expect(full).toHaveLength(7)
  expect(slim).toEqual(full)
})

it('has a pod and a Service in Kubernetes for each', () => {
  const [set] = ofKind(objects, 'StatefulSet')
  expect(upstreams).toEqual(
    Array.from({ length: set?.spec.replicas ?? 0 }, (_, at) => `${set?.metadata.name}-${at}`),
  )
  const services = ofKind(objects, 'Service')
  const ofPods = services.filter(
    ({ spec, metadata }) => spec.selector['statefulset.kubernetes.io/pod-name'] === metadata.name,
  )
  expect(ofPods.map(({ metadata }) => metadata.name)).toEqual(upstreams)
  const names = services.map(({ metadata }) => metadata.name)
  expect(names).toContain(set?.spec.serviceName)
})

const hashed = [
  ...(await objectsIn('deploy/kubernetes/processes.yaml')),
  ...(await objectsIn('deploy/kubernetes/ingress-hash.yaml')),
]

it.each([
  ['the guide applies', objects],
  ['hashes without the proxy', hashed],
])('names nothing that is not there in what %s', (_, applied) => {
  expect(danglingIn(applied)).toEqual([])
})

it('notices a field that Kubernetes does not know, and a name of nothing', () => {
  const [proxy] = ofKind(objects, 'Deployment')
  const misspelt = JSON.stringify(proxy).replace('readinessProbe', 'readynessProbe')
  expect(() => Manifest.parse(JSON.parse(misspelt))).toThrow('readynessProbe')
  const without = objects.filter(
    ({ kind, metadata }) => kind !== 'Service' || metadata.name !== 'sandbox',
  )
  expect(danglingIn(without)).toContain('Ingress backend sandbox:http')
})

it('is started by the commands of the guide, as each file says itself, and a test runs them', () => {
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
  const pods = podsIn(objects)
  expect(pods).toHaveLength(2)
  for (const { containers, securityContext } of pods) {
    expect(securityContext.runAsNonRoot).toBe(true)
    expect(containers[0]?.securityContext.readOnlyRootFilesystem).toBe(true)
  }
})

/** What a stage of the Dockerfile says of containers; PATH is what another base has. */
function settingsOf(stage: string): string[] {
  return stage
    .split('\n')
    .filter((line) => /^(USER|VOLUME|ENV|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD) /.test(line))
    .filter((line) => !line.startsWith('ENV PATH='))
}

function workloadsIn(applied: readonly Manifest[]) {
  return [...ofKind(applied, 'StatefulSet'), ...ofKind(applied, 'Deployment')]
}

function podsIn(applied: readonly Manifest[]) {
  return workloadsIn(applied).map(({ spec }) => spec.template.spec)
}

/** What an object names and no other object is: labels of pods, ports, volumes, and Services of an Ingress. */
function danglingIn(applied: readonly Manifest[]): string[] {
  const services = ofKind(applied, 'Service')
  const pods = workloadsIn(applied).map(({ spec }) => spec.template)
  const backends = ofKind(applied, 'Ingress').flatMap(({ spec }) =>
    spec.rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service)),
  )
  const ports = services.flatMap(({ metadata, spec }) =>
    spec.ports.map(({ name }) => `${metadata.name}:${name}`),
  )
  return [
    ...workloadsIn(applied)
      .filter(({ spec }) => !isSubset(spec.selector.matchLabels, spec.template.metadata.labels))
      .map(({ metadata }) => `pods of ${metadata.name}`),
    ...services
      .filter(({ spec: { selector } }) => 'app' in selector)
      .filter(({ spec }) => !pods.some((pod) => isSubset(spec.selector, pod.metadata.labels)))
      .map(({ metadata }) => `pods of Service ${metadata.name}`),
    ...backends
      .map(({ name, port }) => `${name}:${port.name}`)
      .filter((name) => !ports.includes(name))
      .map((name) => `Ingress backend ${name}`),
    ...workloadsIn(applied).flatMap((workload) => {
      const { containers, volumes = [] } = workload.spec.template.spec
      const claims =
        'volumeClaimTemplates' in workload.spec ? workload.spec.volumeClaimTemplates : []
      const named = [...volumes, ...claims.map(({ metadata }) => metadata)].map(({ name }) => name)
      const mounts = containers.flatMap(({ volumeMounts }) => volumeMounts)
      return mounts.map(({ name }) => name).filter((name) => !named.includes(name))
    }),
  ]
}

function isSubset(labels: Labels, of: Labels): boolean {
  return Object.entries(labels).every(([name, value]) => of[name] === value)
}

type Labels = Readonly<Record<string, string>>

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
