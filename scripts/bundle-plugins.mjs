/** What makes a start from the bundles quick (docs/decisions/0007-what-was-slow.md): plugins of the bundler. */
import { transform } from 'esbuild'

/**
 * Makes the bundles quick to read (docs/decisions/0007-what-was-slow.md): without indents; in ASCII, which takes one byte
 * for each character in memory; in short lines, because Node prints the line of an error that nobody catches. The comments
 * that name a module stay. A module of Node is taken as an object: an import evaluates all that it has for its first use.
 */
export const quickToRead = {
  name: 'quick-to-read',
  async generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      const code = chunk.code
        .replace(
          /^import (\{.*\}|\w+) from "(node:.*)";$/gm,
          (_, names, module) =>
            `var ${names.replaceAll(' as ', ': ')} = process.getBuiltinModule("${module}");`,
        )
        .replace(/^\/\/ (?=src\/|node_modules\/)/gm, '//! ')
      const short = { minifyWhitespace: true, lineLimit: 120, target: 'node20' }
      chunk.code = (await transform(code, short)).code
    }
  },
}

/** What a start never calls, by the module that would load it: its import or `require`, and the same at the first call. */
const atFirstUse = {
  'src/world/virtual-clock.ts': [
    "import { type Clock, createClock } from '@sinonjs/fake-timers'",
    "import type { Clock } from '@sinonjs/fake-timers'\nconst createClock = (start) => require('@sinonjs/fake-timers').createClock(start)",
  ],
  'node_modules/commander/lib/command.js': [
    "const childProcess = require('node:child_process')",
    "const childProcess = { spawn: (...order) => require('node:child_process').spawn(...order) }",
  ],
}

/** Loads some modules where they are first used. Fails where a module does not load them as is known. */
export const loadedAtFirstUse = {
  name: 'loaded-at-first-use',
  transform(code, id) {
    const found = Object.entries(atFirstUse).find(([path]) => id.endsWith(`/${path}`))
    if (found === undefined) return null
    const [path, [loads, later]] = found
    if (!code.includes(loads)) throw new Error(`${path} has no ${loads}`)
    return code.replace(loads, later)
  },
}
