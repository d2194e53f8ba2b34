/** A recording as a shell script, which needs curl. */

import { shellWord } from '../../wire/common/text.ts'
import type { Body, Parts, RecordedCall } from '../../wire/sandbox/recording.ts'
import { type Format, SANDBOX_ADDRESS } from './recording.ts'
import { joinParts, textOf } from './secrets.ts'

/** The statuses of the calls are compared, and not what they answer. */
export const asCurl: Format = ({ about, origin }) => ({
  head: [
    '#!/bin/sh',
    ...about.map((line) => `# ${line}`),
    'set -eu',
    `url=\${SANDBOX_URL:-${SANDBOX_ADDRESS}}`,
    '',
    helpers,
    `body=${quote([JSON.stringify(origin)])}`,
    `if [ -n "\${RECORDING_SANDBOX_ID:-}" ]; then`,
    `  send 201 PUT "/sandboxes/$RECORDING_SANDBOX_ID" ${jsonBody}`,
    'else',
    `  send 201 POST /sandboxes ${jsonBody}`,
    'fi',
    'id=$(field sandbox_id)',
    'key=$(field api_key)',
    '',
  ],
  call: linesOf,
  tail: ['echo "The recording ends in sandbox $id."'],
})

const jsonBody = "-H 'Content-Type: application/json' --data-binary @-"

const helpers = `# send STATUS METHOD TARGET [options of curl]: sends a call, with $body where the options say so.
send() {
  expected=$1 method=$2 target=$3
  shift 3
  answer=$(printf '%b' "$body" | curl --disable --silent --show-error --globoff --path-as-is \\
    --request "$method" --header 'Expect:' --write-out '\\n%{http_code}' "$@" "$url$target") ||
    # Where a fault cuts an answer, curl ends with 18.
    [ $? -eq 18 ]
  status=\${answer##*
}
  if [ "$status" != "$expected" ]; then
    printf '%s %s must answer %s; got %s\\n' "$method" "$target" "$expected" "$answer" >&2
    exit 1
  fi
}

# field NAME: the text in this field of the last answer.
field() {
  printf '%s\\n' "$answer" | sed -n 's/.*"'"$1"'":"\\([^"]*\\)".*/\\1/p'
}
`

function linesOf({ note, method, target, headers, body, status, keeps }: RecordedCall): string[] {
  const has = (wanted: string) => headers.some(([name]) => name.toLowerCase() === wanted)
  const options = [
    ...headers.map(([name, value]) => `-H ${word(joinParts([`${name}: `, ...value]))}`),
    ...(body === undefined ? [] : ['--data-binary @-']),
    // Without it, curl would make one up.
    ...(body === undefined || has('content-type') ? [] : ["-H 'Content-Type:'"]),
    ...(method === 'HEAD' ? ['--head'] : []),
  ]
  return [
    ...(note === undefined ? [] : [`# ${note}`]),
    ...(body === undefined ? [] : [`body=${quote(body)}`]),
    [`send ${status} ${method} ${word(target)}`, ...options].join(' \\\n  '),
    ...Object.entries(keeps ?? {}).map(([variable, field]) => `${variable}=$(field ${field})`),
    '',
  ]
}

/** A word of the shell, as it is. */
function word(text: Parts): string {
  return expand(text, (bytes) => textOf(bytes) ?? bytes)
}

/** A word of the shell in the escapes of `printf %b`. */
function quote(text: Body): string {
  return expand(text, (each) => escapeText(each, /[^ -~\u0080-\uffff]/g))
}

function expand(parts: Body, inWord: (text: string) => string): string {
  const words = parts.map((part) => {
    if (typeof part === 'string') return shellWord(inWord(part))
    if ('variable' in part) return `"$${part.variable}"`
    return shellWord(escapeText(Buffer.from(part.base64, 'base64').toString('latin1'), /[^ -~]/g))
  })
  return words.join('')
}

/** Only what cannot stand in a script is escaped: controls, and bytes that are no text. */
function escapeText(text: string, unprintable: RegExp): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replace(unprintable, (char) => `\\0${char.charCodeAt(0).toString(8).padStart(3, '0')}`)
}
