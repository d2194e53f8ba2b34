import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CannotVerify } from '../../src/contracts/common/failure.ts'
import { isUnreadable } from '../../src/contracts/pacts/pact-file.ts'
import { findPacts, readSource, sourceName } from '../../src/contracts/pacts/sources.ts'
import { temporaryFolder } from '../support/folders.ts'
import { creates, pactText } from '../support/pacts.ts'

let place: Awaited<ReturnType<typeof temporaryFolder>>
const text = pactText([creates('one', { status: 200 })])

beforeEach(async () => {
  place = await temporaryFolder()
})

afterEach(() => place.remove())

async function write(name: string, content = text): Promise<string> {
  const path = join(place.path, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, content)
  return path
}

async function serve(status: number, body: string) {
  const server = createServer((_, outgoing) => outgoing.writeHead(status).end(body))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/pact`, close: () => server.close() }
}

it('takes no address with a password, and does not show it', async () => {
  const refused = await findPacts(['http://ada:hunter2@127.0.0.1:1/web.json']).catch(String)
  expect(refused).toContain('CannotVerify')
  expect(refused).toContain('got http://...@127.0.0.1:1/web.json')
  expect(refused).not.toContain('hunter2')
})

it('finds files, folders, patterns and addresses, each once and in order', async () => {
  const web = await write('web.json')
  const deep = await write('more/deep/app.json')
  await write('more/notes.txt')
  await write('more/node_modules/other/pact.json')
  const url = 'http://127.0.0.1:9/pact.json'
  const named = [url, web, `${place.path}/`, join(place.path, '**/*.json')]
  expect(await findPacts(named)).toEqual({ sources: [url, web, deep], missing: [] })
})

it('takes a file whose name reads like a pattern for what it is', async () => {
  const odd = await write('w*b.json')
  await write('web.json')
  expect(await findPacts([odd])).toEqual({ sources: [odd], missing: [] })
})

it('says what matches nothing', async () => {
  const empty = join(place.path, 'empty')
  await mkdir(empty)
  const named = [await write('web.json'), empty, `${empty}/*.json`, join(place.path, 'no.json')]
  expect((await findPacts(named)).missing).toEqual(named.slice(1))
})

it('reads a file that begins with a mark of its byte order', async () => {
  const read = await readSource(await write('web.json', `\uFEFF${text}`))
  expect(isUnreadable(read)).toBe(false)
})

it('reads what an address answers', async () => {
  const { url, close } = await serve(200, text)
  expect(await readSource(url)).toMatchObject({ source: url, consumer: 'web' })
  close()
})

it('says what an address answers instead of a pact', async () => {
  const { url, close } = await serve(404, 'not here')
  const message = 'The address answered 404.'
  expect(await readSource(url)).toEqual([{ line: 1, column: 1, message }])
  close()
})

it('says that an address cannot be reached', async () => {
  await expect(readSource('http://127.0.0.1:9/pact')).rejects.toThrow(CannotVerify)
})

it('shows no query of an address, which may have a token', async () => {
  const { url, close } = await serve(200, text)
  const [address, name] = [`${url}/p.json?token=hunter2`, `${url}/p.json?...`]
  expect(await readSource(address)).toMatchObject({ source: name })
  expect(sourceName(address)).toBe(name)
  const gone = readSource('http://127.0.0.1:9/p?token=hunter2')
  await expect(gone).rejects.toThrow('http://127.0.0.1:9/p?... cannot be reached')
  close()
})

it('says that a file cannot be read', async () => {
  const message = 'The file cannot be read: illegal operation on a directory.'
  expect(await readSource(place.path)).toEqual([{ line: 1, column: 1, message }])
})
