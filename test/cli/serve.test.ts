/** What `serve` refuses, and what is printed without serving. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { LineChain } from '../../src/store/lines.ts'
import { run } from '../support/command-line.ts'
import { temporaryFolder } from '../support/folders.ts'

it('refuses to start on a manifest of another version, and leaves it as it is', async () => {
  const chain = new LineChain()
  const text = `${chain.next({ format: 99, sandbox: {} })}${chain.end()}`
  const folder = await temporaryFolder()
  const data = join(folder.path, 'my data')
  const file = join(data, 'sandboxes', 'default', 'sandbox.json')
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)

  const refused = run(['serve', '--port', '0', '--data', data])
  expect(await refused.ended).toBe(3)
  expect(refused.errors()).toContain('sandbox.json:1 has format 99; this version reads format')
  expect(refused.errors()).toContain('Use the version that wrote it, or another folder')
  expect(refused.errors()).toContain(`npx subscription-sandbox doctor --data '${data}'`)
  expect(refused.errors()).not.toMatch(/\n\s+at /)
  expect(await readFile(file, 'utf8')).toBe(text)
  await folder.remove()
})

it.each([
  [[], 'A command is missing'],
  [['dance'], "Unknown command 'dance'"],
  [['serve', '--prot', '1'], '--prot'],
  [['serve', '--port', 'abc'], '--port must be an integer from 0 to 65535; got "abc"'],
  [['serve', '--lock', 'file'], '--lock must be one of: kernel, none; got "file"'],
  [['doctor', '--lock', ''], '--lock must be one of: kernel, none; got ""'],
  [
    ['serve', '--clock-start', '2027-02-30'],
    '--clock-start must be an instant from 1970 to before the year 9000 such as 2027-01-31T10:00:00Z, a date, or now; got "2027-02-30"',
  ],
  [['serve', '--clock-start', '9001-01-01'], 'a date, or now; got "9001-01-01"'],
  [['serve', '--fixture', 'nosuch', '--data', 'memory'], '--fixture "nosuch" does not exist'],
  [['openapi', '--surface', 'v2'], '--surface must be one of: v1, control; got "v2"'],
])('ends with 2 and says what is wrong: %j', async (args, words) => {
  const refused = run(args)
  expect(await refused.ended).toBe(2)
  expect(refused.errors()).toContain(words)
  expect(refused.errors()).not.toMatch(/\n\s+at /)
})

it.each([
  [['--help'], 'Usage: subscription-sandbox'],
  [['openapi', '--json'], '"openapi": "3.1.0"'],
  [['openapi', '--surface', 'control', '--version', '3.0'], 'title: Control plane of the sandbox'],
  [['openapi', '--closed', '--media', 'json', '--format', 'json'], '"additionalProperties": false'],
])('prints what is asked for, and starts nothing: %j', async (args, words) => {
  const asked = run(args)
  expect(await asked.ended).toBe(0)
  expect(asked.output()).toContain(words)
})
