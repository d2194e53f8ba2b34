/** The history as the second service answers it, recorded by the proxy of `learn`: a HAR. */
import { recordTraffic } from '../../src/learn/har-recorder.ts'
import { type Called, type Part, playHistory } from './recorded-history.ts'
import { type Oddity, startSecondService } from './second-service.ts'

/** What a recording of the second service must not hold. */
export const secretsOfService = /live_key|of-a-login/

/** What of the history the second service can answer. */
export const secondParts: readonly Part[] = ['tokens', 'creating', 'changing']

/** Records the history, played so many times. */
export async function secondRecording(
  oddities: readonly Oddity[] = [],
  times = 1,
): Promise<string> {
  const service = await startSecondService(oddities)
  const problems: string[] = []
  const recorder = await recordTraffic(service.url, 0, (line) => problems.push(line))
  const call = async ({ method, path, headers, body }: Called) => {
    const sent = Object.entries(headers).filter(([, value]) => value !== '')
    const init = { method, headers: Object.fromEntries(sent) }
    const response = await fetch(`${recorder.url}${path}`, body === '' ? init : { ...init, body })
    const answered = await response.text()
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: answered,
    }
  }
  const { moveTo, apiKey, refreshToken } = service
  const all = Array.from({ length: times }, (_, at) =>
    at === 0 ? secondParts : secondParts.slice(1),
  ).flat()
  await playHistory({ call, moveTo, apiKey, refreshToken }, all)
  const har = JSON.stringify(recorder.har(), null, 2)
  await recorder.close()
  await service.close()
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return har
}
