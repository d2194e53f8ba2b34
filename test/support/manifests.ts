/** The Kubernetes manifests of a folder: what its kustomization names, and every field that they may have. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import * as z from 'zod'

const Labels = z.record(z.string(), z.string())
const Named = z.strictObject({ name: z.string() })
const Count = z.int().positive()

const Metadata = z.strictObject({
  name: z.string(),
  labels: Labels.optional(),
  annotations: Labels.optional(),
})

const Probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string().startsWith('/'), port: z.string() }).optional(),
  tcpSocket: z.strictObject({ port: z.string() }).optional(),
  periodSeconds: Count.optional(),
  timeoutSeconds: Count.optional(),
  failureThreshold: Count.optional(),
})

const Container = z.strictObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).optional(),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: Count })),
  env: z
    .array(
      z.strictObject({
        name: z.string(),
        value: z.string().optional(),
        valueFrom: z
          .strictObject({
            secretKeyRef: z.strictObject({
              ...Named.shape,
              key: z.string(),
              optional: z.boolean(),
            }),
          })
          .optional(),
      }),
    )
    .optional(),
  readinessProbe: Probe,
  livenessProbe: Probe.optional(),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    capabilities: z.strictObject({ drop: z.array(z.string()) }),
  }),
  resources: z.strictObject({ requests: Labels, limits: Labels }).optional(),
  volumeMounts: z.array(
    z.strictObject({
      ...Named.shape,
      mountPath: z.string().startsWith('/'),
      subPath: z.string().optional(),
      readOnly: z.boolean().optional(),
    }),
  ),
})

const Pod = z.strictObject({
  metadata: z.strictObject({ labels: Labels }),
  spec: z.strictObject({
    securityContext: z.strictObject({
      runAsNonRoot: z.boolean(),
      runAsUser: Count,
      runAsGroup: Count,
      fsGroup: Count.optional(),
    }),
    terminationGracePeriodSeconds: Count.optional(),
    containers: z.array(Container).min(1),
    volumes: z
      .array(
        z.strictObject({
          ...Named.shape,
          configMap: Named.optional(),
          emptyDir: z.strictObject({}).optional(),
        }),
      )
      .optional(),
  }),
})

const workload = {
  replicas: Count,
  selector: z.strictObject({ matchLabels: Labels }),
  template: Pod,
}

const StatefulSet = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('StatefulSet'),
  metadata: Metadata,
  spec: z.strictObject({
    ...workload,
    serviceName: z.string(),
    podManagementPolicy: z.enum(['OrderedReady', 'Parallel']),
    volumeClaimTemplates: z.array(
      z.strictObject({
        metadata: Metadata,
        spec: z.strictObject({
          accessModes: z.array(z.string()),
          resources: z.strictObject({ requests: Labels }),
        }),
      }),
    ),
  }),
})

const Deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata: Metadata,
  spec: z.strictObject(workload),
})

const Service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata: Metadata,
  spec: z.strictObject({
    clusterIP: z.literal('None').optional(),
    publishNotReadyAddresses: z.boolean().optional(),
    selector: Labels,
    ports: z.array(z.strictObject({ name: z.string(), port: Count, targetPort: z.string() })),
  }),
})

const Backend = z.strictObject({
  service: z.strictObject({ name: z.string(), port: Named }),
})

const Ingress = z.strictObject({
  apiVersion: z.literal('networking.k8s.io/v1'),
  kind: z.literal('Ingress'),
  metadata: Metadata,
  spec: z.strictObject({
    ingressClassName: z.string(),
    rules: z.array(
      z.strictObject({
        host: z.string(),
        http: z.strictObject({
          paths: z.array(
            z.strictObject({
              path: z.string().startsWith('/'),
              pathType: z.enum(['Exact', 'Prefix', 'ImplementationSpecific']),
              backend: Backend,
            }),
          ),
        }),
      }),
    ),
  }),
})

/** The fields that our manifests have, as the reference of the Kubernetes API lists them. */
export const Manifest = z.discriminatedUnion('kind', [StatefulSet, Deployment, Service, Ingress])
export type Manifest = z.infer<typeof Manifest>
export type ManifestOf<Kind extends Manifest['kind']> = Extract<Manifest, { kind: Kind }>

/** The objects that a folder's kustomization names. Throws for a field that is not listed above. */
export async function manifestsOf(folder: string): Promise<Manifest[]> {
  const { resources } = parse(await readFile(join(folder, 'kustomization.yaml'), 'utf8'))
  const objects = await Promise.all(resources.map((path: string) => objectsIn(join(folder, path))))
  return objects.flat()
}

/** The objects in one file. */
export async function objectsIn(path: string): Promise<Manifest[]> {
  const documents = parseAllDocuments(await readFile(path, 'utf8'))
  return documents.map((each) => Manifest.parse(each.toJS()))
}

/** The objects of one kind. */
export function ofKind<Kind extends Manifest['kind']>(
  objects: readonly Manifest[],
  kind: Kind,
): ManifestOf<Kind>[] {
  return objects.filter((each): each is ManifestOf<Kind> => each.kind === kind)
}
