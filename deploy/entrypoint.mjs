/** The entry of the image, which may have no shell: options alone are those of serve, anything else is a command. */
import { existsSync } from 'node:fs'

const [, , first = '-'] = process.argv
if (/^-(?!h$|-help$|V$|-version$)/.test(first)) process.argv.splice(2, 0, 'serve')

if (['check', 'verify'].includes(first) && !existsSync('/app/node_modules/@pact-foundation')) {
  process.stderr.write(
    `${first} needs the Pact core, which this image is without; use the one that is built without --target slim.\n`,
  )
  process.exit(3)
}
await import('/app/dist/cli/main.js')
