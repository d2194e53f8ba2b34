/** The Kubernetes manifests of a folder: what its kustomization names, as the files have it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

export interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec?: Spec
}

/** What tests look at, of a StatefulSet, a Deployment or a Service. */
interface Spec {
  readonly replicas?: number
  readonly serviceName?: string
  readonly selector?: Readonly<Record<string, unknown>>
  readonly template?: { readonly spec: PodSpec }
}

interface PodSpec {
  readonly securityContext: { readonly runAsNonRoot: boolean }
  readonly containers: readonly {
    readonly securityContext: { readonly readOnlyRootFilesystem: boolean }
  }[]
}

export async function manifestsOf(folder: string): Promise<Manifest[]> {
  const { resources } = parse(await readFile(join(folder, 'kustomization.yaml'), 'utf8'))
  const texts = await Promise.all(
    resources.map((path: string) => readFile(join(folder, path), 'utf8')),
  )
  return texts.flatMap((text) => parseAllDocuments(text).map((each) => each.toJS() as Manifest))
}
