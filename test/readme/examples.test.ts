/**
 * The programs in examples, run as a newcomer would: copied into a folder that has the package installed. That their tests
 * pass is shown by `test/package/installed.test.ts`.
 */
import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { type NewcomerFolder, newcomerFolder } from '../support/newcomer.ts'

const run = promisify(execFile)
const ours = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV)/.test(name))
const env = Object.fromEntries(ours)

it('notices a shop in TypeScript that forgets the trial', async () => {
  await using folder = await copied('typescript')
  const shop = await readFile(`${folder.path}/shop.ts`, 'utf8')
  await writeFile(`${folder.path}/shop.ts`, shop.replace('plan, ...trial', 'plan'))
  const failed = await run('npx', ['vitest', 'run'], { cwd: folder.path, env }).catch(
    (error) => error,
  )
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('a trial becomes paid') })
})

it('notices an amount that is wrong in a shell, and ends as the tests do', async () => {
  await using folder = await copied('shell')
  const script = await readFile(`${folder.path}/test.sh`, 'utf8')
  await writeFile(`${folder.path}/test.sh`, script.replace('"$paid" 2000', '"$paid" 2001'))
  const exec = ['subscription-sandbox', 'exec', '--', './test.sh']
  await expect(run('npx', exec, { cwd: folder.path, env })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('expected 2001, got 2000'),
  })
})

it('records a pact of the tests of the shop, which holds under every variation', async () => {
  await using folder = await copied('typescript')
  const sandbox = async (...args: readonly string[]) =>
    (await run('npx', ['subscription-sandbox', ...args], { cwd: folder.path, env })).stdout
  const told = await sandbox('record', '--consumer', 'my-shop', '--', 'npx', 'vitest', 'run')
  expect(told).toMatch(/^pacts\/my-shop-subscription-service\.json: [1-9]\d* interactions from/m)
  expect(told).toMatch(/notices [1-9]\d* of \d+ changes of its answers/)
  const studied = await sandbox('verify', 'pacts', '--vary')
  expect(studied).toMatch(/under \d+ variations: every interaction holds under each/)
  expect(studied).toMatch(/(\d+) interactions of 1 pact verified: \1 passed, 0 failed, 0 pending/)
})

it('finds in the matrix that a careless client creates again, and a careful one does not', async () => {
  await using folder = await copied('robustness')
  const only = ['vary/status', 'fault/timeout'].flatMap((name) => ['--only', name])
  const matrix = (client: string) => {
    const tests = ['--', process.execPath, '--import', 'tsx', `${client}.test.ts`]
    const exec = ['subscription-sandbox', 'exec', '--matrix', ...only, ...tests]
    return run('npx', exec, { cwd: folder.path, env })
  }
  const { stdout } = await matrix('careful')
  expect(stdout).toContain('5 cells: 0 failed, 0 findings (seed 1).')
  const failed = await matrix('careless').catch((error) => error)
  expect(failed).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('5 cells: 2 failed, 2 findings (seed 1).'),
  })
  expect(failed.stdout).toMatch(/^failed +vary\/status-names +a customer in a trial has access$/m)
  expect(failed.stdout).toMatch(
    /^failed +fault\/timeout-after\/createSubscription +a customer is subscribed once$/m,
  )
})

it('connects each program with its sandbox in five lines at the most', async () => {
  const glue = /subscription-sandbox\/vitest|base\.extend|new Shop|SANDBOX_/g
  for (const file of ['typescript/shop.test.ts', 'shell/test.sh']) {
    const lines = (await readFile(`examples/${file}`, 'utf8')).match(glue) ?? []
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.length).toBeLessThanOrEqual(5)
  }
})

async function copied(example: string): Promise<NewcomerFolder> {
  const folder = await newcomerFolder()
  await cp(`examples/${example}`, folder.path, { recursive: true })
  return folder
}
