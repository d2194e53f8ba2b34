/** `learn --from`: a signal, also that of a closed terminal, ends the recording, and writes it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { serveHere } from '../../support/command-line.ts'
import { commandIn } from '../../support/fences.ts'
import { runProgram } from '../../support/process.ts'

it.each(['SIGINT', 'SIGHUP'] as const)(
  'records until %s, then writes the recording and ends with 0',
  async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), 'learn-'))
    const { url, stop } = await serveHere()
    const out = join(folder, 'traffic.har')
    const [, ...words] = (
      await commandIn('docs/guides/learn.md', 'npx subscription-sandbox learn --from')
    ).split(' ')
    const typed = words
      .join(' ')
      .replace('https://service.example', url)
      .replace('traffic.har', out)
    const recording = runProgram(['node', 'dist/cli/main.js', ...typed.split(' ').slice(1)])
    await expect.poll(recording.output).toMatch(/ready at http/)
    const [, address = ''] = /ready at (\S+)/.exec(recording.output()) ?? []
    const headers = { Authorization: 'Bearer sk_sandbox_default' }
    const body = new URLSearchParams({ customer_id: 'cus_ada', plan: 'pro' })
    expect(
      (await fetch(`${address}/v1/subscriptions`, { method: 'POST', headers, body })).status,
    ).toBe(200)
    recording.child.kill(signal)
    expect(await recording.ended, recording.errors()).toBe(0)
    expect(recording.output()).toContain(`${out}: 1 exchange\n`)
    const { entries } = JSON.parse(await readFile(out, 'utf8')).log
    expect(entries).toHaveLength(1)
    expect(entries[0].request.postData.text).toBe('customer_id=cus_ada&plan=pro')
    expect(JSON.stringify(entries)).not.toContain('sk_sandbox_default')
    await stop()
    await rm(folder, { recursive: true })
  },
)
