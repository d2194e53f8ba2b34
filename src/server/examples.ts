/**
 * The sandboxes of the examples: what the documents name, made by ordinary calls, so that each operation of both
 * documents succeeds with its examples. Loaded where somebody asks for them.
 */
import { exampleSandboxes } from '../openapi/examples/call.ts'
import type { Registry } from '../sandbox/registry.ts'
import { apiKeyOf, Sandbox } from '../sandbox/sandbox.ts'
import { orThrow, RefusalError } from '../surface/refusals.ts'
import type { WireError, WireProblem } from '../wire/errors.ts'
import { exampleStory, type StoryCall } from './example-story.ts'

/** What answers requests: an app. */
export interface Answering {
  request(path: string, init: RequestInit): Response | Promise<Response>
}

/** Those that were made here; what somebody else made under their names is not to be lost. */
const made = new WeakSet<Sandbox>()

/**
 * Makes the sandboxes of the examples anew, whatever became of them. Throws where one of its calls is refused, and, for
 * `replacing` their own, where another sandbox has one of the names.
 */
export async function makeExamples(
  app: Answering,
  registry: Registry,
  replacing: 'own' | 'any',
): Promise<void> {
  const present = Object.values(exampleSandboxes).filter((id) => registry.ids.includes(id))
  for (const sandboxId of replacing === 'any' ? [] : present) {
    const sandbox = await registry.find(sandboxId)
    // An example makes this one.
    if (sandboxId === exampleSandboxes.fresh) continue
    if (sandbox === null || (sandbox instanceof Sandbox && made.has(sandbox))) continue
    const message = `Sandbox "${sandboxId}" was there before, and stays. Delete it, or start with --examples, to have the examples made.`
    throw new RefusalError('exists', message)
  }
  for (const sandboxId of present) orThrow(await registry.remove(sandboxId))
  try {
    for (const call of exampleStory) await send(app, call)
  } finally {
    for (const sandboxId of Object.values(exampleSandboxes)) {
      const sandbox = await registry.find(sandboxId)
      if (sandbox instanceof Sandbox) made.add(sandbox)
    }
  }
}

async function send(app: Answering, { method, path, body, sandbox }: StoryCall): Promise<void> {
  const { main } = exampleSandboxes
  const ofCall: Record<string, string> = path.startsWith('/sandboxes')
    ? {}
    : { Authorization: `Bearer ${apiKeyOf(main)}`, 'Sandbox-Id': sandbox ?? main }
  const sent =
    body === undefined
      ? { headers: ofCall }
      : { headers: { ...ofCall, 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await app.request(path, { method, ...sent })
  if (answer.ok) return
  const refused = (await answer.json()) as WireError | WireProblem
  const [code, why] =
    'error' in refused ? [refused.error, refused.message] : [refused.code, refused.detail]
  throw new RefusalError(code, `The examples cannot be made, at ${method} ${path}: ${why}`)
}
