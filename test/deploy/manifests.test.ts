/** The compose file and the Kubernetes manifests name the processes that nginx sends requests to. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const upstreams = [
  ...readFileSync('deploy/nginx.conf', 'utf8').matchAll(/^ +server (\S+):4010 max_fails=0;$/gm),
].map(([, name]) => name)

const compose = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true })
const { resources } = parse(readFileSync('deploy/kustomization.yaml', 'utf8'))
const objects = resources.flatMap((path: string) =>
  parseAllDocuments(readFileSync(`deploy/${path}`, 'utf8')).map((each) => each.toJS()),
)

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
  const [set] = objects.filter(({ kind }: Manifest) => kind === 'StatefulSet')
  expect(upstreams).toEqual(
    Array.from({ length: set.spec.replicas }, (_, at) => `${set.metadata.name}-${at}`),
  )
  const services = objects.filter(({ kind }: Manifest) => kind === 'Service')
  const ofPods = services.filter(
    ({ spec, metadata }: Manifest) =>
      spec.selector['statefulset.kubernetes.io/pod-name'] === metadata.name,
  )
  expect(ofPods.map(({ metadata }: Manifest) => metadata.name)).toEqual(upstreams)
  const names = services.map(({ metadata }: Manifest) => metadata.name)
  expect(names).toContain(set.spec.serviceName)
})

it('is started by the commands of the guide, as each file says itself', () => {
  const guide = readFileSync('docs/guides/many-users.md', 'utf8')
  const commands = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  )
  const headers = ['deploy/compose.yaml', 'deploy/kustomization.yaml'].map((path) =>
    readFileSync(path, 'utf8'),
  )
  expect(commands).toHaveLength(3)
  expect(commands.filter((command) => !headers.join().includes(command))).toEqual([])
  const named = commands.flatMap((command) => command.match(/deploy\S*/g) ?? [])
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})

it('runs every program there without root, on a root that it cannot write', () => {
  const pods = objects.filter(({ spec }: Manifest) => spec.template !== undefined)
  expect(pods).toHaveLength(2)
  for (const { spec } of pods) {
    const { containers, securityContext } = spec.template.spec
    expect(securityContext.runAsNonRoot).toBe(true)
    expect(containers[0].securityContext.readOnlyRootFilesystem).toBe(true)
  }
})

interface Process {
  readonly volumes: readonly string[]
  readonly networks: Readonly<Record<string, { readonly ipv4_address: string }>>
}

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly selector: Readonly<Record<string, string>>
    readonly template?: unknown
  }
}
