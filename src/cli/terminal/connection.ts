/** The server that a command calls: its address, the sandbox that is meant, and what its answers mean. */
import type { Command } from 'commander'
import { reasonOf } from '../../contracts/common/failure.ts'
import { tokenHeader } from '../../headers.ts'
import { ofSandbox, refusedError, SandboxError } from '../../library/sandbox-error.ts'
import { startCommand } from '../../operations/naming.ts'
import { codeTable } from '../../wire/common/error-codes.ts'
import { tryParseJson } from '../../wire/common/text.ts'
import { sandboxId } from '../../wire/sandbox/sandbox-id.ts'
import {
  addReaders,
  CannotRun,
  controlTokenOption,
  createReader,
  readControlToken,
  readServer,
  UsageError,
  variableOption,
} from './usage.ts'

/** How long to wait for an answer before asking whether the server is alive, and how long that may take. */
const SILENCE_MS = 10_000

/** The values of the options that name a server and one of its sandboxes. */
export interface Connection {
  readonly url: string
  readonly sandbox: string
  readonly controlToken?: string | undefined
}

export function addConnectionOptions(command: Command): Command {
  return addReaders(command, connectionReaders)
    .addOption(variableOption('--sandbox <id>', 'the sandbox').default('default'))
    .addOption(variableOption('--url <address>', 'the server').default('http://127.0.0.1:4010'))
    .addOption(controlTokenOption('the control token of the server'))
}

export const connectionReaders = {
  url: readServer,
  sandbox: createReader(sandboxId.accepts, (text) =>
    sandboxId.pattern.test(text) ? text : undefined,
  ),
}

/**
 * Sends a request; follows no redirect. Rejects with `SandboxError` for a refusal, `UsageError` for a missing, wrong or
 * invalid control token, and `CannotRun` if nobody answers: the message then says how to start a server.
 */
export async function ask(
  { sandbox, controlToken, url }: Connection,
  path: string,
  request: RequestInit = {},
): Promise<Response> {
  const headers = {
    // Coverage counts what was typed apart from what a client sent.
    'Sandbox-Consumer': 'cli',
    ...(path.startsWith('/sandboxes') ? {} : { 'Sandbox-Id': sandbox }),
    ...tokenHeader(readControlToken(controlToken)),
    ...(request.headers as Readonly<Record<string, string>> | undefined),
  }
  const silence = new AbortController()
  // A server answers this during long work, too.
  const watch = setInterval(() => {
    fetch(`${url}/health/live`, { signal: AbortSignal.timeout(SILENCE_MS) }).catch(() =>
      silence.abort(new CannotRun(`${url} takes connections, and does not answer.`)),
    )
  }, SILENCE_MS)
  const sent: RequestInit = { ...request, headers, redirect: 'manual', signal: silence.signal }
  const answer = await fetch(`${url}${path}`, sent)
    .catch((error: Error) => {
      throw sendError(url, path, error)
    })
    .finally(() => clearInterval(watch))
  if (answer.headers.get('sandbox-version') === null) {
    throw new CannotRun(`${url} is no sandbox: it answered ${answer.status}.`)
  }
  if (!answer.ok) throw await refusalOf(answer, sandbox)
  return answer
}

function sendError(url: string, path: string, error: Error): CannotRun {
  if (error instanceof CannotRun) return error
  const why = reasonOf(error.cause ?? error)
  if (why === 'bad port') return new CannotRun(`${url}: fetch refuses this port; serve at another.`)
  if (error.cause === undefined) return new CannotRun(`The request cannot be sent: ${why}.`)
  const { code = '' } = error.cause as NodeJS.ErrnoException
  if (code === 'UND_ERR_SOCKET') {
    const isHit = path.startsWith('/v1/') ? ': a fault may have hit this call' : ''
    return new CannotRun(`${url} closed the connection without an answer${isHit}.`)
  }
  if (/^ERR_SSL_/.test(code)) {
    const plain = url.replace(/^https/, 'http')
    return new CannotRun(`Nothing answers by TLS at ${url}; the address of a sandbox is ${plain}.`)
  }
  const reason = why === 'connection refused' ? '' : ` (${why})`
  return new CannotRun(
    `Nothing answers at ${url}${reason}. Start a sandbox there: ${startCommand(url)}; or name one that runs: --url ADDRESS, or SANDBOX_URL.`,
  )
}

/** A failure to read an answer to its end; any other stays what it is. */
export function readError(failure: unknown, url: string): unknown {
  if (!(failure instanceof TypeError) || failure.message !== 'terminated') return failure
  const why = reasonOf(failure.cause)
  return new CannotRun(`${url} ended the connection in the middle of its answer (${why}).`)
}

async function refusalOf(answer: Response, sandbox: string): Promise<Error> {
  const text = await answer.text()
  const refused = refusedError(answer, tryParseJson(text) ?? text)
  const [, fault] = /^Sandbox-Control-Token is (missing|wrong)/.exec(refused.message) ?? []
  if (fault !== undefined) {
    return new UsageError(
      `The control token is ${fault}; it must be the one that the server was started with: --control-token TOKEN, or SANDBOX_CONTROL_TOKEN.`,
    )
  }
  const { message } = ofSandbox(refused, sandbox)
  const ours = 'npx subscription-sandbox sandboxes lists'
  return new SandboxError(message.replace('GET /sandboxes lists', ours), refused)
}

/**
 * A failure with `labels`, which are options, in place of fields; `inWords` replaces what else a command has other words for.
 * A request that is malformed was typed wrongly: a `UsageError`. Other refusals are an answer, and stay what they are.
 */
export function asTyped(
  failure: unknown,
  labels: ReadonlyMap<string, string>,
  inWords: (sentence: string) => string,
): unknown {
  if (!(failure instanceof SandboxError)) return failure
  const { code, fields } = failure
  const said = fields.length < 2 ? [failure] : fields
  const sentences = said.map(({ message }) => inOptions(inWords(message), labels))
  const heading = said.length === 1 ? [] : [`${codeTable.invalid_request.title}:`]
  const message = [...heading, ...sentences].join('\n  ')
  return code === 'invalid_request'
    ? new UsageError(message, { cause: failure })
    : new SandboxError(message, failure)
}

/** `max_redemptions must be ...` becomes `--max-redemptions must be ...`; of a whole object, its parts are named. */
function inOptions(sentence: string, labels: ReadonlyMap<string, string>): string {
  const inLabels = (text: string, within = '') =>
    text.replace(/[a-z_]+/g, (word) => labels.get(`${within}${word}`) ?? word)
  const [, field = '', rest = ''] = /^([\w.-]+)(.*)$/s.exec(sentence) ?? []
  const own = labels.get(field)
  if (own !== undefined) {
    // What excludes a field is named as it is typed, too.
    const exclusion =
      /^( (?:cannot be combined with|can .* only where|must be before|.* absent where(?: there is no)?) )([\w.]*\w)/
    const words = rest.replace(exclusion, (_, before: string, name: string) => {
      return `${before}${labels.get(name) ?? name}`
    })
    return `${own}${words}`
  }
  const [, all] =
    /^The body is empty; it must be an object with (?:some of )?(.*)$/.exec(sentence) ?? []
  if (all !== undefined) return `No option is given; there are ${inLabels(all)}`
  const [rule = '', got = ''] = sentence.split(/(?=; got )/)
  const [, whole] = /^(The body|[\w.]+) (?:is|must be) /.exec(rule) ?? []
  if (whole === undefined) return sentence
  const within = whole === 'The body' ? '' : `${whole}.`
  return inLabels(rule, within) + got
}
