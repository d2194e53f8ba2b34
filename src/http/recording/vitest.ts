/** A recording as a test for vitest, with a sandbox of the library. */
import { operationNames } from '../../operations/names.ts'
import { methodsIn } from '../../operations/naming.ts'
import type { Parts, RecordedCall } from '../../wire/sandbox/recording.ts'
import { type Language, quotePlain, writerOf } from './literals.ts'
import { aboutTest, type Format } from './recording.ts'
import {
  headersOf,
  type MethodCall,
  type RecordingStep,
  type StepLines,
  stepWriter,
} from './steps.ts'

export const asVitest: Format = (recording) => ({
  head: [
    ...aboutTest(recording).map((line) => `// ${line}`),
    "import { expect } from 'vitest'",
    "import { test } from 'subscription-sandbox/vitest'",
    '',
    // A sandbox begins so where nothing is said.
    ...(JSON.stringify(recording.origin) === '{"fixture":"starter"}'
      ? []
      : [`test.override({ sandboxOrder: ${written(recording.origin, 31)} })`, '']),
    "test('the recording', async ({ sandbox }) => {",
  ],
  call: stepWriter(recording, { comment: '//', indent: '  ', linesOf }),
  // A long recording takes longer than the five seconds that vitest gives a test, where a machine is busy.
  tail: ['}, 60_000)'],
})

const javascript: Language = {
  quoted: (text) => quotePlain(text, "'") ?? JSON.stringify(text),
  template: {
    ends: ['`', '`'],
    escaped: (json) => json.replaceAll('\\"', '"').replace(/`|\$/g, '\\$&'),
    variable: (name) => `\${${name}}`,
  },
  variables: { key: 'sandbox.apiKey', id: 'sandbox.id', url: 'sandbox.url' },
  nameOf: (member) => (/^[a-z_]\w*$/i.test(member) ? member : javascript.quoted(member)),
  words: {},
  space: ' ',
  indent: '  ',
}

const { text, written } = writerOf(javascript)

const methods = new Map(methodsIn('library', operationNames).map(([name, id]) => [id, name]))

const linesOf: StepLines = (step, index) => {
  const { call, method, refusal, expected } = step
  const made = method === null ? null : methodCall(method)
  if (made === null) return requestLines(step, `answer${index + 1}`)
  if (refusal !== null) {
    return [`await expect(${made}).rejects.toMatchObject(${written({ code: refusal }, 0)})`]
  }
  if (call.keeps !== undefined) return [`const ${variablesPattern(call.keeps)} = await ${made}`]
  if (expected === null) return [`await ${made}`]
  return [`expect(await ${made}).toMatchObject(${written(expected, made.length + 31)})`]
}

/** A call of a method of the library; null if it has none. */
function methodCall({ operationId, ids, fields }: MethodCall): string | null {
  const only = Object.entries(fields ?? {})
  const [[name, value] = []] = only.length === 1 ? only : []
  if (operationId === 'createCheckpoint') {
    return name === 'name' ? `sandbox.checkpoint(${written(value, 0)})` : null
  }
  if (operationId === 'advanceClock') {
    const isText = name === 'by' && typeof value === 'string'
    return `sandbox.clock.advance(${written(isText ? value : fields, 22)})`
  }
  const method = methods.get(operationId)
  if (method === undefined) return null
  const head = `sandbox.${method}(${ids.map((id) => `${written(id, 0)}, `).join('')}`
  return fields === null
    ? `${head.replace(/, $/, '')})`
    : `${head}${written(fields, head.length + 14)})`
}

/** A request as it was sent, and what its answer must be. */
function requestLines({ call, expected }: RecordingStep, answer: string): readonly string[] {
  const { method, target, body, status, keeps } = call
  const headers = headersOf(call).map(
    ([name, value]) => `${javascript.nameOf(name)}: ${text(value)}`,
  )
  const read =
    keeps === undefined ? null : `const ${variablesPattern(keeps)} = await ${answer}.json()`
  const compared =
    expected === null
      ? []
      : [`expect(await ${answer}.json()).toMatchObject(${written(expected, 50)})`]
  return [
    `const ${answer} = await sandbox.fetch(${text([{ variable: 'url' }, ...target])}, {`,
    `  method: '${method}',`,
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: ${bodyText(call)},`]),
    '})',
    `expect(${answer}.status).toBe(${status})`,
    ...(read === null ? compared : [read]),
  ]
}

/** A text; bytes where it is invalid as one, or where a text would get a media type. */
function bodyText({ headers, body = [] }: RecordedCall): string {
  const isTyped = headers.some(([name]) => /^content-type$/i.test(name))
  const isText = body.every((part) => typeof part === 'string' || 'variable' in part)
  if (isTyped && isText) return text(body as Parts)
  const pieces = body.map((part) =>
    typeof part === 'object' && 'base64' in part
      ? `Buffer.from('${part.base64}', 'base64')`
      : `Buffer.from(${text([part])})`,
  )
  return pieces.length === 1 ? pieces.join('') : `Buffer.concat([${pieces.join(', ')}])`
}

/** The variables of a call, as a pattern. */
function variablesPattern(keeps: NonNullable<RecordedCall['keeps']>): string {
  const pairs = Object.entries(keeps).map(([name, field]) => `${field}: ${name}`)
  return `{ ${pairs.join(', ')} }`
}
