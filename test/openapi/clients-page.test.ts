/** docs/clients.md names as many operations as the documents have. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { controlDocument } from '../../src/openapi/control.ts'
import { v1Document } from '../../src/openapi/v1.ts'
import { VERSION } from '../../src/version.ts'

const page = readFileSync('docs/clients.md', 'utf8')

it.each([
  ['/openapi.json', v1Document(VERSION)],
  ['/sandbox/openapi.json', controlDocument(controlRoutes, VERSION)],
])('docs/clients.md counts the operations of %s', (path, { paths = {} }) => {
  const operations = Object.values(paths).flatMap((item) => Object.keys(item as object))
  const named = page.matchAll(
    new RegExp(`(\\d+) operations of\\s+\`${path}\`|\\| \`${path}\` \\| \\d+ of (\\d+) \\|`, 'g'),
  )
  const counts = [...named].map(([, inText, inTable]) => Number(inText ?? inTable))
  expect(new Set(counts)).toEqual(new Set([operations.length]))
})
