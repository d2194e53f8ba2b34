/** docs/errors.md: its commands, as they are printed, and the answers that take long. */
import { describe, expect, it } from 'vitest'
import { answersOf, openServer, recordable } from '../../scripts/errors/answers.ts'
import { catalogue, commandsOf } from '../../scripts/errors/catalogue.ts'
import { recordedErrors } from '../../src/openapi/errors/examples.ts'
import { runProgram } from '../support/process.ts'
import { slowCodes } from '../support/slow-codes.ts'

/** The examples with commands. */
const shown = catalogue()
  .filter(({ condition }) => condition === undefined)
  .flatMap(({ code, examples }) => examples.map((example) => ({ code, ...example })))

describe('the commands of docs/errors.md print the answers in it', () => {
  it.each(shown)('$code on $surface', async ({ calls, status, body }) => {
    const opened = await openServer()
    const commands = `${commandsOf(calls, opened.url)} -w '\\n%{http_code}'`
    const run = runProgram(['sh', '-c', commands])
    expect(await run.ended, run.errors()).toBe(0)
    const [answer = '', printedStatus] = run.output().split('\n')
    expect(JSON.parse(recordable(answer, opened))).toEqual(body)
    expect(printedStatus).toBe(String(status))
    await opened.close()
  })
})

/** Those without a command that anybody can type. */
const withoutCommand = slowCodes.filter((code) => !shown.some((each) => each.code === code))

describe('what takes long is refused as it is recorded', () => {
  it.each(withoutCommand)('%s', async (code) => {
    expect(await answersOf(code)).toEqual(recordedErrors[code])
  })
})
