/** The guide on fixtures: its commands run in an empty folder, and its fixture is read. */
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { isRefusal } from '../../src/billing/refusal.ts'
import { chooseFixture } from '../../src/server/fixture-choice.ts'
import { filesIn } from '../support/fences.ts'
import { temporaryFolder } from '../support/folders.ts'
import { newcomerFolder, written } from '../support/newcomer.ts'
import { runProgram, served } from '../support/process.ts'
import { playedText } from '../support/transcript.ts'

const GUIDE = 'docs/guides/your-own-fixture.md'
const program = resolve('dist/cli/main.js')

/** What an installed package is found by. */
const before = `npx() { shift; node '${program}' "$@"; }`

const blocksOf = (page: string, kind: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${kind}\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text = '']) => text,
  )

it('prints what it says, command by command', async () => {
  const folder = await temporaryFolder()
  const page = await readFile(GUIDE, 'utf8')
  const play = async (part: string, url: string) => {
    const { printed, promised } = await playedText(part, url, { cwd: folder.path, before })
    expect(printed).toEqual(promised)
    return printed.length
  }
  const [first = '', ...parts] = page.split('```sh\n')
  let commands = await play(first, '')
  for (const part of parts) {
    const [, ...args] = (part.split('\n')[0] ?? '').replace('npx ', '').split(' ')
    const own = [process.execPath, program, ...args, '--port', '0'] as const
    const sandbox = await served(runProgram(own, {}, folder.path))
    commands += await play(part, sandbox.url)
    await sandbox.stop()
  }
  expect([commands, parts.length]).toEqual([5, 2])
  await folder.remove()
})

it('is what tests of vitest may begin with, as it shows', async () => {
  await using folder = await newcomerFolder()
  const [test] = await filesIn(GUIDE)
  await written(folder.path, test?.name ?? '', test?.text ?? '')
  const commands = ['npx subscription-sandbox init', 'npx vitest run late.test.ts']
  for (const command of commands) {
    const run = runProgram(['sh', '-c', command], { SANDBOX_URL: '' }, folder.path)
    expect(await run.ended, run.output() + run.errors()).toBe(0)
  }
})

it('shows a fixture that is right but for its last step, and the problem with that', async () => {
  const folder = await temporaryFolder()
  const page = await readFile(GUIDE, 'utf8')
  const [yaml = ''] = blocksOf(page, 'yaml')
  const file = join(folder.path, 'my.yaml')
  await writeFile(file, yaml)
  const wrong = await chooseFixture(file)
  const told = isRefusal(wrong) ? wrong.message.replace(`${folder.path}/`, '') : null
  expect(told).toBe(blocksOf(page, 'text')[0]?.trim())
  await writeFile(file, yaml.split('\n').slice(0, -2).join('\n'))
  expect(isRefusal(await chooseFixture(file))).toBe(false)
  await folder.remove()
})

it('names every act', async () => {
  const page = await readFile(GUIDE, 'utf8')
  const { actNames } = await import('../../src/sandbox/fixture-acts.ts')
  for (const name of actNames) {
    const [verb, what] = name.split('_')
    const isPair = verb === 'create' || (verb === 'change' && what !== 'settings')
    const words = isPair ? [`${verb}_`, what] : [name]
    for (const word of words) expect(page).toContain(`\`${word}\``)
  }
})
