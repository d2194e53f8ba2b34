/** `scenario`: what customers will pay, as a file asks; and whether that is still what is stored beside it. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { runScenarioFile } from '../../server/scenario-file.ts'
import { countText } from '../../wire/common/text.ts'
import { readNamed, writeNamed } from '../terminal/files.ts'
import { addExamples, type Configure, ExitCode, UsageError } from '../terminal/usage.ts'

export const scenarioCommand: Configure = (command) => {
  const runExample = 'scenario run shop.scenario.yaml'
  const testExamples = [
    'scenario test scenarios/*.scenario.yaml',
    'scenario test shop.scenario.yaml --update',
  ]
  addExamples(command, runExample, ...testExamples)
  addExamples(command.command('run'), runExample)
    .summary('print what is billed in a scenario, and what happens')
    .description('Prints the invoices month by month, their totals, and the timeline.')
    .argument('<file>', 'the scenario, in YAML or JSON')
    .action(runOne)
  addExamples(command.command('test'), ...testExamples)
    .summary('compare scenarios with their golden files')
    .description('Compares what run prints with the golden file beside each scenario.')
    .argument('<files...>', 'the scenarios; shop.scenario.yaml has shop.scenario.golden.txt')
    .option('--update', 'write the golden files instead')
    .action(testAll)
}

/** Prints the text of a scenario. Throws `UsageError` with every problem of its file. */
async function runOne(file: string): Promise<void> {
  const result = await runScenarioFile(file)
  if ('problems' in result) throw new UsageError(result.problems.join('\n'))
  process.stdout.write(result.text)
}

async function testAll(files: string[], { update }: { readonly update?: true }): Promise<void> {
  const problems: string[] = []
  const owners = new Map<string, string>()
  let differing = 0
  for (const file of files) {
    const result = await runScenarioFile(file)
    const golden = `${file.replace(/\.(?:ya?ml|json)$/, '')}.golden.txt`
    const owner = owners.get(resolve(golden)) ?? file
    owners.set(resolve(golden), owner)
    if ('problems' in result) problems.push(...result.problems)
    else if (resolve(owner) !== resolve(file)) {
      problems.push(`${golden} would be of ${owner} and ${file}; rename one of them.`)
    } else if (update) {
      await writeNamed('The golden file', golden, result.text)
      process.stdout.write(`${golden} is written.\n`)
    } else {
      const difference = await differenceFrom(golden, result.text)
      if (difference !== null) process.stdout.write(difference)
      else problems.push(`${golden} does not exist; ${updating} ${file} --update writes it.`)
      differing += Number(Boolean(difference))
    }
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  if (!update) printSummary(files.length, differing)
}

const updating = 'npx subscription-sandbox scenario test'

function printSummary(count: number, differing: number): void {
  const total = countText(count, 'scenario')
  const changed = `Not as stored: ${differing} of ${total}. If that is intended, run it with --update.`
  process.stdout.write(differing === 0 ? `${total}, as stored.\n` : `${changed}\n`)
  process.exitCode = differing === 0 ? ExitCode.ok : ExitCode.no
}

/**
 * How a text differs from what is stored: lines with - are stored, those with + are new. Empty if it does not, null if
 * nothing is stored.
 */
async function differenceFrom(golden: string, text: string): Promise<string | null> {
  if (!existsSync(golden)) return null
  // With the line ends of every system.
  const stored = (await readNamed('The golden file', golden)).replaceAll('\r\n', '\n')
  if (stored === text) return ''
  const patch = createTwoFilesPatch(golden, golden, stored, text, 'stored', 'now', { context: 3 })
  return patch.slice(patch.indexOf('---'))
}
