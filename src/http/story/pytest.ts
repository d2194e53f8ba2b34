/** A recording as a test of pytest, which needs nothing but Python's own library. */
import { leftOut } from './recorded-calls.ts'
import { type Format, SANDBOX_ADDRESS } from './recording.ts'

/** Statuses and answers are compared. */
export const asPytest: Format = {
  head: ({ about, origin }) => [
    ...about.map((line) => `# ${line}`),
    'import base64',
    'import http.client',
    'import json',
    'import os',
    'from urllib.parse import urlsplit',
    '',
    `ORIGIN = r'''${inRawString(origin)}'''`,
    "CALLS = r'''",
  ],
  call: (call) => [inRawString(call)],
  tail: [
    `'''

URL = os.environ.get("SANDBOX_URL", "${SANDBOX_ADDRESS}")
ID = os.environ.get("STORY_SANDBOX_ID")
LEFT_OUT = ${JSON.stringify(leftOut)}
MAKE = {
    "method": "PUT" if ID else "POST",
    "target": [f"/sandboxes/{ID}" if ID else "/sandboxes"],
    "headers": [["Content-Type", ["application/json"]]],
    "body": [ORIGIN],
    "status": 201,
    "keeps": {"id": "sandbox_id", "key": "api_key"},
}


def test_the_story():
    variables = {}
    calls = [MAKE, *(json.loads(line) for line in CALLS.split("\\n") if line)]
    for number, call in enumerate(calls):
        name = f"call {number}, {call['method']} {call['target']}"
        status, text = send(call, variables)
        assert status == call["status"], f"{name} answered {text}"
        if "answer" in call:
            assert stable(json.loads(text)) == call["answer"], name
        for variable, field in call.get("keeps", {}).items():
            variables[variable] = json.loads(text)[field]


def send(call, variables):
    """Sends a call. Returns the status and the answer as text."""
    target = bytes_of(call["target"], variables).decode()
    body = bytes_of(call["body"], variables) if "body" in call else None
    connection = http.client.HTTPConnection(urlsplit(URL).netloc)
    connection.putrequest(call["method"], target, skip_accept_encoding=True)
    for name, value in call["headers"]:
        connection.putheader(name, bytes_of(value, variables, "latin-1"))
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
    return response.status, text


def bytes_of(parts, variables, encoding="utf-8"):
    def read(part):
        if isinstance(part, str):
            return part.encode(encoding)
        if "base64" in part:
            return base64.b64decode(part["base64"])
        return variables[part["variable"]].encode()

    return b"".join(map(read, parts))


def stable(value):
    """What differs each time is left out."""
    if isinstance(value, dict):
        return {name: stable(each) for name, each in value.items() if name not in LEFT_OUT}
    if isinstance(value, list):
        return [stable(each) for each in value]
    return value.replace(URL, "") if isinstance(value, str) else value`,
  ],
}

/** JSON that ends no string of three quotes. */
function inRawString(value: object): string {
  return JSON.stringify(value).replaceAll("'", '\\u0027')
}
