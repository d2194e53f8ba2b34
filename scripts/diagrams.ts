/** The diagrams of the documents, in Mermaid, drawn from what the code goes by. */
import { statusTable, type Trigger } from '../src/billing/status.ts'
import { mayImport } from '../test/support/repository.ts'

/** What leads from one status to another, for docs/rules.md. What leaves the status as it is has no arrow. */
export function statusDiagram(): string {
  const arrows = Object.entries(statusTable).flatMap(([from, triggers]) => {
    const moves = Object.entries(triggers).flatMap(([trigger, to]) =>
      [to].flat().map((status) => ({ trigger: trigger as Trigger, status })),
    )
    const others = [...new Set(moves.map(({ status }) => status))].filter((to) => to !== from)
    return others.map((to) => {
      const because = moves.filter(({ status }) => status === to).map(({ trigger }) => trigger)
      return `  ${from} --> ${to}: ${because.join(', ')}\n`
    })
  })
  const ends = Object.entries(statusTable).flatMap(([status, triggers]) =>
    Object.keys(triggers).length === 0 ? `  ${status} --> [*]\n` : [],
  )
  const begins = ['trialing', 'active', 'past_due'].map((status) => `  [*] --> ${status}\n`)
  return `\`\`\`mermaid\nstateDiagram-v2\n${[...begins, ...arrows, ...ends].join('')}\`\`\`\n`
}

/** Which folder of src/ knows which, for ARCHITECTURE.md. An arrow that others imply is left out. */
export function layerDiagram(): string {
  const folders = Object.keys(mayImport).filter((name) => !name.endsWith('.ts'))
  const known = (name: string) => (mayImport[name] ?? []).filter((each) => folders.includes(each))
  const reach = (name: string): string[] => known(name).flatMap((each) => [each, ...reach(each)])
  const arrows = folders.flatMap((from) =>
    known(from)
      .filter((to) => !known(from).some((other) => reach(other).includes(to)))
      .map((to) => `  ${from} --> ${to}\n`),
  )
  return `\`\`\`mermaid\nflowchart TD\n${arrows.join('')}\`\`\`\n`
}

/** A page with a diagram in place of the one of the same kind that it has. */
export function withDiagram(page: string, diagram: string): string {
  const [, kind = ''] = diagram.split('\n')
  return page.replace(new RegExp(`\`\`\`mermaid\n${kind}\n[^\`]*\`\`\`\n`), diagram)
}
