/** The rows of docs/fidelity.md that say what is assumed. */
import { presentAssumptions } from '../src/wire/sandbox/settings.ts'

/** One row of Markdown for each assumption of the register, in its order. */
export function assumedRows(): string {
  const rows = presentAssumptions().map((entry) => {
    const { slug, section, question, choice, setting, options, otherwise, warning } = entry
    const change = setting === null ? 'fixed' : `\`${setting}\`: ${options}`
    const id = `<a id="${slug}"></a>\`${slug}\``
    const decided = warning === null ? choice : `${choice} **Warning:** ${warning}`
    return `| ${id} | ${section} | ${question} | ${decided} | ${change} | ${otherwise ?? ''} |\n`
  })
  return rows.join('')
}
