/** The server that a command talks to: where it is, which of its sandboxes is meant, and what its answers mean. */
import { type Command, Option } from 'commander'
import { tokenHeader } from '../http/control-token.ts'
import { SandboxId } from '../wire/sandbox.ts'
import { readServer } from './address.ts'
import { refusalOf } from './refusal-text.ts'
import {
  CannotRun,
  controlTokenOption,
  nameOf,
  readControlToken,
  UsageError,
  variableOption,
} from './usage.ts'

/** How long to wait for an answer before asking whether the server is alive, and how long that may take. */
const SILENCE_MS = 10_000

/** The options that name the server and its sandbox. */
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

/** Adds the options that name the server and its sandbox. */
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
  const { sandbox } = values
  if (!SandboxId.safeParse(sandbox).success) {
    const name = nameOf(command, 'sandbox')
    throw new UsageError(`${name} must be ${SandboxId.meta()?.['accepts']}; got "${sandbox}".`)
  }
  return {
    url: readServer(nameOf(command, 'url'), values.url),
    sandbox,
    controlToken: readControlToken(values.controlToken),
  }
}

/** The parts of a request that differ between commands. */
interface CommandRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams | undefined
}

/**
 * Sends a request. Rejects with `OperationRefused` where the answer is a refusal, and with `CannotRun` where nobody
 * answers: then it says how to start somebody.
 */
export async function ask(connection: Connection, request: CommandRequest): Promise<Response> {
  const { method, path, body = null } = request
  const { sandbox, controlToken, url } = connection
  const headers = {
    ...(path.startsWith('/sandboxes') ? {} : { 'Sandbox-Id': sandbox }),
    ...tokenHeader(controlToken),
    ...request.headers,
  }
  const silence = new AbortController()
  const watch = setInterval(async () => {
    if (!(await isAlive(url)))
      silence.abort(new CannotRun(`${url} takes connections, and does not answer.`))
  }, SILENCE_MS)
  const answer = await fetch(`${url}${path}`, { method, headers, body, signal: silence.signal })
    .catch((error: Error) => {
      throw sendError(url, error)
    })
    .finally(() => clearInterval(watch))
  if (answer.headers.get('sandbox-version') === null) {
    throw new CannotRun(`${url} is no sandbox: it answered ${answer.status}.`)
  }
  if (!answer.ok) throw await refusalOf(answer)
  return answer
}

/** Whether a server answers at all. It does during long work. */
async function isAlive(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(SILENCE_MS)
  return fetch(`${url}/health/live`, { signal }).then(
    () => true,
    () => false,
  )
}

function sendError(url: string, error: Error): CannotRun {
  if (error instanceof CannotRun) return error
  if (error.cause === undefined)
    return new CannotRun(`The request cannot be sent: ${error.message}.`)
  const code = (error.cause as NodeJS.ErrnoException).code ?? 'ECONNREFUSED'
  const reason = code === 'ECONNREFUSED' ? '' : ` (${code})`
  return new CannotRun(
    `Nothing answers at ${url}${reason}. Start a sandbox there: subscription-sandbox serve; or name one that runs: --url ADDRESS, or SANDBOX_URL.`,
  )
}
