/** Recorded exchanges of subscriptions, for what `learn` reads from them. */
import { readRecording } from '../../src/learn/recording.ts'

/** Exchanges of subscriptions, each with its path, form, answer and instant. */
export function exchangesOf(...all: [path: string, body: string, answer: object, at?: string][]) {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: 'Bearer x' }
  const lines = all.map(([path, body, answer, at = '2028-01-31T00:00:00Z']) => {
    const status = 'error' in answer ? 409 : 200
    const request = { method: 'POST', path: `/v1/subscriptions${path}`, headers, body }
    return JSON.stringify({ at, request, answer: { status, body: JSON.stringify(answer) } })
  })
  return readRecording('a.ndjson', lines.join('\n'))
}
