/** Running the scripts of recordings, each with the program that it is for. */
import { spawnSync } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PATIENCE_MS } from '../../vitest.config.ts'
import { temporaryFolder } from './folders.ts'
import { runProgram } from './process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const vitest = join(root, 'node_modules/vitest/vitest.mjs')

/** The formats that can be run here. */
export const recordingFormats = [
  { format: 'curl', file: 'recording.sh', command: ['sh', 'recording.sh'] },
  {
    format: 'vitest',
    file: 'recording.test.mjs',
    command: [process.execPath, vitest, 'run', '--root', '.'],
  },
  {
    format: 'pytest',
    file: 'test_recording.py',
    command: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
  },
] as const
export type RecordingFormat = (typeof recordingFormats)[number]

const missing = new Set(
  [
    ['curl', '--version'],
    ['python3', '-c', 'import pytest'],
  ].flatMap(([program = '', ...args]) =>
    spawnSync(program, args).status === 0 ? [] : [program === 'curl' ? 'curl' : 'pytest'],
  ),
)

/** Whether the machine lacks what a format needs. */
export function isMissing({ format }: RecordingFormat): boolean {
  return missing.has(format)
}

/** What a project has beside its tests, here with the source of the libraries, and with what keeps the final state. */
const project = {
  'vitest.config.mjs': `export default {
  resolve: { alias: { 'subscription-sandbox/vitest': '${root}src/vitest.ts' } },
  test: { setupFiles: ['keep-state.mjs'], testTimeout: ${PATIENCE_MS} },
}`,
  'keep-state.mjs': `import { writeFile } from 'node:fs/promises'
import { test } from 'subscription-sandbox/vitest'

test.afterEach(async ({ sandbox }) => {
  const headers = { 'Sandbox-Id': sandbox.id }
  const state = await sandbox.fetch(\`\${sandbox.url}/sandbox/state\`, { headers })
  await writeFile('state.json', await state.text())
})`,
  'conftest.py': `import pytest

pytest_plugins = ["subscription_sandbox.pytest_plugin"]


@pytest.fixture(autouse=True)
def keep_state(sandbox):
    yield
    with open("state.json", "w") as file:
        file.write(sandbox.send("GET", "/sandbox/state", headers={"Sandbox-Id": sandbox.id}).text)
`,
}

/**
 * Runs a script in a folder of its own. Returns the state that the sandbox of a test had at its end, and null for a shell
 * script. Throws with what it printed where it fails.
 */
export async function runRecording(
  { file, command, format }: RecordingFormat,
  script: string,
  environment: Readonly<Record<string, string>>,
): Promise<string | null> {
  const folder = await temporaryFolder()
  const inFolder = (name: string) => join(folder.path, name)
  try {
    for (const [name, text] of Object.entries({ ...project, [file]: script })) {
      await writeFile(inFolder(name), text)
    }
    await symlink(`${root}node_modules`, inFolder('node_modules'))
    const python = { PYTHONPATH: `${root}clients/python/src`, PYTHONDONTWRITEBYTECODE: '1' }
    const ran = runProgram([...command], { ...python, ...environment }, folder.path)
    const code = await ran.ended
    if (code !== 0) throw new Error(`${file} ended with ${code}:\n${ran.output()}${ran.errors()}`)
    return format === 'curl' ? null : await readFile(inFolder('state.json'), 'utf8')
  } finally {
    await folder.remove()
  }
}
