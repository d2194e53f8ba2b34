/** What the operations of the broker share: how they are declared, and reading what was published. */
import type { Context } from 'hono'
import { type Published, type PublishedPacts, withPacts } from '../../pacts/published-pacts.ts'
import { controlPlane } from '../../surface/declarations.ts'
import { orThrow } from '../../surface/refusals.ts'
import { Hal } from '../../wire/pact.ts'
import type { Refusal } from '../../world/refusal.ts'
import type { World } from '../../world/world.ts'
import { hostOf } from '../host.ts'
import { HAL } from './broker-resources.ts'

/** What every declaration of the broker says. */
export const brokerOperation = { ...controlPlane, tag: 'Broker' } as const

/** A reply with a resource in HAL. */
export function resource(description: string) {
  return { description, schema: Hal, mediaType: HAL, source: 'sandbox' } as const
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

/** Where the client reached this server. */
export function baseOf(c: Context): string {
  return `http://${hostOf(c)}`
}
