import { expect, it, vi } from 'vitest'
import { run, runProgram } from '../../support/process.ts'

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
  const url = await vi.waitUntil(() => /is ready at (\S+)/.exec(sandbox.output())?.[1])
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
  [['check', 'contracts/pacts', '--json'], 0],
  [['check', 'nosuch'], 2],
])('ends quietly, with its own exit code, when nobody reads it: %j', async (args, code) => {
  const command = run(args)
  command.child.stdout?.destroy()
  if (code === 2) command.child.stderr?.destroy()
  expect(await command.ended).toBe(code)
  expect(command.errors()).not.toMatch(/EPIPE|\n\s+at /)
})

it('runs the demo to its end when its output is closed', async () => {
  const demo = runProgram([process.execPath, 'dist/cli/demo.js'])
  demo.child.stdout?.destroy()
  expect(await demo.ended).toBe(0)
  expect(demo.errors()).toBe('')
})
