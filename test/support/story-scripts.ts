/** Running the scripts of stories, each with the program that it is for. */
import { spawnSync } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './folders.ts'
import { runProgram } from './process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const vitest = join(root, 'node_modules/vitest/vitest.mjs')

/** The formats that can be run here. */
export const storyFormats = [
  { format: 'curl', file: 'story.sh', command: ['sh', 'story.sh'] },
  {
    format: 'vitest',
    file: 'story.test.mjs',
    command: [process.execPath, vitest, 'run', '--root', '.'],
  },
  {
    format: 'pytest',
    file: 'test_story.py',
    command: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
  },
] as const
export type StoryFormat = (typeof storyFormats)[number]

const missing = new Set(
  [
    ['curl', '--version'],
    ['python3', '-c', 'import pytest'],
  ].flatMap(([program = '', ...args]) =>
    spawnSync(program, args).status === 0 ? [] : [program === 'curl' ? 'curl' : 'pytest'],
  ),
)

/** Whether the machine lacks what a format needs. */
export function isMissing({ format }: StoryFormat): boolean {
  return missing.has(format)
}

/** Runs a script in a folder of its own. Throws with what it printed where it fails. */
export async function runStory(
  { file, command }: StoryFormat,
  script: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const folder = await temporaryFolder()
  try {
    await writeFile(join(folder.path, file), script)
    // Where a user's own project has it.
    await symlink(`${root}node_modules`, join(folder.path, 'node_modules'))
    const ran = runProgram([...command], environment, folder.path)
    const code = await ran.ended
    if (code !== 0) throw new Error(`${file} ended with ${code}:\n${ran.output()}${ran.errors()}`)
  } finally {
    await folder.remove()
  }
}
