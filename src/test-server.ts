/** The server of tests: the one that SANDBOX_URL names, or one in this process. */
import { connect, type Sandbox, startSandbox } from './index.ts'
import { conventionalFixture } from './server/fixture-choice.ts'

/** Its default sandbox. Closing that stops a server that was started here. */
export async function startOrConnect(): Promise<Sandbox> {
  const { SANDBOX_URL: url, SANDBOX_API_KEY: key, SANDBOX_CONTROL_TOKEN: token } = process.env
  // Empty variables are as if they were not there.
  const names = ['fixture', 'settings', 'deviation'] as const
  const given = names.flatMap((name) => {
    const value = process.env[`SANDBOX_${name.toUpperCase()}`]
    return value ? [[name, value] as const] : []
  })
  if (!url) {
    const { fixture = await conventionalFixture(), ...others } = Object.fromEntries(given)
    return startSandbox({ ...others, ...(fixture && { fixture }) })
  }
  // What starts a server for tests, such as exec, sets its key too, and has read them.
  for (const [name] of key ? [] : given) {
    const variable = `SANDBOX_${name.toUpperCase()}`
    process.stderr.write(
      `Warning: ${variable} is for a new server; that of SANDBOX_URL ignores it.\n`,
    )
  }
  return connect(url, token ? { controlToken: token } : {}).catch((error: Error) => {
    error.message = `SANDBOX_URL: ${error.message}`
    throw error
  })
}
