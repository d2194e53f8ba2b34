/** The report on the sandbox of a failed test. */
import type { Sandbox, Schemas } from './sandbox.ts'

/** The most events and requests that are shown. */
const SHOWN_MAX = 30

/** What a failed test prints: the events of its sandbox and the last requests to it, the newest last. */
export async function failureReport(sandbox: Sandbox): Promise<string> {
  const [now, events, requests] = await Promise.all([
    sandbox.clock.now(),
    sandbox.events.list(),
    sandbox.requests.list(),
  ])
  return [
    `Sandbox ${sandbox.id} at ${now}`,
    ...section(
      'events',
      events.map(({ at, type, subject }) => `${at}  ${type}  ${subject.id}`),
    ),
    ...section('requests', requests.reverse().map(lineOfRequest)),
  ].join('\n')
}

function section(name: string, lines: readonly string[]): string[] {
  const more = lines.length > SHOWN_MAX ? `, the last ${SHOWN_MAX} of ${lines.length}` : ''
  const shown = lines.slice(-SHOWN_MAX).map((line) => `    ${line}`)
  return [`  ${lines.length === 0 ? 'no ' : ''}${name}${more}`, ...shown]
}

function lineOfRequest({ request, answer, refusal, assumptions }: Schemas['Request']): string {
  const { method, path } = request
  const said = refusal === null ? '' : `  ${refusal.code}: ${refusal.message}`
  const rests = assumptions.length === 0 ? '' : `  (${assumptions.join(', ')})`
  return `${method} ${path}  ${answer.status ?? 'no answer'}${said}${rests}`
}
