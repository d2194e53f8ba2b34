import { describe, expect, it } from 'vitest'
import { Secrets } from '../../src/http/recording/secrets.ts'
import { hideSecret } from '../../src/masking/looks.ts'
import { maskBody, maskHeaders, maskTarget } from '../../src/masking/mask.ts'

const token = `rt_default_${'x'.repeat(43)}`
const form = 'application/x-www-form-urlencoded'
const json = 'application/json'
const base64 = (text: string) => Buffer.from(text).toString('base64')
/** A JSON Web Token, whose last part is given. */
const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${'x'.repeat(43)}`

/** A text in so many escapes of an address. */
function escaped(times: number, text: string): string {
  return times === 0 ? text : encodeURIComponent(escaped(times - 1, text))
}

/** Fails for whatever is left of a secret: these, and any token or key that looks like one of ours. */
function expectHidden(text: string): void {
  expect(text).not.toMatch(/hunter2|8675309|h\0u\0n|xxxxx|team/)
}

describe('a body', () => {
  it.each([
    ['JSON that is sent as a form', '{"access_token":"hunter2"}', form],
    ['JSON in a field of a form', 'data={"password":"hunter2"}', form],
    ['a form with an escaped name', 'refresh%5Ftoken=hunter2', form],
    ['a form with a token as a name', `${token}=1`, form],
    [
      'a form with a token in escapes',
      'x=%2572t_default_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      form,
    ],
    ['a form of another spelling', 'password=hunter2', 'Application/X-WWW-Form-Urlencoded'],
    ['a number', '{"password":8675309}', json],
    ['an object', '{"credentials":{"user":"bob","value":"hunter2"}}', json],
    ['a list', '{"refresh_token":["hunter2"]}', json],
    ['a name that comes twice', '{"password":"hunter2","password":null}', json],
    ['a key in a name that comes twice', '{"note":"sk_sandbox_team_a","note":"x"}', json],
    ['a name in escapes', '{"pass\\u0077ord":"hunter2"}', json],
    ['JSON in JSON', JSON.stringify({ payload: JSON.stringify({ password: 'hunter2' }) }), json],
    ['a form in JSON', '{"body":"refresh_token=hunter2"}', json],
    ['a name beside its value', '{"header":{"name":"X-Api-Key","value":"hunter2"}}', json],
    ['a value before its name', '{"field":{"value":"hunter2","name":"refresh_token"}}', json],
    ['a list of values beside its name', '{"a":{"key":"api_key","values":["hunter2"]}}', json],
    ['fields beside each other', 'a[0][name]=api_key&a[0][value]=hunter2', form],
    ['a pair in JSON in JSON', '{"a":"{\\"name\\":\\"token\\",\\"value\\":\\"hunter2\\"}"}', json],
    ['an object in JSON in JSON', '{"a":"{\\"token\\":{\\"b\\":\\"hunter2\\"}}"}', json],
    ['base64 of JSON', `{"content":"${base64('{"password":"hunter2"}')}"}`, json],
    ['a JSON Web Token', `{"assertion":"${jwt}"}`, json],
    ['a credential after its scheme', '{"header":"Bearer hunter2hunter2"}', json],
    ['a user and a password', '{"header":"Basic xxxxxxxxxxxxxxxx=="}', json],
    ['the password of an address', '{"url":"https://bob:hunter2@host/x"}', json],
    ['the password of an address without a scheme', '{"url":"bob:hunter2@host/x"}', json],
    ['a credential after its header', '{"a":"Authorization: Bearer hunter2"}', json],
    ['a cookie', '{"a":"Set-Cookie: sid=hunter2; Path=/"}', json],
    ['JSON in a sentence', '{"a":"got {\\"token\\":\\"a\\\\\\"hunter2\\"}"}', json],
    ['JSON in escapes of JSON', '{"a":"{\\"\\\\u0074oken\\":\\"hunter2\\"}"}', json],
    ['JSON in HTML', '{"a":"<a data-a=\'{&quot;token&quot;:&quot;hunter2&quot;}\'>"}', json],
    ['JSON in HTML by numbers', '{"a":"{&#34;token&#34;:&#x22;hunter2&#x22;}"}', json],
    ['JSON in escapes, five deep', `{"a":"${escaped(5, '{"token":"hunter2"}')}"}`, json],
    ['a name under the name of a secret', '{"tokens":{"hunter2":1}}', json],
    ['a private key', '{"a":"-----BEGIN RSA PRIVATE KEY-----\\nhunter2\\n-----END"}', json],
    ['a text of GraphQL', '{"query":"{ login(password: \\"\\"\\"hunter2\\"\\"\\") }"}', json],
    ['XML in a field', '{"a":"<passwd>hunter2</passwd>"}', json],
    ['a session', '{"session_id":"hunter2"}', json],
    ['a provider state', '{"state":"the refresh token hunter2 is fresh"}', json],
    ['a list of provider states', '{"states":["the refresh token hunter2 is fresh"]}', json],
    ['a provider state in a form', 'st%61te=the+refresh+token+hunter2+is+fresh', form],
    ['a token within a word', `{"note":"x_${token}"}`, json],
    ['JSON that is broken', '{"password": hunter2}', json],
    ['JSON that is broken, in escapes', '{"pass\\u0077ord":"hunter2"', json],
    ['JSON in UTF-16', Buffer.from('{"password":"hunter2"}', 'utf16le').toString(), json],
    [
      'parts',
      'Content-Disposition: form-data; name="password"\r\n\r\nhunter2',
      'multipart/form-data',
    ],
  ])('shows no secret in %s', (_, text, mediaType) => {
    expectHidden(maskBody(text, mediaType))
  })

  it('is shown where nothing in it is secret', () => {
    const open = 'customer_id=cus_ada&plan=pro&name=Ada+Lovelace%21'
    expect(maskBody(open, form)).toBe(open)
    const order =
      '{"customer_id":"cus_ada","note":"A token of thanks: enjoy","message":"It must be \\"Bearer <API_KEY>\\".","token_type":"Bearer","plan":"basic 2027-01-01"}'
    expect(maskBody(order, json)).toBe(order)
    const page = '{"a":"<a title=&quot;token&quot;>A token</a>"}'
    expect(maskBody(page, json)).toBe(page)
    expect(maskBody('{"customer_id":', json)).toBe('{"customer_id":')
    expect(maskBody('{"state":"a refresh token is fresh"}', json)).toContain('token is fresh')
  })

  it.each([
    ['a value beside an open name', '{"name":"plan","value":"pro"}', json],
    ['a value beside a text that is no name', '{"note":"token","value":"pro"}', json],
    ['base64 of JSON', `{"content":"${base64('{"customer_id":"cus_ada"}')}"}`, json],
    ['three escapes', `{"a":"${escaped(3, 'a b')}"}`, json],
  ])('is shown where it is %s', (_, text, mediaType) => {
    expect(maskBody(text, mediaType)).toBe(text)
  })

  it('is hidden where escapes go deeper than they are read', () => {
    expect(maskBody(`{"a":"${escaped(4, 'a b')}"}`, json)).toBe('{"a":"[masked]"}')
  })
})

it('stays as it was written but for its secrets', () => {
  const text = (token: string) =>
    `{ "n": 12345678901234567890, "n": 5.00,\n"a": "\\u00e9 100%25",\t"token": "${token}" }`
  expect(maskBody(text('hunter2'), json)).toBe(text('[masked]'))
  const inside = (token: string) => JSON.stringify({ data: text(token) })
  expect(maskBody(inside('hunter2'), json)).toBe(inside('[masked]'))
})

it('is masked in a moment, also where one name follows another', () => {
  const names = 'token'.repeat(100_000)
  expect(maskBody(`${names}=hunter2`, form)).toBe('[masked]=[masked]')
  expect(maskTarget(`/${names}`)).toBe(`/${names}`)
})

it.each([
  ['values in values', `${'{"name":"token","value":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
  ['escaped quotes', JSON.stringify({ a: `token:${'\\"'.repeat(50_000)}` })],
  ['spaces', JSON.stringify({ a: `${' '.repeat(100_000)}token` })],
])('is masked in a moment in a recording of %s', (_, text) => {
  expect(new Secrets('default').inBody(text, json)[0]).toMatch(/^\{/)
})

describe('an address', () => {
  it.each([
    '/v1/x%20sk_sandbox_team_a',
    '/v1/%73k_sandbox_team_a',
    '/v1/%2573k_sandbox_team_a',
    `/v1/a%20${token}`,
    `/v1/x_${token}`,
    '/v1/api_key=hunter2',
    '/v1/token/hunter2/check',
    `/v1/${jwt}?a=${jwt}`,
    '/v1/x?next=https%3A%2F%2Fbob%3Ahunter2%40host',
    '/v1/x?filter=%7B%22name%22%3A%22password%22%2C%22value%22%3A%22hunter2%22%7D',
    '/v1/x#access_token=hunter2',
    '/v1/x?%7B%22access_token%22:%22hunter2%22%7D',
    '/v1/x?acc%65ss_token=hunter2',
    '/v1/x?a=1;access_token=hunter2',
    '/provider-states?state=the+refresh+token+hunter2+is+fresh',
    `/v1/x?a=b_${token}`,
    `/v1/x?a=%2520${token}`,
  ])('shows no secret in %s', (target) => {
    expectHidden(maskTarget(target))
  })

  it('is shown where nothing in it is secret', () => {
    const target = '/sandbox/events?type=token.issued&after=3&x=%20a+b&unmatched'
    expect(maskTarget(target)).toBe(target)
  })
})

it('shows no secret in a header', () => {
  const headers = maskHeaders([
    ...['Authorization', 'Bearer hunter2', 'Cookie', 'hunter2', 'X-Api-Key', 'hunter2'],
    ...['Sandbox-Control-Token', 'hunter2', 'sk_sandbox_team_a', '1'],
    ...['Referer', 'http://x/?access_token=hunter2', 'Referer', `http://x/?k=%3D${token}`],
    ...['X-Session-Id', 'hunter2', 'X-Auth', 'hunter2', 'X-Upstream', 'Bearer hunter2hunter2'],
    ...['Accept', 'a', 'accept', 'b'],
  ])
  expectHidden(JSON.stringify(headers))
  expect(headers).toMatchObject({ authorization: 'Bearer [masked]', accept: 'a, b' })
  expect(maskHeaders(['Accept', 'a', 'Host', 'b'])).toEqual({ accept: 'a', host: 'b' })
})

it('shows a secret of this process nowhere, unless it is as short as a word', () => {
  hideSecret('90807060')
  hideSecret('planets')
  expect(maskBody('{"a":"90807060"}', json)).toBe('{"a":"..."}')
  expect(maskBody('planets', null)).toBe('planets')
})
