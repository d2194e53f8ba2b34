import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askAt } from '../support/ask-at.ts'
import { outcome, run, type ServedHere, serveHere } from '../support/command-line.ts'
import { temporaryFolder } from '../support/folders.ts'
import { openReceiver, SECRET } from '../support/receiver.ts'

let place: Awaited<ReturnType<typeof temporaryFolder>>

beforeEach(async () => {
  place = await temporaryFolder()
})

afterEach(() => place.remove())

const folderOf = (server: number) => join(place.path, `data-${server}`)

function serveAt(server: number): Promise<ServedHere> {
  return serveHere({ folder: folderOf(server), durability: 'commit', lock: 'kernel' })
}

async function sandboxesAt(server: number): Promise<string[]> {
  return (await readdir(join(folderOf(server), 'sandboxes'))).sort()
}

/** A configuration of so many processes. */
async function configuration(name: string, servers: number, parameters = 'max_fails=0') {
  const lines = Array.from(
    { length: servers },
    (_, at) => `    server sandbox-${at}:4010 ${parameters};\n`,
  )
  const path = join(place.path, name)
  await writeFile(
    path,
    `http {\n  upstream all {\n    hash $group consistent;\n${lines.join('')}  }\n}\n`,
  )
  return path
}

/** Moves the sandboxes of so many processes to so many. */
async function move(before: number, after: number) {
  const from = await configuration('before.conf', before)
  const to = await configuration('after.conf', after)
  const pairs = Array.from(
    { length: Math.max(before, after) },
    (_, at) => `sandbox-${at}:4010=${folderOf(at)}`,
  )
  return outcome(run(['move', '--from', from, '--to', to, ...pairs]))
}

/** Two processes, which have these sandboxes beside their `default`, as nginx places them. */
async function twoProcesses(work: (urls: readonly string[]) => Promise<void> = async () => {}) {
  const placed = [
    ['carol', 'dan', 'dan--retry', 'erin'],
    ['alice', 'bob', 'frank'],
  ]
  const served = [await serveAt(0), await serveAt(1)]
  for (const [at, ids] of placed.entries()) {
    for (const id of ids) await askAt(served[at]?.url ?? '', 'PUT', `/sandboxes/${id}`)
  }
  await work(served.map(({ url }) => url))
  for (const { stop } of served) await stop()
}

