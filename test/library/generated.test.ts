import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { libraryModules } from '../../scripts/library/modules.ts'

it('has methods as the declarations and the names say', () => {
  for (const [path, text] of libraryModules()) {
    expect(readFileSync(path, 'utf8'), `${path}: run npm run library`).toBe(text)
  }
})
