/**
 * `npm run examples`: calls every operation with its examples, provokes every error, and writes what is answered for the
 * documents; and an event of each type.
 */
import { writeFile } from 'node:fs/promises'
import type { RecordedError } from '../src/openapi/errors/examples.ts'
import { answersOf, codes } from './errors/answers.ts'
import { eventExamples } from './event-examples.ts'
import { answersTo, exampleFiles } from './example-answers.ts'

async function write(file: string, value: object): Promise<void> {
  const path = new URL(`../src/openapi/examples/${file}`, import.meta.url)
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`)
}

await write('events.json', await eventExamples())
for (const { file, operations, calls } of exampleFiles) {
  await write(file, await answersTo(operations, calls))
}

const errors: Record<string, readonly RecordedError[]> = {}
for (const code of codes) errors[code] = await answersOf(code)
await write('../errors/recorded.json', errors)
