/** The options of `serve` as a table, from their declarations. */
import { programFor } from '../src/cli/program.ts'
import { variableNames } from '../src/cli/terminal/usage.ts'

/** The table in docs/serving.md, between its marks. */
export const marked = /(?<=<!-- options:start -->\n)[\s\S]*(?=<!-- options:end -->)/

export async function optionsTable(): Promise<string> {
  const program = await programFor(['serve'])
  const command = program.commands.find((each) => each.name() === 'serve')
  const rows = (command?.options ?? []).map((option) => {
    const initially = option.defaultValue === undefined ? '' : `\`${option.defaultValue}\``
    const names = variableNames(option).map((name) => `\`${name}\``)
    return `| \`${option.flags}\` | ${names.join(', ')} | ${initially} | ${option.description} |`
  })
  return [
    '',
    '| option | variable | default | meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
    '',
  ].join('\n')
}
