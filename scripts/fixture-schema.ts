/** The JSON Schema of fixtures, for editors: in draft 7, which all of them read. */
import * as z from 'zod'
import { Fixture } from '../src/sandbox/fixture-format.ts'

/** What only our own messages and documents use. */
const own = ['accepts', 'bounds', 'members', 'secret', 'source', 'examples']

/** The text of fixtures/fixture.schema.json. */
export function fixtureSchema(): string {
  const schema = z.toJSONSchema(Fixture, {
    io: 'input',
    unrepresentable: 'any',
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      for (const key of own) delete (jsonSchema as Record<string, unknown>)[key]
    },
  })
  const title = 'A fixture of subscription-sandbox'
  return `${JSON.stringify({ title, ...schema }, null, 2)}\n`
}
