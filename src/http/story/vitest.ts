/** A story as a test of vitest. */
import { leftOut, type ScriptStep, type Writer } from './script.ts'
import { expressionOf, SANDBOX_ADDRESS, textsOf } from './text.ts'

/** Statuses and answers are compared. */
export const asVitest: Writer = {
  head: ({ about, origin }) => [
    ...about.map((line) => `// ${line}`),
    helpers,
    "test('the story', { timeout: 600_000 }, async () => {",
    `  const origin = ${JSON.stringify(origin)}`,
    '  const made = await begin(origin)',
    '  const { sandbox_id: id, api_key: key } = made',
    '  let answer',
  ],
  step: linesOf,
  tail: ['})'],
}

const helpers = `import { expect, test } from 'vitest'

const url = process.env.SANDBOX_URL ?? '${SANDBOX_ADDRESS}'
const leftOut = ${JSON.stringify(leftOut)}

/** What differs each time is left out. */
function stable(name, value) {
  if (leftOut.includes(name)) return undefined
  return typeof value === 'string' ? value.replaceAll(url, '') : value
}

async function begin(origin) {
  const id = process.env.SANDBOX_ID
  const [method, path] = id ? ['PUT', \`/sandboxes/\${id}\`] : ['POST', '/sandboxes']
  const headers = [['Content-Type', 'application/json']]
  return JSON.parse(await send(201, method, path, headers, Buffer.from(JSON.stringify(origin))))
}

/** Sends a call, and compares the status and, where one is given, the answer, which comes back as text. */
async function send(status, method, target, headers, body, expected) {
  const response = await fetch(url + target, { method, headers, body, redirect: 'manual' })
  // Where a fault cuts an answer, there is no end of it to read.
  const text = await response.text().catch(() => '')
  expect(response.status, \`\${method} \${target} answered \${text}\`).toBe(status)
  if (expected !== undefined) {
    expect(JSON.parse(text, stable), \`\${method} \${target}\`).toEqual(expected)
  }
  return text
}
`

function linesOf({
  note,
  method,
  target,
  headers,
  body,
  status,
  answer,
  keeps,
}: ScriptStep): string[] {
  const pairs = headers.map(
    ({ name, value }) => `[${JSON.stringify(name)}, ${expressionOf(value)}]`,
  )
  const values = [
    ...[String(status), JSON.stringify(method), expressionOf(target), `[${pairs.join(', ')}]`],
    ...(body === null && answer === undefined ? [] : [bodyOf(body)]),
    ...(answer === undefined ? [] : [JSON.stringify(answer)]),
  ]
  return [
    '',
    ...(note === null ? [] : [`  // ${note}`]),
    `  ${keeps.length === 0 ? '' : 'answer = '}await send(`,
    ...values.map((value) => `    ${value},`),
    '  )',
    ...keeps.map(({ variable, field }) => `  const ${variable} = JSON.parse(answer).${field}`),
  ]
}

function bodyOf(body: ScriptStep['body']): string {
  if (body === null) return 'undefined'
  const texts = textsOf(body)
  if (texts === null) return `Buffer.from(${expressionOf(body)}, 'latin1')`
  return `Buffer.from(${expressionOf(texts)})`
}
