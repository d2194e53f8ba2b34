/** A recording as JSON, a line for each call. */
import { leftOut } from './recorded-calls.ts'
import type { Format } from './recording.ts'

export const asJson: Format = {
  head: ({ about, origin }) => [
    `{"format":1,"about":${JSON.stringify(about)},`,
    `"left_out":${JSON.stringify(leftOut)},`,
    `"origin":${JSON.stringify(origin)},`,
    '"calls":[',
  ],
  call: (call, index) => [`${index === 0 ? '' : ','}${JSON.stringify(call)}`],
  tail: [']}'],
}
