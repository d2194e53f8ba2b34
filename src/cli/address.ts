/** Addresses on the command line: of servers, and of services. */
import { UsageError } from './usage.ts'

/** Reads an address. Throws `UsageError`, which names the option or the variable. */
export function readAddress(name: string, text: string): string {
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text)) {
    throw new UsageError(`${name} must be an address such as http://127.0.0.1:4010; got "${text}".`)
  }
  const { username, password } = new URL(text)
  if (username !== '' || password !== '') {
    throw new UsageError(`${name} must be without a user and a password; they are not shown.`)
  }
  return text
}

/** Reads the address of a server of sandboxes. Throws `UsageError` as above, and for a path. */
export function readServer(name: string, text: string): string {
  const { origin, href } = new URL(readAddress(name, text))
  if (/^\/*$/.test(href.slice(origin.length))) return origin
  throw new UsageError(`${name} must have no path, such as http://127.0.0.1:4010; got "${text}".`)
}
