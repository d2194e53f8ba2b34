/** A new operation is one declaration and one row of names: every way in has it then. */
import { Command } from 'commander'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { commandOperation } from '../../scripts/library/command-operations.ts'
import { methodsModule } from '../../scripts/library/modules.ts'
import { completionsFor } from '../../src/cli/operations/completion.ts'
import { groupCommand } from '../../src/cli/operations/operation-command.ts'
import type { OperationId } from '../../src/generated/operations.ts'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { methodsFor } from '../../src/library/methods.ts'
import { tools } from '../../src/mcp/tools.ts'
import { operationNames } from '../../src/operations/names.ts'
import {
  commandsOf,
  methodsIn,
  type NameTable,
  operationsOfTool,
  startCommand,
} from '../../src/operations/naming.ts'
import { v1Operations } from '../../src/operations/v1.ts'
import type { Declaration } from '../../src/surface/operation.ts'

const planted: Declaration = {
  operationId: 'snoozeInvoice',
  method: 'post',
  path: '/sandbox/invoices/{invoice_id}/snooze',
  tag: 'Invoices',
  summary: 'Snooze an invoice',
  description: 'Its next payment attempt waits.',
  source: 'sandbox',
  security: 'none',
  params: z.strictObject({ invoice_id: z.string() }),
  body: {
    media: ['json'],
    required: true,
    schema: z.strictObject({ days: z.int().meta({ accepts: 'an integer' }) }),
  },
  replies: { 200: { description: 'The invoice.', schema: null, source: 'sandbox' } },
}
const names: NameTable = {
  snoozeInvoice: ['invoices.snooze', 'payments snooze', 'inv_000001 --days 3'],
}

it('gives a planted operation its command, with arguments, options, an example and completion', () => {
  const program = new Command('subscription-sandbox')
  const surface = {
    commands: commandsOf(names),
    declared: new Map([[planted.operationId, commandOperation(planted)]]),
  }
  groupCommand('invoices', surface)(program.command('invoices'))
  const command = program.commands[0]?.commands[0]
  expect(command?.usage()).toContain('<id>')
  let help = ''
  command?.configureOutput({ writeOut: (part) => (help += part) }).outputHelp()
  expect(help).toContain('--days <number>')
  expect(help).toContain('subscription-sandbox invoices snooze inv_000001 --days 3')
  expect(completionsFor(program, ['invoices', 'sn'])).toEqual([['snooze', 'snooze an invoice']])
  expect(completionsFor(program, ['invoices', 'snooze', '--da'])).toEqual([
    ['--days', 'an integer (required)'],
  ])
})

it('gives a planted operation its method, at run time and in the types', async () => {
  const { operationId, path } = planted
  const called = { method: 'POST', path, takesBody: true } as const
  const calls: unknown[] = []
  const call = async (...parts: unknown[]) => calls.push(parts)
  const { invoices } = methodsFor(names, { [operationId]: called }, { call })
  await (invoices as Record<string, (...args: unknown[]) => Promise<unknown>>)['snooze']?.(
    'inv_000001',
    { days: 3 },
  )
  expect(calls).toEqual([
    [called, { params: { path: { invoice_id: 'inv_000001' } }, body: { days: 3 } }],
  ])
  const declared = {
    ...{ operationId, path, method: 'post', text: 'Snooze an invoice.', inPath: ['invoice_id'] },
    ...{ query: [], body: { $ref: '#/InvoiceSnooze' }, isBodyRequired: true },
    ...{ answer: { $ref: '#/Invoice' }, answersText: false },
  }
  expect(methodsModule(new Map([[operationId, declared]]), names)).toContain(
    "snooze(invoice_id: string, body: Schemas['InvoiceSnooze']): Promise<Schemas['Invoice']>",
  )
  expect(methodsIn('python', names)).toEqual([['invoices.snooze', 'snoozeInvoice']])
  expect(operationsOfTool(names, 'payments')).toEqual({ snooze: 'snoozeInvoice' })
})

it('does not compile without a row for each operation', () => {
  const { auditSandbox, ...others } = operationNames
  // @ts-expect-error A row is missing.
  const incomplete: Record<OperationId, unknown> = others
  expect(Object.keys(incomplete)).toHaveLength(Object.keys(operationNames).length - 1)
  expect(auditSandbox[0]).toBe('audit')
  const declared = [...v1Operations, ...controlRoutes].map(({ operationId }) => operationId)
  expect(Object.keys(operationNames).sort()).toEqual(declared.sort())
})

it('names no method twice, and no tool that agents do not have', () => {
  for (const methods of [
    methodsIn('library', operationNames),
    methodsIn('python', operationNames),
  ]) {
    const called = methods.map(([method]) => method)
    expect(called).toEqual([...new Set(called)])
  }
  const words = commandsOf(operationNames).map((each) => each.words)
  expect(words).toEqual([...new Set(words)])
  const table: NameTable = operationNames
  const named = Object.values(table).flatMap((row) =>
    'leftOut' in row || typeof row[1] !== 'string' ? [] : [row[1]],
  )
  expect(named).toEqual([...new Set(named)])
  expect(new Set(named.map((each) => each.split(' ')[0]))).toEqual(
    new Set(tools.map(({ name }) => name)),
  )
  // A tool with several operations is told by an argument which is meant.
  for (const { name, by } of tools) {
    const choices = Object.keys(operationsOfTool(operationNames, name))
    expect(choices.includes(''), name).toBe(by === undefined)
  }
})

it('says of whatever a way in leaves out why', () => {
  const table: NameTable = operationNames
  const reasons = Object.values(table).flatMap((row) =>
    'leftOut' in row ? [row] : [row[1], row[3]?.command, row[3]?.library, row[3]?.python],
  )
  for (const reason of reasons) {
    if (typeof reason !== 'object') continue
    expect(Object.values(reason).join()).toMatch(/\w+/)
  }
})

it.each([
  ['http://127.0.0.1:4010', ''],
  ['http://localhost:4441', ' --port 4441'],
  ['http://127.0.0.1', ' --port 80'],
  ['http://billing.example:4441', ''],
])('starts a server at %s by its port if that is on this machine', (address, port) => {
  expect(startCommand(address)).toBe(`npx subscription-sandbox serve${port}`)
})
