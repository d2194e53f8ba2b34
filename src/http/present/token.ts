/** Token families as the wire shows them. */
import type { TokenFamily } from '../../tokens/family.ts'
import { snakeKeys } from '../wire/case.ts'
import type { WireTokenFamily } from '../wire/token.ts'

/** A login on the wire; its tokens are never shown again. */
export function presentTokenFamily(family: TokenFamily): WireTokenFamily {
  return snakeKeys(family)
}
