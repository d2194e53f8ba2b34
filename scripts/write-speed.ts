/** Runs every bench and writes what it found into docs/speed.md, between its two markers. */
import { readFile, writeFile } from 'node:fs/promises'
import { type Figure, holds, print, targetText } from '../bench/support/figures.ts'
import { runSuite } from '../bench/support/suite.ts'

const file = new URL('../docs/speed.md', import.meta.url)
const START = '<!-- bench:start -->'
const END = '<!-- bench:end -->'

const figures = await runSuite()
print(figures)
const text = await readFile(file, 'utf8')
const [from, to] = [text.indexOf(START), text.indexOf(END)]
if (from === -1 || to < from) throw new Error(`docs/speed.md has no ${START} and ${END}`)
await writeFile(file, `${text.slice(0, from)}${START}\n${sectionOf(figures)}\n${text.slice(to)}`)

function sectionOf(measured: readonly Figure[]): string {
  return [
    'Most figures are ratios against a baseline of the same run, so they mean about the same on your machine. Those against',
    '50 ms, a second or 1 MB are of the machine of the run. `npm run bench` prints them; `npm run speed` writes this table.',
    '',
    '| measured | against | ratio | target | |',
    '|---|---|---|---|---|',
    ...measured.map(rowOf),
  ].join('\n')
}

function rowOf(figure: Figure): string {
  const { measure, against, ratio, target } = figure
  const verdict = holds(figure) ? 'holds' : '**missed**'
  const cells = [measure, against, `${ratio.toFixed(2)}x`, targetText(target)]
  return `| ${[...cells, target === null ? '' : verdict].join(' | ')} |`
}
