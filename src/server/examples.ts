/**
 * The sandboxes of the examples: what the documents name, made by ordinary calls, so that each operation of both
 * documents succeeds with its examples. Loaded where somebody asks for them.
 */
import { exampleSandboxes } from '../openapi/examples/call.ts'
import type { Registry } from '../sandbox/registry.ts'
import { apiKeyOf } from '../sandbox/sandbox.ts'
import { orThrow, RefusalError } from '../surface/refusals.ts'
import type { WireError, WireProblem } from '../wire/errors.ts'
import { exampleStory, type StoryCall } from './example-story.ts'

/** What answers requests: an app. */
export interface Answering {
  request(path: string, init: RequestInit): Response | Promise<Response>
}

/** Makes the sandboxes of the examples anew, whatever became of them. Throws where one of its calls is refused. */
export async function makeExamples(app: Answering, registry: Registry): Promise<void> {
  const present = new Set(registry.ids)
  for (const sandboxId of Object.values(exampleSandboxes)) {
    if (present.has(sandboxId)) orThrow(await registry.remove(sandboxId))
  }
  for (const call of exampleStory) await send(app, call)
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
