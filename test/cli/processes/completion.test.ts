/** Completion as the shells do it, where they are on the machine; exec.test.ts has bash, which is everywhere. */
import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/folders.ts'
import { commandLine, runProgram } from '../../support/process.ts'

let home: string

/** A home with nothing in it, a program of the name that is completed, and a folder with one file to complete. */
beforeAll(async () => {
  const folder = await temporaryFolder()
  home = folder.path
  await mkdir(join(home, 'bin'))
  await mkdir(join(home, 'work'))
  await writeFile(join(home, 'work', 'datafile'), '')
  const program = `#!/bin/sh\nexec ${commandLine.map((part) => `'${resolve(part)}'`).join(' ')} "$@"\n`
  await writeFile(join(home, 'bin', 'subscription-sandbox'), program, { mode: 0o755 })
  return folder.remove
})

/** What a shell lists for a line, each word with what it is. */
const shells = { zsh: listedByZsh, fish: listedByFish }

describe.each(Object.entries(shells))('%s', (shell, listed) => {
  const isMissing = spawnSync(shell, ['--version']).status !== 0

  it('completes commands, their commands and their options', async ({ skip }) => {
    skip(isMissing, `not run: the machine has no ${shell}`)
    expect(await listed('cou')).toEqual(['coupons: list, create, change and delete coupons'])
    expect((await listed('clock ')).sort()).toEqual([
      'advance: advance the virtual clock',
      'help: print the help of a command',
      'set: set the virtual clock',
      'show: read the virtual clock',
    ])
    expect(await listed('coupons create --dur')).toEqual([
      '--duration: How long the discount lasts: for one invoice, or for all of them. Or: How long the discount lasts: always `repeating`, for some months.',
      '--duration-in-months: How many months the discount lasts.',
    ])
  })

  it('completes files where a value stands', async ({ skip }) => {
    skip(isMissing, `not run: the machine has no ${shell}`)
    expect(await listed('doctor --data ')).toEqual(['datafile'])
    expect(await listed('clock --url da')).toEqual(['datafile'])
  })
})

async function listedByFish(line: string): Promise<string[]> {
  const script = `source (subscription-sandbox completion fish | psub); complete -C 'subscription-sandbox ${line}'`
  const printed = await ran(['fish', '--no-config', '-c', script])
  return printed
    .split('\n')
    .filter((each) => each !== '')
    .map((each) => each.replace('\t', ': '))
}

/** In a terminal of zsh: the keys are the line, what lists (^D), and what says that the list has ended (^X). */
async function listedByZsh(line: string): Promise<string[]> {
  const file = join(home, 'listing.zsh')
  // The marks are put together where they are printed, so that the echo of what is typed has none. Keys that come
  // before the editor of lines has begun are the terminal's.
  await writeFile(
    file,
    String.raw`zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; stty columns 200; source <(subscription-sandbox completion zsh); zle-line-init() { print LINE-${'$'}{:-BEGUN} }; zle -N zle-line-init; mark() { print LIST-${'$'}{:-ENDED} }; zle -N mark; bindkey "^X" mark'
zpty -r shell before '*LINE-BEGUN*'
zpty -w -n shell $'subscription-sandbox ${line}\x04\x18'
zpty -r shell listed '*LIST-ENDED*'
print -r -- $listed
zpty -d shell
`,
  )
  const printed = stripVTControlCharacters(await ran(['zsh', '-f', file]))
  const [, list = ''] =
    /subscription-sandbox [^\n]*\n([\s\S]*)\rsubscription-sandbox/.exec(printed) ?? []
  return list
    .split(/[\r\n]+/)
    .map((each) => each.trim().replace(/\s+-- /, ': '))
    .filter((each) => each !== '')
}

async function ran(command: readonly [string, ...string[]]): Promise<string> {
  const path = `${join(home, 'bin')}:${process.env['PATH']}`
  const shell = runProgram(command, { HOME: home, PATH: path, TERM: 'xterm' }, join(home, 'work'))
  expect(await shell.ended, shell.errors()).toBe(0)
  return shell.output()
}
