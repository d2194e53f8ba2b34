import { expect, it } from 'vitest'
import { programFor } from '../../src/cli/program.ts'
import { atTerminal, commandLineOn } from '../support/command-line.ts'

const widest = (text: string) =>
  Math.max(
    ...text
      .replaceAll('\r', '')
      .split('\n')
      .map((line) => line.length),
  )

it('wraps help in a narrow terminal, below its terms', async () => {
  const program = await programFor([], true)
  for (const command of program.commands.flatMap((each) => [each, ...each.commands])) {
    let text = ''
    command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 50 })
    command.outputHelp()
    const [help = ''] = text.split('\nExamples:')
    expect(widest(help.replace(/^Usage: .*/, '')), command.name()).toBeLessThanOrEqual(50)
  }
})

it('follows the width of a terminal: narrow lists are stacked, wide ones are tables', async () => {
  const { server, type } = await commandLineOn()
  const at = (columns: number, line: string) =>
    atTerminal(columns, () => type(line, { NO_COLOR: '1' }))
  const narrow = await at(50, 'plans')
  expect(narrow.out).toMatch(/^plan {12}basic\nname {12}Basic\nproduct {9}prod_app\n/)
  expect(narrow.out).toMatch(/\n\nplan {12}pro\n/)
  expect(widest(narrow.out)).toBeLessThanOrEqual(50)
  await type(
    'webhooks create http://127.0.0.1:9/a/very/long/path/of/a/receiver/that/does/not/answer/anybody',
  )
  const [usual, wide] = [await at(80, 'webhooks'), await at(120, 'webhooks')]
  expect(usual.out).toMatch(/\nwh_000001 .*path\S+ +\d+\n +\S+\n$/)
  expect(wide.out).toMatch(/\nwh_000001 .*anybody +\d+\n$/)
  await server.stop()
})

it('folds how an amount came about in a terminal, and not where it is piped', async () => {
  const { server, type } = await commandLineOn()
  await type('subscriptions create --customer-id cus_ada --plan basic')
  await type('clock advance P10D')
  await type('subscriptions update sub_000001 --plan pro')
  const explain = () => type('invoices explain inv_000002', { NO_COLOR: '1' })
  const [shown, piped] = [await atTerminal(80, explain), await explain()]
  expect(widest(shown.out)).toBeLessThanOrEqual(80)
  expect(widest(piped.out)).toBeGreaterThan(80)
  await server.stop()
})

it('cuts no text of wide characters, and keeps its columns in line', async () => {
  const { server, type } = await commandLineOn()
  await type('products create --id wide --name 日本語の名前日本語の名前')
  await type('customers create --id cus_wide --name 日本語 --email wide@example.com')
  expect((await type('products')).out).toContain('日本語の名前日本語の名前')
  const rows = (await type('customers')).out.split('\n')
  const [usual, wide] = ['cus_ada', 'cus_wide'].map((id) => rows.find((row) => row.startsWith(id)))
  // Each of the three characters takes two columns.
  expect(wide?.indexOf('wide@')).toBe((usual?.indexOf('ada@') ?? 0) - 3)
  await server.stop()
})
