/** Lines of a shell in this process: those that the hints of coverage are made of, and no others. */
import { outcome, run } from './command-line.ts'

/** What a line finds set; a line may set more. */
export type Variables = Record<string, string>

const command = /^subscription-sandbox /
const assignment = /^(\w+)=\$\((.*) \| cut -d '"' -f 4\)$/
const piped = /^head -c (\d+) \/dev\/zero \| /

/** Runs a line. Returns what it printed; throws for a line that it cannot read. */
export async function runLine(line: string, variables: Variables): Promise<string> {
  const [, name, inner] = assignment.exec(line) ?? []
  if (name !== undefined && inner !== undefined) {
    variables[name] = (await runLine(inner, variables)).split('"')[3] ?? ''
    return ''
  }
  const [, zeros] = piped.exec(line) ?? []
  const words = wordsOf(line.replace(piped, ''), variables)
  if (command.test(line)) return (await outcome(run(words.slice(1), variables))).out
  if (words[0] !== 'curl') throw new Error(`No such command: ${line}`)
  return curl(words.slice(1), '\0'.repeat(Number(zeros ?? 0)))
}

/** Words as a shell splits them, with variables outside of single quotes. */
function wordsOf(line: string, variables: Variables): string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  return words.map((word) =>
    word.replaceAll(/'([^']*)'|"|\$(\w+)/g, (_, plain?: string, name?: string) => {
      return plain ?? (name === undefined ? '' : (variables[name] ?? ''))
    }),
  )
}

/** As curl does it, with `-s`, `-X`, `-H`, `-d` and `--data-binary @-`. */
async function curl(words: readonly string[], input: string): Promise<string> {
  const headers = new Headers()
  const bodies: string[] = []
  let [method, url] = ['', '']
  const takes: Record<string, (value: string) => void> = {
    '-X': (value) => {
      method = value
    },
    '-H': (value) => headers.set(value.split(': ')[0] ?? '', value.split(': ')[1] ?? ''),
    '-d': (value) => bodies.push(value),
    '--data-binary': () => bodies.push(input),
  }
  const left = words.filter((word) => word !== '-s')
  while (left.length > 0) {
    const word = left.shift() ?? ''
    const take = takes[word]
    if (take === undefined) url = word
    else take(left.shift() ?? '')
  }
  const body = bodies.join('&')
  if (bodies.length > 0 && !headers.has('Content-Type')) {
    headers.set('Content-Type', 'application/x-www-form-urlencoded')
  }
  const sent = bodies.length > 0 ? { method: method || 'POST', body } : { method: method || 'GET' }
  return (await fetch(url, { ...sent, headers })).text()
}
