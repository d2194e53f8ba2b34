/**
 * The sandboxes of the examples: what the documents name, made by ordinary calls, so that each operation of both
 * documents succeeds with its examples. Loaded where somebody asks for them.
 */
import { exampleSandboxes } from '../openapi/examples/call.ts'
import type { Registry } from '../sandbox/registry.ts'
import { Sandbox } from '../sandbox/sandbox.ts'
import { apiKeyOf } from '../sandbox/sandbox-types.ts'
import { orThrow, RefusalError } from '../surface/refusals.ts'
import type { WireError, WireProblem } from '../wire/common/errors.ts'
import { toNewSandbox } from '../wire/sandbox/sandbox.ts'
import { type SampleCall, type SampleSandbox, sampleData } from './sample-data.ts'

/** What answers requests: an app. */
export interface RequestHandler {
  request(path: string, init: RequestInit): Response | Promise<Response>
}

/** Those that were made here: what somebody else made under their names is not to be lost. */
const made = new WeakSet<Sandbox>()

/**
 * Makes the sandboxes of the examples again, whatever was done to them; they are not stored. Throws if somebody else has
 * one of their names, or one of the calls is refused. `headers` are those that the control plane requires.
 */
export async function makeExamples(
  app: RequestHandler,
  registry: Registry,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const own = sampleData.flatMap((step) => ('makes' in step ? [step.makes] : []))
  const present = own.filter((sandboxId) => registry.ids.includes(sandboxId))
  for (const sandboxId of present) {
    const sandbox = await registry.find(sandboxId)
    if (sandbox === null || (sandbox instanceof Sandbox && made.has(sandbox))) continue
    const message = `Sandbox "${sandboxId}" was there before, and stays; delete it to have the examples made.`
    throw new RefusalError('exists', message)
  }
  for (const sandboxId of present) orThrow(await registry.remove(sandboxId))
  for (const step of sampleData) {
    if ('makes' in step) made.add(await makeSandbox(registry, step))
    else await send(app, step, headers)
  }
}

async function makeSandbox(registry: Registry, { makes, of }: SampleSandbox): Promise<Sandbox> {
  const order = toNewSandbox(of, makes)
  return orThrow<Sandbox>(await registry.create({ ...order, isVolatile: true }))
}

async function send(
  app: RequestHandler,
  { method, path, body, sandbox }: SampleCall,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { main } = exampleSandboxes
  const ofCall = {
    ...headers,
    Authorization: `Bearer ${apiKeyOf(main)}`,
    'Sandbox-Id': sandbox ?? main,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await app.request(path, { method, headers: ofCall, ...sent })
  if (answer.ok) return
  const refused = (await answer.json()) as WireError | WireProblem
  const [code, why] =
    'error' in refused ? [refused.error, refused.message] : [refused.code, refused.detail]
  throw new RefusalError(code, `The examples cannot be made, at ${method} ${path}: ${why}`)
}
