/** What a failed test says of its sandbox: the events in it, and what was asked of it last. */
import type { Sandbox, Schemas } from './sandbox.ts'

/** The most events and requests that are shown. */
const SHOWN_MAX = 30

/** Lines for a terminal; the newest come last. */
export async function failureReport(sandbox: Sandbox): Promise<string> {
  const [now, events, requests] = await Promise.all([
    sandbox.clock.now(),
    sandbox.events.list(),
    sandbox.requests.list(),
  ])
  return [
    `Sandbox ${sandbox.id} at ${now}`,
    ...section('events', events.map(lineOfEvent)),
    ...section('requests', requests.reverse().map(lineOfRequest)),
  ].join('\n')
}

function section(name: string, lines: readonly string[]): string[] {
  const shown = lines.slice(-SHOWN_MAX)
  const left = lines.length - shown.length
  const more = left > 0 ? `, the last ${SHOWN_MAX} of ${lines.length}` : ''
  return [
    `  ${lines.length === 0 ? 'no ' : ''}${name}${more}`,
    ...shown.map((line) => `    ${line}`),
  ]
}

function lineOfEvent({ at, type, subject }: Schemas['Event']): string {
  return `${at}  ${type}  ${subject.id}`
}

function lineOfRequest({ request, answer, refusal, assumptions }: Schemas['Request']): string {
  const { method, path } = request
  const said = refusal === null ? '' : `  ${refusal.code}: ${refusal.message}`
  const rests = assumptions.length === 0 ? '' : `  (${assumptions.join(', ')})`
  return `${method} ${path}  ${answer.status ?? 'no answer'}${said}${rests}`
}
