/** Documents as text. */
import { stringify } from 'yaml'

/** A document as YAML, every value written out. */
export function asYaml(document: object): string {
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 100, version: '1.1' })
}
