/**
 * A file of the user: YAML or JSON by one reader, which knows the line of everything. Owns how what is wrong is reported:
 * file, line, path and rule, all problems at once.
 */
import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml'
import type * as z from 'zod'
import { fileErrorText } from '../store/files.ts'
import { parse } from '../surface/field-errors.ts'
import { type FieldProblem, moreProblems } from '../surface/refusals.ts'
import { tryParseJson } from '../wire/common/text.ts'

/** The most bytes of a file. */
const BYTES_MAX = 64 * 1024 * 1024

/** From here on JSON is read by Node, and by the reader of YAML only where something is wrong: that one takes seconds. */
const LARGE_BYTES = 1024 * 1024

/** The most problems that are listed of one file. */
const PROBLEMS_MAX = 20

/** How often what an anchor names may stand in a file. */
const ALIASES_MAX = 1000

/** Anchors can be merged into others; what is wrong is reported here, and nothing is printed. */
const reading = { prettyErrors: false, merge: true, logLevel: 'error' } as const

type Placed = readonly [line: number, message: string]

interface Parsed {
  readonly value: unknown
  /** The line of a field in the file; a field is a path such as `plans[2].amount`. */
  readonly lineOf: (field: string) => number
  /** What is wrong with the text itself. */
  readonly faults: readonly Placed[]
}

/** What a file says, or what is wrong with it, a line of text each; `listed` places further problems. */
type ReadData<Data> =
  | { readonly data: Data; readonly listed: (problems: readonly FieldProblem[]) => Unusable }
  | Unusable

interface Unusable {
  readonly problems: readonly string[]
}

/** Reads a file by a schema, which may depend on what the file says; `refuse` has the problems that no schema says. */
export async function readDataFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema | ((value: unknown) => Schema),
  refuse: (value: unknown) => readonly FieldProblem[] = () => [],
): Promise<ReadData<z.output<Schema>>> {
  const text = await textIn(file)
  if (typeof text !== 'string') return text
  const large = isPlainlyLarge(text) ? tryParseJson(text) : undefined
  const { value, lineOf, faults } = large === undefined ? parseYaml(text) : parsedLater(large, text)
  const listed = (problems: readonly FieldProblem[], more = 0) => {
    const placed = problems.map(({ field, message }) => [lineOf(field), message] as const)
    return { problems: linesOf(file, placed, more) }
  }
  if (faults.length > 0) return { problems: linesOf(file, faults) }
  const refused = refuse(value)
  if (refused.length > 0) return listed(refused)
  const checked = parse(typeof schema === 'function' ? schema(value) : schema, value)
  if (!('data' in checked)) return listed(checked.shown.map(ofFile), checked.more)
  return { data: checked.data, listed }
}

/** Whether another reader may read it, which tells no 5.00 from 5. */
function isPlainlyLarge(text: string): boolean {
  return text.length > LARGE_BYTES && !/\d\.0+\s*[,}\]]/.test(text)
}

async function textIn(file: string): Promise<string | Unusable> {
  try {
    // To read a pipe waits for its writer.
    if (!(await stat(file)).isFile()) return { problems: [`${file} must be a regular file.`] }
    const bytes = await readFile(file)
    const { length } = bytes
    if (length <= BYTES_MAX && isUtf8(bytes)) return new TextDecoder().decode(bytes)
    const rule = length > BYTES_MAX ? `at most ${BYTES_MAX} bytes; it has ${length}` : 'UTF-8'
    return { problems: [`${file} must be ${rule}.`] }
  } catch (error) {
    return { problems: [`${file} cannot be read: ${fileErrorText(error as Error)}.`] }
  }
}

/** A value that was read already; the text is parsed once a line is needed. */
function parsedLater(value: unknown, text: string): Parsed {
  let parsed: Parsed | null = null
  return {
    value,
    lineOf: (field) => {
      parsed ??= parseYaml(text)
      return parsed.lineOf(field)
    },
    faults: [],
  }
}

/** Reads YAML, of which JSON is a part. A small file with aliases of aliases does not become a large value. */
function parseYaml(text: string): Parsed {
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, { ...reading, lineCounter: lines })
    if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) throw new RangeError()
    // As a number, an amount of 5.00 would be 5 minor units; as a text it is refused. A percentage may be 5.00.
    visit(document, {
      Scalar: (_, node, path) => {
        const record = path.at(-2)
        const isPercentage = isMap(record) && record.get('type') === 'percentage'
        if (!isPercentage && /^-?\d+\.0+$/.test(node.source ?? '')) node.value = node.source
      },
    })
    const faults = [...document.errors, ...document.warnings].map(
      (fault) => [lines.linePos(fault.pos[0]).line, faultText(fault, text)] as const,
    )
    return {
      value: faults.length > 0 ? null : document.toJS({ maxAliasCount: ALIASES_MAX }),
      lineOf: (field) => lines.linePos(positionOf(document.contents, field)).line,
      faults,
    }
  } catch (error) {
    const isDeep = error instanceof RangeError
    const why = isDeep ? 'The file is nested too deep.' : sentence((error as Error).message)
    return { value: null, lineOf: () => 1, faults: [[1, why]] }
  }
}

/** What is wrong with a text, without what is for the programmers of the reader. */
function faultText({ code, message, pos: [at] }: YAMLError, text: string): string {
  if (code === 'MULTIPLE_DOCS') return 'The file must be one document; another one begins here.'
  if (code !== 'DUPLICATE_KEY') return sentence(message)
  const [, name] = /^["']?([^"':,\n]*?)\s*["':,\n]/.exec(text.slice(at)) ?? []
  return `${JSON.stringify(name ?? '')} must be given once; got it twice.`
}

/** The position of a field, or of what would contain it. */
function positionOf(root: ParsedNode | null, field: string): number {
  let node: Node | null | undefined = root
  let position = root?.range[0] ?? 0
  for (const [, name, index] of field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (isSeq(node) && index !== undefined) {
      node = node.items[Number(index)] as Node | undefined
      position = node?.range?.[0] ?? position
    } else if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      node = pair?.value as Node | null | undefined
      position = (pair?.key as Node | undefined)?.range?.[0] ?? position
    } else break
  }
  return position
}

/** The value at fault is a file here and no body. */
function ofFile({ field, message }: FieldProblem): FieldProblem {
  if (field !== 'body') return { field, message }
  const told = message.replace(/^The body/, 'The file').replace(/got null\.$/, 'it is empty.')
  return { field: '', message: told }
}

/** A line of text for each problem, in the order of the file; those for which there is no room are counted. */
function linesOf(file: string, placed: readonly Placed[], more = 0): readonly string[] {
  const sorted = placed.toSorted(([one], [other]) => one - other)
  const shown = sorted.slice(0, PROBLEMS_MAX)
  const lines = shown.map(([line, message]) => `${file}:${line}: ${message}`)
  return [...lines, ...moreProblems(sorted.length - shown.length + more)]
}

function sentence(message: string): string {
  const [line = ''] = message.split('\n')
  return /[.]$/.test(line) ? line : `${line}.`
}
