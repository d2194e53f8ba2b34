/** A recording as a test for pytest, with the sandbox of its plugin. */
import { operationNames } from '../../operations/names.ts'
import { methodsIn } from '../../operations/naming.ts'
import type { Body } from '../../wire/sandbox/recording.ts'
import { type Language, quotePlain, writerOf } from './literals.ts'
import { aboutTest, type Format } from './recording.ts'
import {
  headersOf,
  type MethodCall,
  type RecordingStep,
  refusedSteps,
  type StepLines,
  stepWriter,
} from './steps.ts'

export const asPytest: Format = (recording) => ({
  head: [
    ...aboutTest(recording).map((line) => `# ${line}`),
    'import pytest',
    ...(refusedSteps(recording).some(isCaught)
      ? ['from subscription_sandbox import SandboxError']
      : []),
    '',
    '',
    `@pytest.mark.sandbox(${keywords(recording.origin, 21)})`,
    'def test_the_recording(sandbox):',
  ],
  call: stepWriter(recording, { comment: '#', indent: '    ', linesOf }),
  tail: [checking],
})

const checking = `

def check(answer, expected):
    """Compares what is expected of an answer, which may have more."""
    if isinstance(expected, dict):
        for name, value in expected.items():
            check(answer[name], value)
    elif isinstance(expected, list):
        assert len(answer) == len(expected)
        for each, value in zip(answer, expected):
            check(each, value)
    else:
        assert answer == expected`

const python: Language = {
  // A string of JSON is one of Python.
  quoted: (text) => quotePlain(text, '"') ?? quotePlain(text, "'") ?? JSON.stringify(text),
  template: {
    ends: ['f"', '"'],
    escaped: (json) => json.replace(/[{}]/g, '$&$&'),
    variable: (name) => `{${name}}`,
  },
  variables: { key: 'sandbox.api_key', id: 'sandbox.id' },
  nameOf: (member) => python.quoted(member),
  words: { true: 'True', false: 'False', null: 'None' },
  space: '',
  indent: '    ',
}

const { quoted } = python
const { text, written } = writerOf(python)

const methods = new Map(methodsIn('python', operationNames).map(([name, id]) => [id, name]))

/** Whether a method makes the call, which then raises the refusal. */
function isCaught({ method }: RecordingStep): boolean {
  return method !== null && methodCall(method) !== null
}

const linesOf: StepLines = (step, index) => {
  const { call, method, refusal, expected } = step
  const made = method === null ? null : methodCall(method)
  if (made === null) return requestLines(step, `answer${index + 1}`)
  if (refusal !== null) {
    return [
      'with pytest.raises(SandboxError) as refused:',
      `    ${made.replaceAll('\n', '\n    ')}`,
      `assert refused.value.code == ${quoted(refusal)}`,
    ]
  }
  if (call.keeps !== undefined) {
    const answer = `answer${index + 1}`
    return [`${answer} = ${made}`, ...keptLines(step, answer)]
  }
  return [expected === null ? made : `check(${made}, ${written(expected, made.length + 8)})`]
}

function keptLines({ call: { keeps = {} } }: RecordingStep, answer: string): string[] {
  return Object.entries(keeps).map(([name, field]) => `${name} = ${answer}[${quoted(field)}]`)
}

/** How far an advance goes, by the method that takes it. */
const moves = { by: 'advance', to: 'to', to_next: 'to_next' }

/** A call of a method of the client; null if it has none. */
function methodCall({ operationId, ids, fields }: MethodCall): string | null {
  const all = Object.entries(fields ?? {})
  if (operationId === 'refreshToken') {
    return all.length === 1 ? `sandbox.tokens.refresh(${written(all[0]?.[1], 0)})` : null
  }
  if (operationId === 'advanceClock') {
    const [goal] = all.filter(([name]) => Object.hasOwn(moves, name))
    if (goal === undefined || (goal[0] !== 'to_next' && typeof goal[1] !== 'string')) return null
    const rest = all.filter((each) => each !== goal)
    return `sandbox.clock.${moves[goal[0] as 'by']}(${argumentsOf([goal[1]], rest, 30)})`
  }
  const method = methods.get(operationId)
  if (method === undefined) return null
  return `sandbox.${method}(${argumentsOf(ids, all, method.length + 9)})`
}

/** Arguments by their place, and by their name. */
function argumentsOf(
  inPlace: readonly unknown[],
  named: readonly (readonly [string, unknown])[],
  column: number,
): string {
  const texts = inPlace.map((each) => written(each, column))
  const last = keywords(Object.fromEntries(named), column + texts.join('').length)
  return [...texts, ...(last === '' ? [] : [last])].join(', ')
}

const keyword = /^(?:from|for|is|in|if|not|and|or|with|pass|class|global|import|self)$/

/** Fields as arguments; as a dict if one has a name that no argument can have. */
function keywords(fields: object, column: number): string {
  const all = Object.entries(fields)
  if (all.some(([name]) => !/^[a-z_]\w*$/i.test(name) || keyword.test(name))) {
    return `**${written(fields, column)}`
  }
  return all.map(([name, value]) => `${name}=${written(value, column)}`).join(', ')
}

/** A request as it was sent, and what its answer must be. */
function requestLines(step: RecordingStep, answer: string): readonly string[] {
  const { method, target, body, status, keeps } = step.call
  const headers = headersOf(step.call).map(([name, value]) => `${quoted(name)}: ${text(value)}`)
  const compared =
    step.expected === null ? [] : [`check(${answer}.json(), ${written(step.expected, 30)})`]
  const sent = [
    quoted(method),
    text(target),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(body === undefined ? [] : [`body=${bytesText(body)}`]),
  ]
  return [
    `${answer} = sandbox.send(\n${sent.map((each) => `    ${each},\n`).join('')})`,
    `assert ${answer}.status == ${status}`,
    ...(keeps === undefined ? compared : keptLines(step, `${answer}.json()`)),
  ]
}

function bytesText(body: Body): string {
  const pieces = body.map((part) =>
    typeof part === 'object' && 'base64' in part
      ? `bytes.fromhex("${Buffer.from(part.base64, 'base64').toString('hex')}")`
      : `${text([part])}.encode()`,
  )
  return pieces.join(' + ')
}
