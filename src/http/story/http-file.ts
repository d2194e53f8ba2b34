/** A story as an .http file, with the scripts of JetBrains' HTTP Client, which httpYac reads as well. */
import type { ScriptStep, Writer } from './script.ts'
import type { Parts } from './secrets.ts'
import { expressionOf, joined, SANDBOX_ADDRESS, textsOf } from './text.ts'

/** The statuses of the calls are compared, and not what they answer. */
export const asHttpFile: Writer = {
  head: ({ about, origin }) => [
    ...about.map((line) => `# ${line}`),
    `@url = ${SANDBOX_ADDRESS}`,
    '',
    '### The sandbox',
    'POST {{url}}/sandboxes',
    'Content-Type: application/json',
    '',
    JSON.stringify(origin),
    ...handler([
      assertion(201),
      'client.global.set("id", response.body.sandbox_id)',
      'client.global.set("key", response.body.api_key)',
    ]),
  ],
  step: linesOf,
  tail: [],
}

function linesOf(step: ScriptStep, number: number): string[] {
  const { note, method, target, headers, body, status, keeps } = step
  const texts = body === null ? null : withoutBraces(textsOf(body), headers)
  const isPlain = texts !== null && canStand(texts)
  return [
    '',
    `### ${number}`,
    ...(note === null ? [] : [`# ${note}`]),
    ...(body === null || texts !== null ? [] : ['# Its body is no text, which no file can hold.']),
    ...(texts === null || isPlain
      ? []
      : [`< {%`, `request.variables.set("body", ${inScript(texts)})`, '%}']),
    `${method} {{url}}${shown(target)}`,
    ...headers.map(({ name, value }) => `${name}: ${shown(value)}`),
    ...(texts === null ? [] : ['', isPlain ? shown(texts) : '{{body}}']),
    ...handler([
      assertion(status),
      ...keeps.map(
        ({ variable, field }) => `client.global.set("${variable}", response.body.${field})`,
      ),
    ]),
  ]
}

/** Two braces begin a variable, wherever they stand: so one is written as JSON and forms can write it as well. */
function withoutBraces(texts: Parts | null, headers: ScriptStep['headers']): Parts | null {
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value.join('')
  const brace = type?.startsWith('application/x-www-form-urlencoded') ? '%7B' : '\\u007b'
  const escaped = (part: string) => part.replaceAll('{{', `{${brace}`)
  return texts?.map((part) => (typeof part === 'string' ? escaped(part) : part)) ?? null
}

/** Whether a text means in the file what it says: on one line, and nothing that the file itself would read. */
function canStand(texts: Parts): boolean {
  const text = shown(texts)
  const written = joined(texts).filter((part) => typeof part === 'string')
  return /^[^\s#/<>@]\P{Cc}*$/u.test(text) && !/\s$/.test(text) && !/\{\{/.test(written.join(' '))
}

function shown(parts: Parts): string {
  return joined(parts)
    .map((part) => (typeof part === 'string' ? part : `{{${part.variable}}}`))
    .join('')
}

function inScript(texts: Parts): string {
  return joined(texts)
    .map((part) =>
      // What ends the script may stand in no string of it.
      typeof part === 'string'
        ? expressionOf([part]).replaceAll('%}', '%\\u007d')
        : `client.global.get("${part.variable}")`,
    )
    .join(' + ')
}

function assertion(status: number): string {
  return `client.test("answers ${status}", () => client.assert(response.status === ${status}))`
}

function handler(lines: readonly string[]): string[] {
  return ['', '> {%', ...lines, '%}']
}
