/** The server of tests: the one that SANDBOX_URL names, or one in this process. */
import { connect, type Sandbox, startSandbox } from './index.ts'

/** Its default sandbox. Closing that stops a server that was started here. */
export function startOrConnect(): Promise<Sandbox> {
  const {
    SANDBOX_URL: url,
    SANDBOX_CONTROL_TOKEN: controlToken,
    SANDBOX_FIXTURE: fixture,
    SANDBOX_SETTINGS: settings,
    SANDBOX_DEVIATION: deviation,
  } = process.env
  // Empty variables are as if they were not there.
  if (url) return connect(url, controlToken ? { controlToken } : {})
  return startSandbox({
    ...(fixture && { fixture }),
    ...(settings && { settings }),
    ...(deviation && { deviation }),
  })
}
