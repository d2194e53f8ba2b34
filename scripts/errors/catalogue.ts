/** The catalogue of errors, as a page of Markdown and as a page that is served: what the table says, and recorded answers. */
import { controlRoutes } from '../../src/http/control/routes.ts'
import { USUAL_ADDRESS } from '../../src/openapi/common.ts'
import { recordedAt } from '../../src/openapi/errors/examples.ts'
import { v1Operations } from '../../src/operations/v1.ts'
import type { Declaration } from '../../src/surface/operation.ts'
import { type Code, codeTable } from '../../src/wire/common/error-codes.ts'
import { shellWord } from '../../src/wire/common/text.ts'
import type { ErrorCall, ErrorRow, Provocation } from './row.ts'
import { errorTable } from './table.ts'

/** How one surface answers with a code. */
export interface CatalogueExample {
  readonly surface: '/v1' | 'the control plane'
  readonly calls: Provocation
  /** The status and the body. */
  readonly status: number
  readonly body: unknown
}

export interface CatalogueEntry extends Omit<ErrorRow, 'provocations' | 'elsewhere'> {
  readonly code: Code
  readonly status: number
  readonly title: string
  readonly examples: readonly CatalogueExample[]
}

export const operations: readonly Declaration[] = [...v1Operations, ...controlRoutes]

/** Every code, in the order of the table, with one example for each surface that can answer it. */
export function catalogue(): CatalogueEntry[] {
  const rows = Object.entries(errorTable) as [Code, ErrorRow][]
  return rows.map(([code, { provocations, elsewhere: _, ...row }]) => {
    const surfaces = new Map<string, CatalogueExample>()
    for (const calls of provocations) {
      const answer = recordedAt(code, operationOf(calls))
      const isClients = calls.at(-1)?.path.startsWith('/v1') === true
      const surface = isClients ? '/v1' : 'the control plane'
      if (answer === undefined || surfaces.has(surface)) continue
      surfaces.set(surface, { surface, calls, status: answer.status, body: answer.body })
    }
    return { code, ...codeTable[code], ...row, examples: [...surfaces.values()] }
  })
}

