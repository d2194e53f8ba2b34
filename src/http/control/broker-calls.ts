/** What the operations of the broker share: their declarations, the pacts of the sandbox that is called, replies in HAL. */
import type { Context } from 'hono'
import { type Published, type PublishedPacts, withPacts } from '../../pacts/published-pacts.ts'
import { location } from '../../surface/declarations.ts'
import { orThrow } from '../../surface/refusals.ts'
import { Hal } from '../../wire/pact.ts'
import type { Refusal } from '../../world/refusal.ts'
import type { World } from '../../world/world.ts'
import { hostOf } from '../guard.ts'

export const HAL = 'application/hal+json'

const hal = { schema: Hal, mediaType: HAL, source: 'sandbox' } as const

export function resource(description: string) {
  return { 200: { ...hal, description } } as const
}

export function storedResource(description: string) {
  return { 201: { ...hal, description, headers: { Location: location } } } as const
}

/** Works on what was published to the sandbox of a request. Throws what is refused. */
export async function workOnPacts<Value>(
  c: Context,
  work: (pacts: PublishedPacts, world: World) => Promise<Value | Refusal>,
): Promise<Value> {
  return orThrow<Value>(await withPacts(c.get('sandbox'), work))
}

/** All that was published to the sandbox of a request. */
export function publishedIn(c: Context): Promise<Published> {
  return workOnPacts<Published>(c, async (pacts) => pacts.list())
}

/** A resource with the address where the client reached this server in every link: verifiers resolve no others. */
export function addressed<Resource>(c: Context, body: Resource): Resource {
  const base = `http://${hostOf(c)}`
  return JSON.parse(JSON.stringify(body), (key, value) => (key === 'href' ? base + value : value))
}
