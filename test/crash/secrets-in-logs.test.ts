/** Secrets stay out of what a process prints, whatever is called, and wherever a caller puts them. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { v1Operations } from '../../src/operations/v1.ts'
import type { Declaration } from '../../src/surface/operation.ts'
import type { Shop } from '../support/control.ts'
import { temporaryFolder } from '../support/folders.ts'
import { run, type Served, served } from '../support/process.ts'
import { ask, ids, pathOf } from '../support/requests.ts'

/** Part of each secret that this test makes up, and of nothing else. */
const MARK = 'zqzqzqzq'
const CONTROL_TOKEN = `ct-${MARK}-${'c'.repeat(20)}`
const refreshToken = `rt_default_${MARK}${'r'.repeat(35)}`
const accessToken = `at_default_${MARK}${'a'.repeat(35)}`
const liveKey = `sk_live_${MARK}${'k'.repeat(20)}`

const operations: readonly Declaration[] = [...v1Operations, ...controlRoutes]
const token = { 'Sandbox-Control-Token': CONTROL_TOKEN }

/** A shop behind a socket, as far as `ask` needs one. */
function remote({ url }: Served): Shop {
  const call: Shop['call'] = async (method, path, { json, bytes, headers } = {}) => {
    const body = json === undefined ? bytes : JSON.stringify(json)
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const request = { method, headers: { ...type, ...headers }, ...(body && { body }) }
    const answer = await fetch(url + path, request)
    // A stream has no end.
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
    const text = isStream ? '' : await answer.text()
    if (isStream) await answer.body?.cancel()
    return { status: answer.status, text, body: parsed(text), headers: answer.headers }
  }
  return { call } as Shop
}

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

it('prints no token and no key', async () => {
  const folder = await temporaryFolder()
  const environment = { SANDBOX_CONTROL_TOKEN: CONTROL_TOKEN }
  const starting = run(['serve', '--port', '0', '--data', folder.path], environment)
  const sandbox = await served(starting)
  const shop = remote(sandbox)
  const issue = { json: { subject: 'ada' }, headers: token }
  type Pair = { readonly access_token: string; readonly refresh_token: string }
  const { body: issued } = await shop.call<Pair>('POST', '/sandbox/tokens', issue)
  const rotation = {
    json: { refresh_token: issued.refresh_token },
    headers: { Authorization: `Bearer ${issued.refresh_token}` },
  }
  const { body: rotated } = await shop.call<Pair>('POST', '/v1/auth/refresh', rotation)
  expect(rotated.access_token).toMatch(/^at_default_/)

  const statuses = new Set<number>()
  for (const declared of operations) {
    const inPath = pathOf(declared, Object.fromEntries(Object.keys(ids).map((id) => [id, liveKey])))
    const sent = [
      { headers: token },
      { headers: { 'Sandbox-Control-Token': `${CONTROL_TOKEN}-wrong` } },
      { headers: { ...token, Authorization: `Bearer ${liveKey}` } },
      { headers: { ...token, 'Sandbox-Id': refreshToken } },
      { headers: { Authorization: `Bearer ${rotated.access_token}` } },
      { headers: { Authorization: `Bearer ${CONTROL_TOKEN}` } },
      { headers: token, path: inPath },
      { headers: token, path: `${pathOf(declared)}?limit=${accessToken}&${refreshToken}=1` },
      {
        headers: token,
        bytes: JSON.stringify({ refresh_token: refreshToken, [liveKey]: accessToken }),
      },
    ]
    for (const each of sent) {
      const isBodyless = declared.method === 'get' || declared.method === 'delete'
      const { bytes, ...rest } = { bytes: undefined, ...each }
      const fits = isBodyless || bytes === undefined ? rest : each
      statuses.add((await ask(shop, declared, fits)).status)
    }
  }
  for (const status of [200, 201, 204, 400, 401, 404]) expect(statuses).toContain(status)
  await pause(100)
  expect(await sandbox.stop()).toBe(0)
  const printed = sandbox.output() + sandbox.errors()
  expect(printed).toContain('is ready at')
  const secrets = [issued, rotated].flatMap(({ access_token, refresh_token }) => [
    access_token,
    refresh_token,
  ])
  for (const secret of [MARK, ...secrets]) expect(printed.includes(secret), secret).toBe(false)
  await folder.remove()
})
