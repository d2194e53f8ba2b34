/** `npm run examples`: calls every operation with its examples, and writes what they are answered for the documents. */
import { writeFile } from 'node:fs/promises'
import { answersTo, exampleFiles } from './example-answers.ts'

for (const { file, operations, calls } of exampleFiles) {
  const answers = await answersTo(operations, calls)
  const path = new URL(`../src/openapi/examples/${file}`, import.meta.url)
  await writeFile(path, `${JSON.stringify(answers, null, 2)}\n`)
}
