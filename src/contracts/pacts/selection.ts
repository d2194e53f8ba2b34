/** Selects some interactions of a pact. */
import { applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser'
import type { PactFile } from './pact-file.ts'

/** A pact without the interactions whose descriptions do not hold a text; the lines of the others stay. */
export function selectInteractions(pact: PactFile, wanted: string): PactFile {
  const isMeant = ({ description }: { readonly description: string }) => {
    return description.toLowerCase().includes(wanted.toLowerCase())
  }
  return {
    ...pact,
    interactions: pact.interactions.filter(isMeant),
    foreign: pact.foreign.filter(isMeant),
  }
}

/** The text of the HTTP interactions that a pact has; where those are all of the file, the very bytes that were read. */
export function httpText({ text, interactions, document }: PactFile): string {
  const messages = document['messages'] === undefined
  const left = messages ? text : applyEdits(text, modify(text, ['messages'], undefined, {}))
  const tree = parseTree(left)
  const list = tree && findNodeAtLocation(tree, ['interactions'])
  const isWhole = interactions.every(({ index }, position) => index === position)
  if (list?.children === undefined) return left
  if (isWhole && list.children.length === interactions.length) return left
  const kept = interactions.map(({ index }) => {
    const { offset = 0, length = 0 } = list.children?.[index] ?? {}
    return left.slice(offset, offset + length)
  })
  const end = list.offset + list.length
  return `${left.slice(0, list.offset)}[${kept.join(',')}]${left.slice(end)}`
}
