/** kubectl makes of deploy/ what its files say, where there is kubectl. */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { commandIn } from '../support/fences.ts'
import { manifestsOf } from '../support/manifests.ts'

interface Named {
  readonly kind: string
  readonly metadata: { readonly name: string }
}

const apply = await commandIn('docs/guides/many-users.md', 'kubectl apply')
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0

if (!hasKubectl) process.stderr.write(`Not run: ${apply}: there is no kubectl.\n`)

describe.runIf(hasKubectl)('kubectl', () => {
  it('makes what the files say, with the configuration of nginx', async () => {
    const made = parseAllDocuments(kustomized()).map((each) => each.toJS() as Named)
    expect(byName(made)).toEqual(byName(await wanted(made)))
  })

  it('makes the same each time', () => {
    expect(kustomized()).toBe(kustomized())
  })
})

/** What the command of the guide would apply. */
function kustomized(): string {
  const folder = apply.replace('kubectl apply --kustomize ', '')
  const { stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout
}

/**
 * What the files say, with what kustomize adds: the configuration of nginx, whose name ends with a hash of it, and the
 * tag of the image.
 */
async function wanted(made: readonly Named[]): Promise<Named[]> {
  const name = made.find(({ kind }) => kind === 'ConfigMap')?.metadata.name ?? ''
  expect(name).toMatch(/^nginx-\w{10}$/)
  const conf = await readFile('deploy/nginx.conf', 'utf8')
  const objects = JSON.stringify(await manifestsOf('deploy'))
    .replaceAll('"image":"subscription-sandbox"', '"image":"subscription-sandbox:latest"')
    .replaceAll('"configMap":{"name":"nginx"}', `"configMap":{"name":"${name}"}`)
  const configuration = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }
  return [...JSON.parse(objects), { ...configuration, data: { 'nginx.conf': conf } }]
}

function byName(objects: readonly Named[]): Readonly<Record<string, Named>> {
  return Object.fromEntries(objects.map((each) => [`${each.kind} ${each.metadata.name}`, each]))
}
