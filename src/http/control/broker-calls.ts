/** What the operations of the broker share: their declarations, the pacts of the sandbox that is called, replies in HAL. */
import type { Context } from 'hono'
import * as z from 'zod'
import { type Published, type PublishedPacts, withPacts } from '../../pacts/published-pacts.ts'
import { controlPlane, location } from '../../surface/declarations.ts'
import { orThrow } from '../../surface/refusals.ts'
import { Hal, PartyName } from '../../wire/pact.ts'
import type { Refusal } from '../../world/refusal.ts'
import type { World } from '../../world/world.ts'
import { hostOf } from '../guard.ts'

/** What every declaration of the broker says, and that of what only reads. */
export const brokerOperation = { ...controlPlane, tag: 'Broker' } as const
export const brokerRead = { ...brokerOperation, method: 'get' } as const

type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never

/** A path and its parameters, which are names that teams chose. */
export function at<const Path extends `/${string}`>(path: Path) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, PartyName])
  const shape: Record<ParameterOf<Path>, typeof PartyName> = Object.fromEntries(names)
  return { path, params: z.strictObject(shape) }
}

/** The media type of the resources. */
export const HAL = 'application/hal+json'

const hal = { schema: Hal, mediaType: HAL, source: 'sandbox' } as const

/** The replies of an operation that returns a resource. */
export function resource(description: string) {
  return { 200: { ...hal, description } } as const
}

/** The replies of an operation that stores a resource. */
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
