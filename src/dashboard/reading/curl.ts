/** A request of the log as a command that sends it again. Secrets are left to the shell of who runs it. */
import type { Schemas } from '../../library/sandbox.ts'
import { shellWord } from '../../wire/common/text.ts'

type Request = Schemas['Request']['request']

/** Headers about the connection or the caller. */
const ofTheCaller =
  /^(?:accept(?:-.*)?|cache-control|connection|content-length|cookie|date|dnt|expect|host|keep-alive|origin|pragma|priority|proxy-.*|referer|sandbox-request-id|sec-.*|te|trailer|transfer-encoding|upgrade.*|user-agent)$/

export function headersAgain({ headers }: Request): [name: string, value: string][] {
  return Object.entries(headers).filter(([name]) => !ofTheCaller.test(name))
}

/** A header before its secret, the shell variable in place of that, and what this holds. */
const secrets: Readonly<Record<string, readonly string[]>> = {
  authorization: ['Authorization: Bearer', 'SANDBOX_API_KEY', 'the key'],
  'sandbox-control-token': [
    'Sandbox-Control-Token:',
    'SANDBOX_CONTROL_TOKEN',
    'the token of the control plane',
  ],
}

/** Whether a header carries the credential of the caller, which is masked. */
export const isCredential = (name: string) => Object.hasOwn(secrets, name)

/** The variables that the command needs, and what each holds. */
export function variablesOf({ headers }: Request): string[] {
  return Object.keys(headers).flatMap((name) => {
    const [, variable, holds] = secrets[name] ?? []
    return variable ? `${variable} to ${holds}` : []
  })
}

/** The command; `origin` is the address of the server. */
export function curlCommand(request: Request, origin: string): string {
  const { method, path, headers, body } = request
  const options = [
    ...methodOf(method, body),
    ...headersAgain(request).map(([name, value]) => `-H ${headerWord(name, value)}`),
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

function headerWord(name: string, value: string): string {
  const [start, variable] = secrets[name] ?? []
  if (variable !== undefined) return `"${start} $${variable}"`
  // With a semicolon, curl sends a header that is empty.
  return shellWord(value === '' ? `${name};` : `${name}: ${value}`)
}
