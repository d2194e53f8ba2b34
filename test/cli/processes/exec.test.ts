import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { commandLine, run, runProgram } from '../../support/process.ts'

const node = process.execPath

it('begins as it is told, and has the command line in it talk to it', async () => {
  const inside = [...commandLine, 'subscriptions', '--status', 'past_due']
  const running = run(['exec', '--fixture', 'dunning', ...inside])
  expect(await running.ended).toBe(0)
  expect(running.output()).toMatch(/^sub_000003 +cus_never_pays +basic|pro/m)
})

it('has its command reach the sandbox past the proxy of the machine', async () => {
  const nowhere = { http_proxy: 'http://127.0.0.1:1', no_proxy: '', NO_PROXY: 'corp.test' }
  const call = 'curl -sf "$SANDBOX_URL/health/live"; echo " $NO_PROXY $no_proxy"'
  for (const [no_proxy, direct] of [
    [undefined, 'corp.test,127.0.0.1'],
    ['own.test', 'own.test,127.0.0.1'],
  ]) {
    const running = run(['exec', '--', 'sh', '-c', call], { ...nowhere, no_proxy })
    expect(await running.ended).toBe(0)
    expect(running.output()).toBe(`{"status":"live"} ${direct} ${direct}\n`)
  }
})

it('passes signals on, and ends as the command does', async () => {
  const waiting = `process.on('SIGTERM', () => process.exit(5)); console.log('waits'); setInterval(() => {}, 1e3)`
  const running = run(['exec', '--', node, '-e', waiting])
  await vi.waitUntil(() => running.output().includes('waits'))
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(5)

  const killed = run(['exec', '--', 'sh', '-c', 'kill -KILL $$'])
  const [, signal] = await once(killed.child, 'close')
  expect(signal).toBe('SIGKILL')
})

it('kills at a second signal what does not end at the first, though one may come twice', async () => {
  const deaf = `process.on('SIGINT', () => console.log('heard')); console.log('waits'); setInterval(() => {}, 1e3)`
  const running = run(['exec', '--', node, '-e', deaf])
  await vi.waitUntil(() => running.output().includes('waits'))
  running.child.kill('SIGINT')
  await vi.waitUntil(() => running.output().includes('heard'))
  running.child.kill('SIGINT')
  await vi.waitUntil(() => /heard\nheard/.test(running.output()))
  await pause(600)
  running.child.kill('SIGINT')
  const [, signal] = await once(running.child, 'close')
  expect(signal).toBe('SIGKILL')
})

it('completes commands and options in bash', async () => {
  const printed = run(['completion', 'bash'])
  expect(await printed.ended).toBe(0)
  const program = `subscription-sandbox() { '${commandLine.join("' '")}' "$@"; }`
  const complete = async (...words: string[]) => {
    const typed = `COMP_WORDS=(subscription-sandbox ${words.map((word) => `'${word}'`).join(' ')})`
    const script = `${program}\n${printed.output()}\n${typed}; COMP_CWORD=${words.length}
      _subscription_sandbox; printf '%s\\n' "\${COMPREPLY[@]}"`
    const shell = runProgram(['bash', '-c', script])
    expect(await shell.ended).toBe(0)
    return shell.output().trim().split('\n')
  }
  expect(await complete('cou')).toEqual(['coupons'])
  expect(await complete('subscriptions', 'p')).toEqual(['pause'])
  expect(await complete('coupons', 'create', '--dur')).toEqual([
    '--duration',
    '--duration-in-months',
  ])
  expect(await complete('serve', '--al')).toEqual([
    '--allow-host',
    '--allow-origin',
    '--allow-webhook-host',
  ])
  expect(await complete('clock', 'set', '--mode', '')).toEqual(['frozen', 'running'])
  expect(await complete('payments', 'script', '--outcomes', 'exp')).toEqual(['expired_card'])
  expect(await complete('')).not.toContain('complete')
  for (const shell of ['zsh', 'fish']) {
    const other = run(['completion', shell])
    expect(await other.ended).toBe(0)
    expect(other.output()).toContain('subscription-sandbox complete -- ')
  }
})
