/** The health check of the image, in a network that only its own processes are in. */
import { describe, expect, it } from 'vitest'
import { asRoot, commandLine, hasNetworksOfItsOwn, runProgram } from '../../support/process.ts'

const health = `${process.execPath} dist/cli/health.js`

/** Runs a script with a server in the background, `$pid`, that listens as the options say. */
async function beside(options: string, script: string) {
  const begin = `ip link set lo up
    ${commandLine.join(' ')} serve --quiet --data memory ${options} > /dev/null & pid=$!
    for each in $(seq 400); do ${health} 2> /dev/null && break; sleep 0.05; done`
  const end = 'code=$?; kill -KILL $pid 2> /dev/null; exit $code'
  const alone = ['unshare', ...asRoot, '--net', '--pid', '--fork', '--mount-proc'] as const
  const running = runProgram([...alone, 'bash', '-c', `${begin}\n${script}\n${end}`])
  const code = await running.ended
  return { code, errors: running.errors() }
}

describe.runIf(hasNetworksOfItsOwn())('the health check', () => {
  it.each([
    '--port 4999',
    '--port 0',
    '--port 5001 --host 0.0.0.0',
    '--port 5002 --host ::',
    '--port 5003 --host ::1',
    '--port 5006 --host [::1]',
    '--port 5004 --host 127.0.0.7',
    '--port 5005 --host localhost',
  ])('finds a server that listens with %s', async (options) => {
    expect(await beside(options, health)).toEqual({ code: 0, errors: '' })
  })

  it('fails where nothing listens any more', async () => {
    const { code, errors } = await beside('--port 0', `kill -KILL $pid; wait $pid; ${health}`)
    expect(errors).toContain('Nothing listens.')
    expect(code).toBe(1)
  })

  it('does not take the server of another container for its own', async () => {
    const elsewhere = `unshare --pid --fork --mount-proc ${health}`
    const { code, errors } = await beside('--port 5007', elsewhere)
    expect(errors).toContain('Nothing listens.')
    expect(code).toBe(1)
  })

  it('fails where the server does not answer', async () => {
    const { code, errors } = await beside('--port 5006', `kill -STOP $pid; ${health}`)
    expect(errors).toContain('Not ready: http://127.0.0.1:5006.')
    expect(code).toBe(1)
  })
})