describe('move', () => {
  it('moves to a new process what the new ring places there, and nothing else', async () => {
    await twoProcesses()
    const { code, out, err } = await move(2, 3)
    expect(err).toBe('')
    expect(code).toBe(0)
    expect(out).toBe(
      [
        'sandbox-0:4010  3 moved away, 0 moved here',
        'sandbox-1:4010  1 moved away, 0 moved here',
        'sandbox-2:4010  0 moved away, 4 moved here',
        '4 sandboxes moved.\n',
      ].join('\n'),
    )
    expect(await sandboxesAt(0)).toEqual(['default', 'erin'])
    expect(await sandboxesAt(1)).toEqual(['alice', 'default', 'frank'])
    expect(await sandboxesAt(2)).toEqual(['bob', 'carol', 'dan', 'dan--retry'])
  })

  it('takes all of a sandbox along: state, checkpoints, webhooks, and what they have not received', async () => {
    let isAway = true
    const receiver = await openReceiver(() => (isAway ? 503 : 204))
    let before = ''
    await twoProcesses(async ([url = '']) => {
      const of = 'carol'
      await askAt(url, 'POST', '/sandbox/checkpoints', { of, body: { name: 'start' } })
      await askAt(url, 'POST', '/sandbox/webhooks', {
        of,
        body: { url: receiver.url, secret: SECRET },
      })
      const body = { customer_id: 'cus_ada', plan: 'basic' }
      await askAt(url, 'POST', '/v1/subscriptions', { key: 'sk_sandbox_carol', body })
      await receiver.until(1)
      before = (await askAt(url, 'GET', '/sandbox/state', { of })).text
    })
    expect(await move(2, 3)).toMatchObject({ code: 0 })
    isAway = false
    const count = receiver.heard.length
    const { url, stop } = await serveAt(2)
    await receiver.until(count + 1)
    expect(receiver.heard.at(-1)).toMatchObject({
      sandboxId: 'carol',
      type: 'subscription.created',
    })
    expect((await askAt(url, 'GET', '/sandbox/state', { of: 'carol' })).text).toBe(before)
    const restored = await askAt(url, 'POST', '/sandbox/checkpoints/start/restore', { of: 'carol' })
    expect(restored.status).toBe(200)
    await stop()
  })

  it('goes back to fewer processes, once only the "default" that was used is left', async () => {
    const body = { customer_id: 'cus_used' }
    await twoProcesses(async ([, url = '']) => {
      await askAt(url, 'POST', '/sandbox/customers', { of: 'default', body })
    })
    const unused = join(folderOf(0), 'sandboxes/default')
    const refused = await move(2, 1)
    expect(refused).toMatchObject({ code: 3, out: '' })
    expect(refused.err).toContain('Sandbox "default" is in ')
    expect(refused.err).toContain(`with other contents, in ${unused}. Nothing was moved.`)
    expect(await sandboxesAt(1)).toHaveLength(4)
    await rm(unused, { recursive: true })
    expect(await move(2, 1)).toMatchObject({
      code: 0,
      out: expect.stringContaining('4 sandboxes moved.'),
    })
    const { url, stop } = await serveAt(0)
    const found = await askAt(url, 'GET', '/sandbox/customers/cus_used', { of: 'default' })
    expect(found.status).toBe(200)
    const { text } = await askAt(url, 'GET', '/sandboxes')
    expect(JSON.parse(text).data).toHaveLength(8)
    await stop()
  })

  it('is repeated after an interruption, which left a sandbox in both folders', async () => {
    await twoProcesses()
    const kept = join(place.path, 'kept')
    await cp(join(folderOf(0), 'sandboxes/carol'), kept, { recursive: true })
    await move(2, 3)
    await cp(kept, join(folderOf(0), 'sandboxes/carol'), { recursive: true })
    expect(await move(2, 3)).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 sandbox moved.'),
    })
    expect(await sandboxesAt(0)).toEqual(['default', 'erin'])
    expect(await sandboxesAt(2)).toEqual(['bob', 'carol', 'dan', 'dan--retry'])
  })

  it('moves nothing where another sandbox has the id', async () => {
    await twoProcesses()
    const third = await serveAt(2)
    await askAt(third.url, 'PUT', '/sandboxes/carol')
    await third.stop()
    const refused = await move(2, 3)
    expect(refused).toMatchObject({ code: 3, out: '' })
    expect(refused.err).toContain(`Sandbox "carol" is in ${folderOf(0)}/sandboxes/carol and, with`)
    expect(await sandboxesAt(0)).toEqual(['carol', 'dan', 'dan--retry', 'default', 'erin'])
    expect(await sandboxesAt(2)).toEqual(['carol', 'default'])
  })

  it('moves nothing while a process runs', async () => {
    await twoProcesses()
    const running = await serveAt(1)
    const refused = await move(2, 3)
    await running.stop()
    expect(refused).toMatchObject({ code: 3, out: '' })
    expect(refused.err).toContain(`${folderOf(1)} is in use by process ${process.pid}`)
    expect(await sandboxesAt(0)).toHaveLength(5)
  })

  it('refuses a folder without sandboxes for a server that has some, and makes none', async () => {
    await twoProcesses()
    const path = await configuration('nginx.conf', 2)
    const wrong = join(place.path, 'wrong')
    const pairs = [`sandbox-0:4010=${folderOf(0)}`, `sandbox-1:4010=${wrong}`]
    const refused = await outcome(run(['move', '--from', path, '--to', path, ...pairs]))
    expect(refused.code).toBe(2)
    expect(refused.err).toContain(
      `server=folder must name the data folder of sandbox-1:4010; there are no sandboxes in "${wrong}".`,
    )
    expect(existsSync(wrong)).toBe(false)
    const more = await configuration('more.conf', 3)
    const file = [0, 1].map((at) => `sandbox-${at}:4010=${folderOf(at)}`)
    file.push(`sandbox-2:4010=${path}`)
    expect(await outcome(run(['move', '--from', path, '--to', more, ...file]))).toMatchObject({
      code: 3,
      err: `server=folder ${path} cannot be used: a file has that name; choose another folder.\n`,
    })
  })

  it('is repeated after an interruption, which left a folder without sandboxes', async () => {
    await twoProcesses()
    await rm(join(folderOf(0), 'sandboxes/default'), { recursive: true })
    const moved = await move(2, 1)
    expect(moved.out).toContain('4 sandboxes moved.')
    expect(await sandboxesAt(1)).toEqual([])
    expect(await move(2, 1)).toMatchObject({
      code: 0,
      out: expect.stringContaining('0 sandboxes moved.'),
    })
  })

  it('moves nothing where two servers have one folder, or a server has two', async () => {
    await twoProcesses()
    const same = join(place.path, 'same')
    await symlink(folderOf(0), same)
    const paths = [await configuration('before.conf', 1), await configuration('after.conf', 2)]
    const [from = '', to = ''] = paths
    for (const second of [`sandbox-1:4010=${same}`, `sandbox-0:4010=${folderOf(1)}`]) {
      const pairs = [`sandbox-0:4010=${folderOf(0)}`, second, `sandbox-1:4010=${folderOf(2)}`]
      const command = ['move', '--lock', 'none', '--from', from, '--to', to, ...pairs]
      expect(await outcome(run(command))).toMatchObject({
        code: 2,
        err: expect.stringContaining(
          `must name each server once, and another folder for each; got "${second}".`,
        ),
      })
    }
    expect(await sandboxesAt(0)).toHaveLength(5)
  })

  it.each([
    [['sandbox-0:4010=a'], 'server=folder is missing for: sandbox-1:4010.'],
    [
      ['sandbox-0:4010=a', 'sandbox-1=b'],
      'server=folder must begin with one of: sandbox-0:4010, sandbox-1:4010; got "sandbox-1=b".',
    ],
    [
      ['sandbox-0:4010'],
      'server=folder must begin with one of: sandbox-0:4010, sandbox-1:4010; got "sandbox-0:4010".',
    ],
  ])('says which folder is missing or wrong: %j', async (pairs, words) => {
    const path = await configuration('nginx.conf', 2)
    const refused = await outcome(run(['move', '--from', path, '--to', path, ...pairs]))
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(words) })
  })

  it.each([
    ['weight=2', 'server sandbox-0:4010 must be without weight=2.'],
    ['max_fails=0 backup', 'server sandbox-0:4010 must be without backup.'],
  ])('refuses a configuration with %s, which makes another ring', async (parameters, words) => {
    const path = await configuration('nginx.conf', 2, parameters)
    const refused = await outcome(run(['move', '--from', path, '--to', path, 'a=b']))
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(words) })
  })

  it.each([
    ['events {}', 'must have one upstream, with "hash ... consistent"'],
    ['upstream all { hash $group; server a; }', 'must have one upstream'],
    ['upstream all { hash $group consistent; }', 'must name the servers of its upstream'],
    ['upstream all { hash $group consistent; # server a;\n }', 'must name the servers'],
  ])('refuses a configuration that has no such ring: %s', async (text, words) => {
    const path = join(place.path, 'nginx.conf')
    await writeFile(path, text)
    const refused = await outcome(run(['move', '--from', path, '--to', path, 'a=b']))
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(words) })
    const missing = join(place.path, 'missing.conf')
    const unread = await outcome(run(['move', '--from', missing, '--to', path, 'a=b']))
    expect(unread).toMatchObject({
      code: 2,
      err: expect.stringContaining('missing.conf cannot be read'),
    })
  })

  it('reads deploy/nginx.conf', async () => {
    for (const at of [0, 1, 2]) {
      await mkdir(join(folderOf(at), 'sandboxes/default'), { recursive: true })
    }
    const pairs = [0, 1, 2].map((at) => `sandbox-${at}:4010=${folderOf(at)}`)
    const stock = ['--from', 'deploy/nginx.conf', '--to', 'deploy/nginx.conf']
    const moved = await outcome(run(['move', ...stock, ...pairs]))
    expect(moved).toMatchObject({ code: 0, out: expect.stringContaining('0 sandboxes moved.') })
  })
})
