import { request } from 'node:http'
import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import { start } from '../../src/server/start.ts'

/** What a server answers under a name. */
function under(url: string, host: string): Promise<{ status?: number; text: string }> {
  const { hostname: address, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const call = request({ hostname: address, port, path: '/sandbox', headers: { Host: host } })
    call.on('error', reject).on('response', async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      resolve({ status: answer.statusCode ?? 0, text })
    })
    call.end()
  })
}

it('is reached under the name of its machine, which is what a container is known by', async () => {
  const { url, close } = await start()
  const { port } = new URL(url)
  expect(await under(url, `${hostname().toUpperCase()}:${port}`)).toMatchObject({ status: 200 })
  const refused = await under(url, `sandbox:${port}`)
  expect(refused.status).toBe(400)
  expect(JSON.parse(refused.text).detail).toContain('--allow-host or SANDBOX_ALLOW_HOST')
  await close()
})
