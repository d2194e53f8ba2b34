/** A story as a test of pytest, which needs nothing but Python's own library. */
import { leftOut, type ScriptStep, type Writer } from './script.ts'
import { expressionOf, SANDBOX_ADDRESS, textsOf } from './text.ts'

/** Statuses and answers are compared. */
export const asPytest: Writer = {
  head: ({ about, origin }) => [
    ...about.map((line) => `# ${line}`),
    helpers,
    '',
    'def test_the_story():',
    `    made = begin(${literal(JSON.stringify(origin))})`,
    '    id, key = made["sandbox_id"], made["api_key"]',
  ],
  step: linesOf,
  tail: [],
}

const helpers = `import http.client
import json
import os
from urllib.parse import urlsplit

URL = os.environ.get("SANDBOX_URL", "${SANDBOX_ADDRESS}")
LEFT_OUT = ${JSON.stringify(leftOut)}


def stable(value):
    """What differs each time is left out."""
    if isinstance(value, dict):
        return {name: stable(each) for name, each in value.items() if name not in LEFT_OUT}
    if isinstance(value, list):
        return [stable(each) for each in value]
    return value.replace(URL, "") if isinstance(value, str) else value


def begin(origin):
    id = os.environ.get("SANDBOX_ID")
    method, path = ("PUT", f"/sandboxes/{id}") if id else ("POST", "/sandboxes")
    headers = [("Content-Type", "application/json")]
    return json.loads(send(201, method, path, headers, origin.encode()))


def send(status, method, target, headers, body=None, expected=None):
    """Sends a call, and compares the status and, where one is given, the answer, which comes back as text."""
    connection = http.client.HTTPConnection(urlsplit(URL).netloc)
    connection.putrequest(method, target, skip_accept_encoding=True)
    for name, value in headers:
        connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    response = connection.getresponse()
    try:
        text = response.read().decode(errors="replace")
    except http.client.IncompleteRead:
        # A fault cut the answer.
        text = ""
    connection.close()
    assert response.status == status, f"{method} {target} answered {text}"
    if expected is not None:
        assert stable(json.loads(text)) == json.loads(expected), f"{method} {target}"
    return text
`

function linesOf({
  note,
  method,
  target,
  headers,
  body,
  status,
  answer,
  keeps,
}: ScriptStep): string[] {
  const pairs = headers.map(({ name, value }) => `(${literal(name)}, ${expressionOf(value)})`)
  const values = [
    ...[String(status), literal(method), expressionOf(target), `[${pairs.join(', ')}]`],
    ...(body === null ? [] : [`body=${bodyOf(body)}`]),
    ...(answer === undefined ? [] : [`expected=${literal(JSON.stringify(answer))}`]),
  ]
  return [
    '',
    ...(note === null ? [] : [`    # ${note}`]),
    `    ${keeps.length === 0 ? '' : 'answer = '}send(`,
    ...values.map((value) => `        ${value},`),
    '    )',
    ...keeps.map(({ variable, field }) => `    ${variable} = json.loads(answer)["${field}"]`),
  ]
}

/** Strings of Python take the escapes of JSON; those of half a character stay halves, and stand in JSON themselves only. */
function literal(text: string): string {
  return JSON.stringify(text)
}

function bodyOf(body: NonNullable<ScriptStep['body']>): string {
  const texts = textsOf(body)
  if (texts === null) return `(${expressionOf(body)}).encode("latin-1")`
  return `(${expressionOf(texts)}).encode()`
}
