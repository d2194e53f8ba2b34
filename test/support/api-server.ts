/** A real Kubernetes API server, for commands of kubectl: etcd and kube-apiserver on loopback, without nodes. */
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryFolder } from './folders.ts'
import { type Run, runProgram } from './process.ts'
import { freePort } from './team-server.ts'

const READY_MS = 60_000

export interface ApiServer {
  /** Its version, as it says it itself. */
  readonly version: string
  /** Runs a line of shell, whose kubectl has this server and a namespace of it. */
  readonly typed: (line: string, place: Place) => Promise<{ code: number | null } & Printed>
  readonly close: () => Promise<void>
}

interface Place {
  readonly namespace: string
  readonly cwd?: string
}

interface Printed {
  readonly output: string
  readonly errors: string
}

export const hasKubectl = succeeds('kubectl', 'version', '--client')

/** The folder that many tools of Kubernetes name so; else the programs are looked for on PATH. */
const program = (name: string) =>
  process.env['KUBEBUILDER_ASSETS'] ? join(process.env['KUBEBUILDER_ASSETS'], name) : name

export const hasApiServer =
  succeeds(program('etcd'), '--version') && succeeds(program('kube-apiserver'), '--version')

/** Starts both, and waits until the server is ready. */
export async function openApiServer(): Promise<ApiServer> {
  const folder = await temporaryFolder()
  const etcdUrl = `http://127.0.0.1:${await freePort()}`
  const etcd = runProgram([
    program('etcd'),
    ...['--data-dir', join(folder.path, 'etcd'), '--unsafe-no-fsync'],
    ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
    ...['--listen-peer-urls', 'http://127.0.0.1:0'],
  ])
  const key = join(folder.path, 'service-accounts.pem')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const token = randomUUID()
  const tokens = join(folder.path, 'tokens.csv')
  await writeFile(tokens, `${token},test,test,system:masters\n`)
  const port = await freePort()
  const certificates = join(folder.path, 'certificates')
  const server = runProgram([
    program('kube-apiserver'),
    ...['--etcd-servers', etcdUrl, '--cert-dir', certificates],
    ...['--bind-address', '127.0.0.1', '--advertise-address', '127.0.0.1'],
    ...['--secure-port', String(port), '--endpoint-reconciler-type', 'none'],
    ...['--service-cluster-ip-range', '10.0.0.0/24'],
    ...['--service-account-issuer', 'https://kubernetes.default.svc'],
    ...['--service-account-key-file', key, '--service-account-signing-key-file', key],
    ...['--token-auth-file', tokens, '--authorization-mode', 'RBAC'],
  ])

  const typed = async (line: string, { namespace, cwd = process.cwd() }: Place) => {
    const config = join(folder.path, `${namespace}.json`)
    const cluster = {
      server: `https://127.0.0.1:${port}`,
      'certificate-authority': join(certificates, 'apiserver.crt'),
    }
    await writeFile(
      config,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'test', cluster }],
        users: [{ name: 'test', user: { token } }],
        contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace } }],
        'current-context': 'test',
      }),
    )
    const running = runProgram(['sh', '-c', line], { KUBECONFIG: config }, cwd)
    const code = await running.ended
    return { code, output: running.output(), errors: running.errors() }
  }
  const close = async () => {
    for (const each of [server, etcd]) {
      each.child.kill('SIGTERM')
      await each.ended
    }
    await folder.remove()
  }

  const giveUpAt = Date.now() + READY_MS
  const isReady = async () => {
    const { code } = await typed('kubectl get --raw /readyz', { namespace: 'default' })
    return code === 0
  }
  while (!(await isReady())) {
    if (hasEnded(etcd) || hasEnded(server) || Date.now() > giveUpAt) {
      await close()
      throw new Error(`The API server did not get ready: ${etcd.errors()}${server.errors()}`)
    }
    await pause(200)
  }
  const version = (await typed('kubectl version', { namespace: 'default' })).output
  return { version: /Server Version: (\S+)/.exec(version)?.[1] ?? '', typed, close }
}

function hasEnded({ child }: Run): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function succeeds(name: string, ...args: readonly string[]): boolean {
  return spawnSync(name, args).status === 0
}
