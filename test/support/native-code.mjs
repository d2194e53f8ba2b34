/**
 * Loaded into a process by NODE_OPTIONS: writes down every piece of native code that the process loads, in the file
 * NATIVE_CODE_LOG, and with NATIVE_CODE=refused or =fatal lets none of it load.
 */
import { appendFileSync } from 'node:fs'

const { NATIVE_CODE, NATIVE_CODE_LOG } = process.env
const { dlopen } = process

process.dlopen = (...args) => {
  if (NATIVE_CODE === 'fatal') process.exit(7)
  if (NATIVE_CODE === 'refused') throw new Error('native code is refused here')
  appendFileSync(NATIVE_CODE_LOG, `${args[1]}\n`)
  return dlopen.apply(process, args)
}
