/** The first process of a container, which the system ends of no signal that it does not handle. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { asRoot, commandLine, hasNetworksOfItsOwn, runProgram } from '../../support/process.ts'

it.runIf(hasNetworksOfItsOwn())('ends of SIGTERM in the middle of its work', async () => {
  // Answers nothing to the core, so that it waits.
  const silent = createServer(({ url }, response) => {
    if (url?.startsWith('/v1')) silent.emit('asked')
    else response.writeHead(404).end()
  })
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const asked = once(silent, 'asked')
  const { port } = silent.address() as AddressInfo
  const first = ['unshare', ...asRoot, '--pid', '--fork', '--mount-proc'] as const
  const url = `http://127.0.0.1:${port}`
  const verifying = runProgram([
    ...first,
    ...commandLine,
    'verify',
    '--url',
    url,
    'contracts/pacts',
  ])
  await asked
  const { pid } = verifying.child
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  process.kill(Number(children), 'SIGTERM')
  expect(await verifying.ended).toBe(128 + 15)
  silent.closeAllConnections()
  silent.close()
})
