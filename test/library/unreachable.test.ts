import { expect, it } from 'vitest'
import { connect, startSandbox } from '../../src/index.ts'

it('names the address that does not answer, with what the system says as its cause', async () => {
  const server = await startSandbox()
  const { url } = server
  const sandbox = await connect(url)
  const fork = await sandbox.fork()
  await server.close()
  const error = { name: 'SandboxError', status: 503, code: 'unreachable' }
  await expect(sandbox.describe()).rejects.toMatchObject({
    ...error,
    message: expect.stringContaining(`${url} does not answer (`),
  })
  const refused = { ...error, cause: { code: 'ECONNREFUSED' } }
  const why = `connect ECONNREFUSED ${new URL(url).host}`
  const message = `${url} does not answer (${why}).`
  const calls = [
    () => sandbox.customers.list(),
    () => sandbox.clock.advance('P1D'),
    () => sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'pro' }),
    () => fork.close(),
  ]
  for (const call of calls) await expect(call()).rejects.toMatchObject({ ...refused, message })
  await expect(connect(url)).rejects.toMatchObject({
    ...refused,
    message: `No sandbox answers at ${url} (${why}); start one: npx subscription-sandbox serve --port ${new URL(url).port}.`,
  })
  await expect(connect('http://127.0.0.1:22')).rejects.toMatchObject({
    ...error,
    message: expect.stringMatching(/ \(bad port\); start one: .* serve --port 22\.$/),
  })
})
