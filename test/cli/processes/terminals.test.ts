import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { commandLineOn, run } from '../../support/command-line.ts'
import { commandLine, runProgram } from '../../support/process.ts'

/** A program's environment with this about colours, whatever those who run the tests say; a CI has none that Node knows of. */
const as = (colours: string) => `env -u CI -u FORCE_COLOR -u NO_COLOR ${colours}`

const widest = (text: string) =>
  Math.max(
    ...text
      .replaceAll('\r', '')
      .split('\n')
      .map((line) => line.length),
  )

it('takes a terminal that does not know its width as one of 80 columns, and has colours in one', async () => {
  const { server } = await commandLineOn()
  const plans = `'${commandLine.join("' '")}' plans --url ${server.url}`
  const usual = run(['plans', '--url', server.url])
  await usual.ended
  const shown = async (columns: number, colours = 'NO_COLOR=1') => {
    const line = `stty cols ${columns}; ${as(colours)} ${plans}`
    const terminal = runProgram(['script', '-qec', line, '/dev/null'])
    expect(await terminal.ended).toBe(0)
    return terminal.output().replaceAll('\r', '')
  }
  expect(await shown(0)).toBe(usual.output())
  expect(await shown(50)).not.toBe(usual.output())
  const bold = await shown(80, 'TERM=xterm')
  expect(bold).not.toBe(usual.output())
  expect(stripVTControlCharacters(bold)).toBe(usual.output())
  await server.stop()
})

it('says that an advance goes on where a person stops to wait for it', async () => {
  const { server } = await commandLineOn()
  const order = new URLSearchParams({ customer_id: 'cus_ada', plan: 'basic' })
  const headers = { Authorization: 'Bearer sk_sandbox_default' }
  for (let made = 0; made < 50; made += 1) {
    await fetch(`${server.url}/v1/subscriptions`, { method: 'POST', headers, body: order })
  }
  const advance = `'${commandLine.join("' '")}' clock advance P900Y --url ${server.url}`
  const line = `${as(`NO_COLOR=1 ${advance}`)} & echo "process $!"; wait $!`
  const terminal = runProgram(['script', '-qefc', line, '/dev/null'])
  await expect.poll(() => terminal.output()).toContain('advancing: ')
  const [, id] = /process (\d+)/.exec(terminal.output()) ?? []
  process.kill(Number(id), 'SIGINT')
  expect(await terminal.ended).toBe(130)
  expect(terminal.output()).toContain('The server goes on with the advance to its end.')
  await server.stop()
})

it('folds the report of verify in a terminal, and not where it is piped', async () => {
  const pact = 'contracts/pacts/reference-json-client-subscription-service.json'
  const verify = `'${commandLine.join("' '")}' verify ${pact}`
  const terminal = runProgram([
    'script',
    '-qec',
    `stty cols 80; ${as('NO_COLOR=1')} ${verify}`,
    '/dev/null',
  ])
  expect(await terminal.ended).toBe(0)
  const report = terminal.output().slice(terminal.output().indexOf('  ok  '))
  expect(widest(report)).toBeLessThanOrEqual(80)
  expect(report).toMatch(/\n {6}rests on .*,\r?\n {8}\S/)
  const piped = run(['verify', pact], { FORCE_COLOR: '0' })
  await piped.ended
  expect(piped.output()).toMatch(/\n {6}rests on .{60,}\n/)
})
