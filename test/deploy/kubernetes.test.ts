/** What the guide says to type at Kubernetes is typed at a real API server, where there is one. */
import { spawnSync } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type ApiServer, hasApiServer, hasKubectl, openApiServer } from '../support/api-server.ts'
import { commandIn } from '../support/fences.ts'
import { temporaryFolder } from '../support/folders.ts'
import { type Manifest, manifestsOf } from '../support/manifests.ts'

const apply = await commandIn('docs/guides/many-users.md', 'kubectl apply')

if (!hasKubectl) process.stderr.write(`Not run: ${apply}: there is no kubectl.\n`)
else if (!hasApiServer)
  process.stderr.write(
    `Not run: ${apply}: there is no etcd or no kube-apiserver (scripts/kubernetes-assets.sh).\n`,
  )

describe.runIf(hasKubectl)('kubectl', () => {
  it('makes what the files say, with the configuration of nginx', async () => {
    const folder = apply.replace('kubectl apply --kustomize ', '')
    const { stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })
    expect(stderr).toBe('')
    const made = parseAllDocuments(stdout).map((each) => each.toJS() as Manifest)
    expect(byName(made)).toEqual(byName(await wanted('deploy', made)))
  })
})

describe.runIf(hasKubectl && hasApiServer)('an API server', () => {
  let server: ApiServer

  beforeAll(async () => {
    server = await openApiServer()
    process.stdout.write(`kubectl apply: to an API server of version ${server.version}\n`)
  })
  afterAll(() => server?.close())

  it('takes what the guide applies, without a warning, and has it as the files say', async () => {
    const { code, errors, made } = await applied('guide', '.')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(byName(made)).toMatchObject(byName(await wanted('deploy', made)))
  })

  it('changes nothing when it is applied again', async () => {
    const before = await applied('guide', '.')
    const { code, made } = await applied('guide', '.')
    expect(code).toBe(0)
    expect(made).toEqual(before.made)
  })

  it('takes ingress-hash.yaml in place of the proxy', async () => {
    await using copy = await copied('kustomization.yaml', (text) =>
      text
        .replace('  - kubernetes/proxy.yaml\n', '')
        .replace('kubernetes/ingress.yaml', 'kubernetes/ingress-hash.yaml'),
    )
    const { code, errors, made } = await applied('hashed', copy.path)
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(made.map(({ kind }) => kind)).not.toContain('Deployment')
    expect(byName(made)).toMatchObject(byName(await wanted(join(copy.path, 'deploy'), made)))
  })

  it('refuses a field that it does not know', async () => {
    await using copy = await copied('kubernetes/proxy.yaml', (text) =>
      text.replace('readinessProbe', 'readynessProbe'),
    )
    const { code, errors } = await applied('misspelt', copy.path)
    expect(code).toBe(1)
    expect(errors).toContain('unknown field "spec.template.spec.containers[0].readynessProbe"')
  })

  /** Types the command of the guide where a copy of deploy/ is, into a namespace of its own; reads back what is there. */
  async function applied(namespace: string, cwd: string) {
    const made = 'statefulset,service,deployment,configmap,ingress --output json'
    await server.typed(`kubectl create namespace ${namespace}`, { namespace: 'default' })
    const result = await server.typed(apply, { namespace, cwd })
    const { output } = await server.typed(`kubectl get ${made}`, { namespace })
    return { ...result, made: JSON.parse(output).items as Manifest[] }
  }
})

/**
 * What the files of a folder say, with what kustomize adds: the configuration of nginx, whose name ends with a hash of
 * it, and the tag of the image.
 */
async function wanted(folder: string, made: readonly Manifest[]): Promise<Manifest[]> {
  const name = made.find(({ kind }) => kind === 'ConfigMap')?.metadata.name ?? ''
  expect(name).toMatch(/^nginx-\w{10}$/)
  const conf = await readFile('deploy/nginx.conf', 'utf8')
  const objects = JSON.stringify(await manifestsOf(folder))
    .replaceAll('"image":"subscription-sandbox"', '"image":"subscription-sandbox:latest"')
    .replaceAll('"configMap":{"name":"nginx"}', `"configMap":{"name":"${name}"}`)
  const configuration = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }
  return [...JSON.parse(objects), { ...configuration, data: { 'nginx.conf': conf } }]
}

function byName(objects: readonly Manifest[]): Readonly<Record<string, Manifest>> {
  return Object.fromEntries(objects.map((each) => [`${each.kind} ${each.metadata.name}`, each]))
}

/** A folder with a copy of deploy/, one file of which is changed. */
async function copied(file: string, change: (text: string) => string) {
  const { path, remove } = await temporaryFolder()
  await cp('deploy', join(path, 'deploy'), { recursive: true })
  const text = await readFile(join('deploy', file), 'utf8')
  await writeFile(join(path, 'deploy', file), change(text))
  return { path, [Symbol.asyncDispose]: remove }
}
