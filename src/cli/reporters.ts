/** `--reporter`: the forms of a report, and their files. */
import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Command, Option } from 'commander'
import { github } from '../contracts/report/github.ts'
import { pretty } from '../contracts/report/pretty.ts'
import type { Report } from '../contracts/report-shape.ts'
import { makeFolder } from '../store/files.ts'
import { folded, showsColours } from './terminal.ts'
import { repeated, UsageError } from './usage.ts'

/** One form, and the file that it goes to; null is the terminal. */
export interface Reporting {
  readonly name: string
  readonly file: string | null
}

type Colours = Parameters<typeof pretty>[1]

const writers: Readonly<Record<string, (report: Report, colours: Colours) => Promise<string>>> = {
  pretty: async (report, colours) => pretty(report, colours),
  json: async (report) => `${JSON.stringify(report, null, 2)}\n`,
  junit: async (report) => {
    const { junit } = await import('../contracts/report/junit.ts')
    return junit(report)
  },
  github: async (report) => github(report),
}

/** Adds the options of every command that reports on pacts. */
export function addReporters(command: Command): Command {
  const forms = 'pretty, json, junit or github, perhaps with =FILE; may be repeated'
  return command
    .addOption(repeated(new Option('--reporter <form>', forms)))
    .option('--json', 'as --reporter json')
}

/** The values of these options. */
export interface ReporterValues {
  readonly reporter?: readonly string[]
  readonly json?: boolean
}

/** Reads both. Throws `UsageError` for an unknown reporter, or two that cannot share the terminal. */
export function readReporters(values: ReporterValues): Reporting[] {
  const asked = [...(values.reporter ?? []), ...(values.json ? ['json'] : [])].map(readReporter)
  const reporters = asked.length === 0 ? [readReporter('pretty')] : asked
  const printed = reporters.filter(({ file }) => file === null).map(({ name }) => name)
  const alone = printed.find((name) => name === 'json' || name === 'junit')
  if (alone !== undefined && printed.length > 1) {
    throw new UsageError(
      `--reporter ${printed.join(', ')} cannot be printed together; write ${alone}=FILE.`,
    )
  }
  return reporters
}

/** Writes a report in every requested form. */
export async function writeReport(report: Report, reporters: readonly Reporting[]): Promise<void> {
  for (const { name, file } of reporters) {
    const write = writers[name]
    const text = await write?.(report, file === null && showsColours() ? 'coloured' : 'plain')
    if (text === undefined) continue
    if (file === null) process.stdout.write(name === 'pretty' ? folded(text) : text)
    else {
      await makeFolder(dirname(file))
      await writeFile(file, text)
    }
  }
}

function readReporter(text: string): Reporting {
  const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? []
  if (!Object.hasOwn(writers, name) || file === '') {
    const names = Object.keys(writers).join(', ')
    throw new UsageError(
      `--reporter must be one of ${names}, or one of them as name=FILE; got "${text}".`,
    )
  }
  return { name, file: file ?? null }
}
