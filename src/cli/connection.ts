/** The server that a command talks to: where it is, which of its sandboxes is meant, and what its answers mean. */
import { type Command, Option } from 'commander'
import { CONTROL_TOKEN_HEADER } from '../http/control-token.ts'
import {
  CannotRun,
  controlTokenOption,
  nameOf,
  readControlToken,
  UsageError,
  variableOption,
} from './usage.ts'

/** The operation answered that it cannot be; the message is what it said. */
class Refused extends Error {
  override readonly name = 'Refused'
}

/** What was said of the server. */
export interface ConnectionValues {
  readonly url: string
  readonly sandbox: string
  readonly controlToken?: string
}

/** A server, and one of its sandboxes. */
export interface Connection {
  readonly url: string
  readonly sandbox: string
  readonly controlToken: string | null
}

/** Adds the options that say which server and which sandbox are meant. */
export function addConnectionOptions(command: Command): Command {
  const sandbox = new Option('--sandbox <id>', 'the sandbox').default('default')
  const url = variableOption('--url <address>', 'the server').default('http://127.0.0.1:4010')
  return command
    .addOption(process.env['SANDBOX_ID'] === '' ? sandbox : sandbox.env('SANDBOX_ID'))
    .addOption(url)
    .addOption(controlTokenOption('the control token of the server'))
}

/** Reads these options. Throws `UsageError`. */
export function connectionOf(command: Command, values: ConnectionValues): Connection {
  const { url, sandbox } = values
  if (!URL.canParse(url) || !/^https?:\/\//i.test(url)) {
    const name = nameOf(command, 'url')
    throw new UsageError(`${name} must be an address such as http://127.0.0.1:4010; got "${url}".`)
  }
  const { username, password } = new URL(url)
  if (username !== '' || password !== '') {
    const name = nameOf(command, 'url')
    throw new UsageError(`${name} must be without a user and a password; they are not shown.`)
  }
  return {
    url: url.replace(/\/+$/, ''),
    sandbox,
    controlToken: readControlToken(values.controlToken),
  }
}

/** A request, as far as commands differ. */
interface Call {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams | undefined
}

/**
 * Sends a request. Rejects with `Refused` where the answer is a refusal, and with `CannotRun` where nobody answers: then
 * it says how to start somebody.
 */
export async function ask(connection: Connection, asked: Call): Promise<Response> {
  const { method, path, body } = asked
  const { sandbox, controlToken, url } = connection
  const headers = {
    // In the header, so that a name that no sandbox can have is refused by the server.
    ...(path.startsWith('/sandboxes') ? {} : { 'Sandbox-Id': encodeURIComponent(sandbox) }),
    ...(controlToken === null ? {} : { [CONTROL_TOKEN_HEADER]: controlToken }),
    ...asked.headers,
  }
  const answer = await fetch(`${url}${path}`, { method, headers, body: body ?? null }).catch(
    (error: Error) => {
      if (error.cause === undefined)
        throw new CannotRun(`The request cannot be sent: ${error.message}.`)
      throw new CannotRun(
        `Nothing answers at ${url}${reasonIn(error)}. Start a sandbox there: subscription-sandbox serve; or name one that runs: --url ADDRESS, or SANDBOX_URL.`,
      )
    },
  )
  if (answer.headers.get('sandbox-version') === null) {
    throw new CannotRun(`${url} is no sandbox: it answered ${answer.status}.`)
  }
  if (!answer.ok) throw await refusalOf(answer)
  return answer
}

function reasonIn({ cause }: Error): string {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code
  return code === undefined || code === 'ECONNREFUSED' ? '' : ` (${code})`
}

/** A refusal of either surface. */
interface Refusal {
  readonly title?: string
  readonly detail?: string
  readonly message?: string
  readonly errors?: readonly { readonly message: string }[]
}

/** What a refusal says: one sentence, or what is wrong with each field. */
async function refusalOf(answer: Response): Promise<Error> {
  const text = await answer.text()
  const refusal = readRefusal(text)
  const { title, detail, message, errors = [] } = refusal
  const sentence = detail ?? message ?? `It was answered ${answer.status}: ${text}`
  if (errors.length < 2) return new Refused(sentence)
  return new Refused([`${title}:`, ...errors.map((each) => `  ${each.message}`)].join('\n'))
}

function readRefusal(text: string): Refusal {
  try {
    return (JSON.parse(text) ?? {}) as Refusal
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
