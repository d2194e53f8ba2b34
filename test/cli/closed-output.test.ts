import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import { run } from '../support/process.ts'

/** Has a process print on both streams whenever it is sent SIGUSR2. */
const printing = `process.on('SIGUSR2', () => {
  process.stdout.write('more\\n')
  process.stderr.write('more\\n')
})`
const printOnSignal = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(printing)}`,
}

it.each(['stdout', 'stderr'] as const)('serves on when nobody reads its %s', async (closed) => {
  const sandbox = run(['serve', '--port', '0', '--data', 'memory'], printOnSignal)
  const url = await vi.waitUntil(() => /is ready at (\S+)/.exec(sandbox.output())?.[1], {
    timeout: 20_000,
  })
  sandbox.child[closed]?.destroy()
  for (let printed = 0; printed < 3; printed += 1) {
    sandbox.child.kill('SIGUSR2')
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
  }
  sandbox.child.kill('SIGTERM')
  expect(await sandbox.ended).toBe(0)
})

it.each([
  [['openapi'], 0],
  [['--help'], 0],
  [['check', 'contracts/pacts', '--json'], 0],
])('ends quietly when nobody reads what it prints: %j', async (args, code) => {
  const command = run(args)
  command.child.stdout?.destroy()
  expect(await command.ended).toBe(code)
  expect(command.errors()).not.toMatch(/EPIPE|\n\s+at /)
})

it('ends with its own exit code when nobody reads its errors', async () => {
  const command = run(['check', 'nosuch'])
  command.child.stderr?.destroy()
  expect(await command.ended).toBe(2)
})

it('lives the year of the demo to its end when nobody reads it', async () => {
  const demo = spawn(process.execPath, ['dist/cli/demo.js'], { stdio: 'pipe' })
  demo.stdout.destroy()
  let errors = ''
  demo.stderr.on('data', (chunk) => {
    errors += chunk
  })
  expect(await once(demo, 'close')).toEqual([0, null])
  expect(errors).toBe('')
})
