/** A request of the log as a command that sends it again. Secrets are left to the shell of who runs it. */
import type { Schemas } from '../../library/sandbox.ts'
import { shellWord } from '../../wire/text.ts'

type Request = Schemas['Request']['request']

/** Headers about the connection or the caller. */
const ofTheCaller =
  /^(?:accept(?:-.*)?|cache-control|connection|content-length|cookie|date|dnt|expect|host|keep-alive|origin|pragma|priority|proxy-.*|referer|sandbox-request-id|sec-.*|te|trailer|transfer-encoding|upgrade.*|user-agent)$/

/** The headers that are sent again. */
export function headersAgain({ headers }: Request): [name: string, value: string][] {
  return Object.entries(headers).filter(([name]) => !ofTheCaller.test(name))
}

/** The shell variable in place of a secret, by its header. */
const secrets: Readonly<Record<string, { header: string; variable: string; holds: string }>> = {
  authorization: {
    header: '"Authorization: Bearer $SANDBOX_API_KEY"',
    variable: 'SANDBOX_API_KEY',
    holds: 'the key',
  },
  'sandbox-control-token': {
    header: '"Sandbox-Control-Token: $SANDBOX_CONTROL_TOKEN"',
    variable: 'SANDBOX_CONTROL_TOKEN',
    holds: 'the token of the control plane',
  },
}

/** Whether a header carries the credential of the caller, which is masked. */
export function isCredential(name: string): boolean {
  return Object.hasOwn(secrets, name)
}

/** The variables that the command needs, and what each holds. */
export function variablesOf({ headers }: Request) {
  return Object.keys(headers).flatMap((name) => secrets[name] ?? [])
}

/** The command; `origin` is the address of the server. */
export function curlCommand(request: Request, origin: string): string {
  const { method, path, headers, body } = request
  const options = [
    ...methodOf(method, body),
    ...headersAgain(request).map(
      ([name, value]) => `-H ${secrets[name]?.header ?? shellWord(headerOf(name, value))}`,
    ),
    // Without it, curl would make one up.
    ...(body === null || 'content-type' in headers ? [] : [`-H 'Content-Type:'`]),
    ...(body === null ? [] : [`--data-raw ${shellWord(body)}`]),
  ]
  const command = `curl --globoff --path-as-is ${shellWord(`${origin}${path}`)}`
  return [command, ...options].join(' \\\n  ')
}

function methodOf(method: string, body: string | null): string[] {
  if (method === 'HEAD') return ['--head']
  const usual = body === null ? 'GET' : 'POST'
  return method === usual ? [] : [`--request ${shellWord(method)}`]
}

/** With a semicolon, curl sends a header that is empty. */
function headerOf(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`
}
