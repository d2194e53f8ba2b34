/** The rows of docs/fidelity.md that say what is assumed. */
import { presentAssumptions } from '../src/wire/settings.ts'

/** One row of Markdown for each assumption of the register, in its order. */
export function assumedRows(): string {
  const rows = presentAssumptions().map((entry) => {
    const { slug, section, question, choice, setting, options } = entry
    const change = setting === null ? 'fixed' : `\`${setting}\`: ${options}`
    return `| <a id="${slug}"></a>\`${slug}\` | ${section} | ${question} | ${choice} | ${change} |\n`
  })
  return rows.join('')
}
