/** Writes the diagrams of docs/rules.md and ARCHITECTURE.md. */
import { readFile, writeFile } from 'node:fs/promises'
import { layerDiagram, statusDiagram, withDiagram } from './diagrams.ts'

for (const [name, diagram] of [
  ['docs/rules.md', statusDiagram()],
  ['ARCHITECTURE.md', layerDiagram()],
] as const) {
  const page = new URL(`../${name}`, import.meta.url)
  await writeFile(page, withDiagram(await readFile(page, 'utf8'), diagram))
}
