/** The Python client in the repository: its generated modules are what the declarations say. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { pythonModules } from '../../scripts/python-client/modules.ts'
import { VERSION } from '../../src/version.ts'

const client = 'clients/python'

it('publishes the modules that the declarations make', async () => {
  for (const [path, text] of pythonModules()) {
    expect(await readFile(path, 'utf8'), `${path}: run npm run python-client`).toBe(text)
  }
})

it('has the version and the licence of the sandbox', async () => {
  expect(await readFile(`${client}/pyproject.toml`, 'utf8')).toContain(`version = "${VERSION}"`)
  expect(await readFile(`${client}/LICENSE`, 'utf8')).toBe(await readFile('LICENSE', 'utf8'))
})
