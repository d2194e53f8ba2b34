/** A recording as a test of vitest. */
import { leftOut } from './recorded-calls.ts'
import { type Format, SANDBOX_ADDRESS } from './recording.ts'

/** Statuses and answers are compared. */
export const asVitest: Format = {
  head: ({ about, origin }) => [
    ...about.map((line) => `// ${line}`),
    "import { expect, test } from 'vitest'",
    '',
    `const origin = ${JSON.stringify(origin)}`,
    'const calls = [',
  ],
  call: (call) => [`  ${JSON.stringify(call)},`],
  tail: [
    `]

const url = process.env.SANDBOX_URL ?? '${SANDBOX_ADDRESS}'
const id = process.env.STORY_SANDBOX_ID
const make = {
  method: id ? 'PUT' : 'POST',
  target: [id ? \`/sandboxes/\${id}\` : '/sandboxes'],
  headers: [['Content-Type', ['application/json']]],
  body: [JSON.stringify(origin)],
  status: 201,
  keeps: { id: 'sandbox_id', key: 'api_key' },
}

test('the story', { timeout: 600_000 }, async () => {
  const variables = {}
  const read = (part) => (part.variable ? variables[part.variable] : part)
  const bytesOf = (part) =>
    part.base64 ? Buffer.from(part.base64, 'base64') : Buffer.from(read(part))
  const textOf = (parts) => parts.map(read).join('')
  for (const [number, call] of [make, ...calls].entries()) {
    const { method, target, headers, body, status, answer, keeps = {} } = call
    const response = await fetch(url + textOf(target), {
      method,
      headers: headers.map(([name, value]) => [name, textOf(value)]),
      body: body && Buffer.concat(body.map(bytesOf)),
      redirect: 'manual',
    })
    // Where a fault cuts an answer, there is no end of it to read.
    const text = await response.text().catch(() => '')
    const name = \`call \${number}, \${method} \${textOf(target)}\`
    expect(response.status, \`\${name} answered \${text}\`).toBe(status)
    if (answer !== undefined) expect(JSON.parse(text, stable), name).toEqual(answer)
    for (const each in keeps) variables[each] = JSON.parse(text)[keeps[each]]
  }
})

/** What differs each time is left out. */
function stable(name, value) {
  if (${JSON.stringify(leftOut)}.includes(name)) return undefined
  return typeof value === 'string' ? value.replaceAll(url, '') : value
}`,
  ],
}