/** The operation that serves the last call; its method and path where none does. */
export function operationOf(calls: Provocation): string {
  const { method, path } = calls.at(-1) ?? { method: '', path: '' }
  const [bare = ''] = path.split(/[?#]/)
  const fits = operations.filter(
    (each) =>
      each.method === method.toLowerCase() &&
      new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare),
  )
  // Of two that fit, the one with fewer parameters serves it.
  const [found] = fits.sort((one, other) => (one.path < other.path ? -1 : 1))
  return found?.operationId ?? `${method} ${bare}`
}

/** The numbers that stand for several calls, as `[1-9]`. */
export const brackets = /\[(\d+)-(\d+)\]/

export function bracketsOf({ path, body = '' }: ErrorCall): [number, number] | null {
  const [, from, to] = brackets.exec(path) ?? brackets.exec(body) ?? []
  return from === undefined || to === undefined ? null : [Number(from), Number(to)]
}

/** The commands of a shell that make these calls; only the last one prints its answer. */
export function commandsOf(calls: Provocation, address = USUAL_ADDRESS): string {
  const lines = calls.map((sent, at) => {
    const command = curl(sent, address)
    if (at === calls.length - 1) return command
    if (!sent.path.includes('/stream')) return looped(sent, `${command} > /dev/null`)
    // Streams stay open beside what follows, once they have begun.
    return `${command} --no-buffer --parallel --parallel-immediate --parallel-max 200 > /dev/null 2>&1 &\nsleep 2`
  })
  return lines.join('\n')
}

/** curl reads brackets in an address by itself, in a body it does not. */
function looped({ body = '' }: ErrorCall, command: string): string {
  const [found, from, to] = brackets.exec(body) ?? []
  if (found === undefined) return command
  return `for i in $(seq ${from} ${to}); do\n  ${command.replace(found, `'"$i"'`)}\ndone`
}

function curl({ method, path, headers = {}, body }: ErrorCall, address: string): string {
  const isJson = body !== undefined && !('Content-Type' in headers)
  const sent = { ...headers, ...(isJson && { 'Content-Type': 'application/json' }) }
  const repeats = body !== undefined && /^ +$/.test(body)
  const options = [
    'curl -s',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    shellWord(`${address}${path}`),
    ...Object.entries(sent).map(([name, value]) => `-H ${headerWord(name, value)}`),
    ...(body === undefined ? [] : [`--data-binary ${repeats ? '@-' : shellWord(body)}`]),
  ]
  const command = options.join(' ')
  return repeats ? `printf '%${body.length}s' '' | ${command}` : command
}

/** A value that repeats one letter is not written out. */
function headerWord(name: string, value: string): string {
  const [letter = ''] = value
  const isLong = value.length > 1000 && value === letter.repeat(value.length)
  if (!isLong) return shellWord(`${name}: ${value}`)
  return `"${name}: $(printf '%${value.length}s' '' | tr ' ' ${letter})"`
}

const intro = `Every refusal has a code. On /v1 it is \`error\` beside \`message\`; on the control plane it is \`code\` in a problem (RFC 9457). A refusal changes nothing, except that a rotated refresh token that is sent again revokes its login. Each answer is recorded from a live call. To repeat one, run its commands against a server that was just started: \`npx subscription-sandbox serve --data memory\`. After other commands, \`npx subscription-sandbox reset\` is enough, except after those of \`sandbox_limit\` and \`pact_limit\`, whose sandboxes and pacts stay.`

/** The page of the repository. */
export function catalogueMarkdown(): string {
  const parts = catalogue().map((entry) => {
    const { code, status, title, cause, remedy, condition, examples } = entry
    const shown = examples.map(({ surface, calls, body }) =>
      [
        condition === undefined
          ? `On ${surface}:`
          : `On ${surface}, \`${requestLine(calls)}\` answers:`,
        ...(condition === undefined ? [fence('sh', commandsOf(calls))] : []),
        fence('json', JSON.stringify(body, null, 2)),
      ].join('\n\n'),
    )
    const when = condition === undefined ? [] : [`**When:** ${condition}`]
    const about = [
      `**${status}.** ${title}.`,
      `**Cause:** ${cause}`,
      `**Remedy:** ${remedy}`,
      ...when,
    ]
    return [`## ${code}`, ...about, ...shown].join('\n\n')
  })
  return `# Errors\n\n${intro}\n\n${parts.join('\n\n')}\n`
}

/** The page that is served at /docs/errors. */
export function cataloguePage(): string {
  const entries = catalogue()
  const links = entries.map(({ code }) => `<li><a href="#${code}">${code}</a></li>`)
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Errors - subscription-sandbox</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <style>${style}</style>
  </head>
  <body>
    <nav aria-label="Pages"><a href="/docs">API reference</a> <a href="/dashboard">Dashboard</a></nav>
    <main>
      <h1>Errors</h1>
      <p>${marked(intro)}</p>
      <ul class="codes">${links.join('')}</ul>
${entries.map(section).join('\n')}
    </main>
  </body>
</html>
`
}

function section(entry: CatalogueEntry): string {
  const { code, status, title, cause, remedy, condition, examples } = entry
  const rows = [
    ['Status', String(status)],
    ['Meaning', `${title}.`],
    ['Cause', cause],
    ['Remedy', remedy],
    ...(condition === undefined ? [] : [['When', condition]]),
  ].map(([name = '', value = '']) => `<dt>${name}</dt><dd>${marked(value)}</dd>`)
  const shown = examples.map(({ surface, calls, body }) => {
    const request = condition === undefined ? commandsOf(calls) : requestLine(calls)
    return `<h3>On ${surface}</h3>${pre(request)}${pre(JSON.stringify(body, null, 2))}`
  })
  return `<section id="${code}"><h2><a href="#${code}">${code}</a></h2><dl>${rows.join('')}</dl>${shown.join('')}</section>`
}

const style = `
:root { color-scheme: light dark; font: 14px / 1.5 sans-serif; background: light-dark(#fff, #1c2022); color: light-dark(#3b4151, #e4e6e6); }
body { margin: 0 auto; max-width: 1000px; padding: 16px 20px; }
a { color: light-dark(#2f5fc4, #9db0ff); margin-right: 12px; }
.codes { columns: 220px; line-height: 24px; list-style: none; padding: 0; }
.codes a { display: block; }
section { border-top: 1px solid light-dark(#d8dde7, #3a4044); margin-top: 24px; }
dl { display: grid; grid-template-columns: 6em 1fr; gap: 2px 12px; }
dt { font-weight: 600; }
dd { margin: 0; }
pre { background: light-dark(#f2f4f8, #282c31); padding: 10px; white-space: pre-wrap; overflow-wrap: anywhere; }
`

function requestLine(calls: Provocation): string {
  const { method, path } = calls.at(-1) ?? { method: '', path: '' }
  return `${method} ${path}`
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

function pre(text: string): string {
  return `<pre tabindex="0">${escaped(text)}</pre>`
}

/** Markdown's code as HTML. */
function marked(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
