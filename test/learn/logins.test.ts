/** Refresh tokens of a recording that were given before it began. */
import { expect, it } from 'vitest'
import { learn } from '../../src/learn/learn.ts'
import { readRecording } from '../../src/learn/recording.ts'
import { start } from '../../src/server/start.ts'

/** Refreshes and moves of the clock, of which those after `record` are recorded; `log in` begins, and tokens are numbered from 0. */
async function recordingOf(steps: readonly ('log in' | 'record' | `P${string}` | number)[]) {
  const { answer, registry, url, close } = await start({ fixture: null })
  const tokens: string[] = []
  const lines: string[] = []
  let isRecorded = false
  const post = async (path: string, body: object, more: Record<string, string> = {}) => {
    const headers = { 'content-type': 'application/json', ...more }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await answer(new Request(`${url}${path}`, request))
    const got = Object.fromEntries(response.headers)
    const answered = { status: response.status, headers: got, body: await response.text() }
    const at = registry.default.now()
    return { line: { at, request: { path, ...request }, answer: answered }, text: answered.body }
  }
  for (const step of steps) {
    if (step === 'record') isRecorded = true
    else if (step === 'log in')
      tokens.push(Object(JSON.parse((await post('/sandbox/tokens', {})).text)).refresh_token)
    else if (typeof step === 'string') await post('/sandbox/clock/advance', { by: step })
    else {
      const token = tokens[step] ?? ''
      const authorization = `Bearer ${token}`
      const { line, text } = await post(
        '/v1/auth/refresh',
        { refresh_token: token },
        { authorization },
      )
      const { refresh_token: given } = Object(JSON.parse(text))
      if (given !== undefined) tokens.push(given)
      if (isRecorded) lines.push(JSON.stringify(line))
    }
  }
  await close()
  return learn(readRecording('a.ndjson', lines.join('\n')), {
    fixture: null,
    settings: {},
    onProgress: () => undefined,
  })
}

it('takes a token whose use ended a login for one that had been exchanged for it before', async () => {
  const { result, assumptions, inferred } = await recordingOf([
    ...(['log in', 0, 'P1D', 'record', 1, 'P1D', 0, 'PT1H', 2] as const),
  ])
  expect(result).toBe('same')
  const reused = assumptions.find(({ slug }) => slug === 'refresh-reuse-revokes-family')
  expect(reused?.verdict).toBe('confirmed')
  expect(inferred.filter((each) => each.includes('exchanged'))).toEqual([
    'the login of refresh token masked-1 was new at exchange 1, the first that has it; masked-4 had been exchanged for it',
  ])
})

it('takes a token that ended no login of the recording for one of another login', async () => {
  const { result, inferred } = await recordingOf([
    ...(['log in', 0, 'log in', 'P1D', 'record', 2, 'P1D', 0, 'PT1H', 3] as const),
  ])
  expect(result).toBe('same')
  expect(inferred.filter((each) => each.includes('login'))).toEqual([
    'the login of refresh token masked-1 was new at exchange 1, the first that has it',
    'the login of refresh token masked-4 had ended at exchange 2, the first that has it',
  ])
})
