/** A folder of another user, which a container is often given: a start says whose it is, and what to do. */
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folders.ts'
import { commandLine, failed, runProgram } from '../support/process.ts'

const OTHER = 65_533

let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeEach(async () => {
  folder = await temporaryFolder()
  await chmod(folder.path, 0o755)
})

afterEach(() => folder.remove())

/** Serves from a folder as a user who is not root, whom nothing but what permissions say lets write. */
function serveAsOther(path: string) {
  const user = ['setpriv', `--reuid=${OTHER}`, `--regid=${OTHER}`, '--clear-groups'] as const
  return failed(runProgram([...user, ...commandLine, 'serve', '--port', '0', '--data', path]))
}

/** Only root can give files away. */
describe.runIf(process.getuid?.() === 0)('a data folder', () => {
  it('of root names its owner, the user of the process, and both ways out', async () => {
    const { code, errors } = await serveAsOther(folder.path)
    expect(code).toBe(3)
    expect(errors).toContain(`${folder.path}/lock cannot be locked: permission denied`)
    expect(errors).toContain(
      `${folder.path} belongs to user 0, and this process runs as user ${OTHER}.`,
    )
    expect(errors).toContain(`chown -R ${OTHER}:${OTHER} ${folder.path}`)
    expect(errors).toContain('--user 0:0')
  })

  it('that nobody else may look into gets the same advice', async () => {
    await chmod(folder.path, 0o700)
    const { code, errors } = await serveAsOther(folder.path)
    expect(code).toBe(3)
    expect(errors).toContain(`${folder.path}/lock cannot be locked: permission denied`)
    expect(errors).toContain(`chown -R ${OTHER}:${OTHER} ${folder.path},`)
  })

  it('that has files of another user names the file, and has all of the folder changed', async () => {
    const data = join(folder.path, 'data')
    await mkdir(data)
    await chown(data, OTHER, OTHER)
    await writeFile(join(data, 'lock'), '')
    const { code, errors } = await serveAsOther(data)
    expect(code).toBe(3)
    expect(errors).toContain(`${join(data, 'lock')} belongs to user 0`)
    expect(errors).toContain(`chown -R ${OTHER}:${OTHER} ${data},`)
  })

  it.each([0o755, 0o700])(
    'that cannot be made names the folder above it, which stays as it is',
    async (mode) => {
      await chmod(folder.path, mode)
      const data = join(folder.path, 'new', 'data')
      const { code, errors } = await serveAsOther(data)
      expect(code).toBe(3)
      expect(errors).toContain('cannot be made: permission denied')
      expect(errors).toContain(`${folder.path} belongs to user 0`)
      expect(errors).toContain(`install -d -o ${OTHER} -g ${OTHER} ${data},`)
      expect(errors).not.toContain('chown')
    },
  )
})
