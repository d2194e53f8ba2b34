/** The recorded answers of the table of errors, against live servers. (Those that take long: test/guides/errors.test.ts) */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { answersOf, codes } from '../../scripts/errors/answers.ts'
import {
  catalogue,
  catalogueMarkdown,
  cataloguePage,
  operations,
} from '../../scripts/errors/catalogue.ts'
import { recordedErrors } from '../../src/openapi/errors/examples.ts'
import { refusalCodesOf } from '../../src/openapi/refusal-codes.ts'
import { type Code, codeTable } from '../../src/wire/common/error-codes.ts'
import { WireError, WireProblem } from '../../src/wire/common/errors.ts'
import { openShop } from '../support/control.ts'
import { boundedCodes, slowCodes } from '../support/slow-codes.ts'

const quick = codes.filter((code) => ![...slowCodes, ...boundedCodes].includes(code))

describe('what a request is refused with is what is recorded; npm run examples writes it anew', () => {
  it.each(quick)('%s', async (code) => {
    expect(await answersOf(code)).toEqual(recordedErrors[code])
  })
})

describe('each code', () => {
  const declaring = (code: Code) => operations.filter((each) => refusalCodesOf(each).has(code))

  it.each(codes.filter((code) => declaring(code).length > 0))(
    '%s was answered by every operation that declares it, and by no other',
    (code) => {
      const answered = recordedErrors[code]?.flatMap((each) => each.operations) ?? []
      expect(answered.sort()).toEqual(
        declaring(code)
          .map(({ operationId }) => operationId)
          .sort(),
      )
    },
  )

  it.each(codes)('%s was answered with its status, in the shape of its surface', (code) => {
    for (const { operations: answering, status, body } of recordedErrors[code] ?? []) {
      const isClients = answering.some(
        (id) =>
          operations.find((each) => each.operationId === id)?.path.startsWith('/v1') ??
          id.includes('/v1'),
      )
      const found = isClients ? WireError.parse(body).error : WireProblem.parse(body).code
      expect(found).toBe(code)
      expect(status).toBe(codeTable[code].status)
    }
  })
})

it('has every code', () => {
  expect(new Set(codes)).toEqual(new Set(Object.keys(codeTable)))
  const entries = catalogue()
  expect(entries.map(({ code }) => code)).toEqual(codes)
  for (const { code, examples } of entries) expect(examples, code).not.toEqual([])
})
it('is published in docs/errors.md; npm run errors writes it anew', () => {
  expect(readFileSync('docs/errors.md', 'utf8')).toBe(catalogueMarkdown())
})

it('is a page without scripts, which names every code, its cause and its remedy', async () => {
  const shop = await openShop()
  const response = await shop.app.request('http://127.0.0.1:5555/docs/errors')
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=UTF-8')
  const page = await response.text()
  expect(page).toBe(cataloguePage().replaceAll('localhost:4010', '127.0.0.1:5555'))
  expect(page).not.toMatch(/<script|onload=/)
  for (const code of Object.keys(codeTable) as Code[])
    expect(page).toContain(`<section id="${code}">`)
  expect(await (await shop.app.request('/docs')).text()).toContain('href="/docs/errors"')
})
