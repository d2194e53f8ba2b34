import { expect, it } from 'vitest'
import { temporaryFolder } from '../../support/folders.ts'
import { run, serve, served } from '../../support/process.ts'

it('takes addresses of both kinds', async () => {
  const args = ['--data', 'memory', '--host']
  const sandbox = await serve(...args, '127.0.0.2', '--allow-host', 'a_b.test,[::1],10.0.0.1')
  expect(await sandbox.stop()).toBe(0)
})

it('takes every option from the environment, and an option of the command line before it', async () => {
  const folder = await temporaryFolder()
  const environment = {
    SANDBOX_PORT: '0',
    PORT: 'not looked at',
    SANDBOX_DATA: folder.path,
    SANDBOX_FIXTURE: 'empty',
    SANDBOX_CLOCK_START: '2027-05-01',
    SANDBOX_QUIET: 'yes',
    SANDBOX_RUNNING: 'false',
    SANDBOX_DURABILITY: '',
    SANDBOX_ALLOW_HOST: 'one.test,two.test',
  }
  const args = ['serve', '--clock-start', '2027-06-01']
  const sandbox = await served(run(args, environment))
  expect(sandbox.output()).toMatch(/virtual now 2027-06-01T00:00:00\.000Z\n/)
  expect(sandbox.output()).toContain(`\ndata ${folder.path}`)
  const read = (path: string) => fetch(`${sandbox.url}${path}`)
  expect(await (await read('/sandbox')).json()).toMatchObject({ counts: { customers: 0 } })
  expect(await (await read('/sandbox/clock')).json()).toMatchObject({ mode: 'frozen' })
  await sandbox.stop()
  expect(sandbox.errors()).toBe('')
  await folder.remove()
})

it('says at a second start that it continues with what is there', async () => {
  const folder = await temporaryFolder()
  const environment = { SANDBOX_PORT: '0', SANDBOX_DATA: folder.path }
  const first = await served(run(['serve'], environment))
  expect(first.output()).not.toContain('continues')
  const move = { method: 'PUT', body: '{"now":"2027-03-01"}' }
  const headers = { 'Content-Type': 'application/json' }
  expect((await fetch(`${first.url}/sandbox/clock`, { ...move, headers })).status).toBe(200)
  expect((await fetch(`${first.url}/sandboxes/other`, { method: 'PUT' })).status).toBe(201)
  await first.stop()

  const second = await served(run(['serve'], environment))
  expect(second.output()).toContain(`data ${folder.path}, continues with its 2 sandboxes\n`)
  expect(second.output()).toContain('virtual now 2027-03-01T00:00:00.000Z')
  await second.stop()
  await folder.remove()
})
