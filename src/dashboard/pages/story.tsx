/** The story of this sandbox: a script that ends in the same state, to read and to take along. */
import type { Hono } from 'hono'
import type { Sandbox } from '../../library/sandbox.ts'
import { page } from '../page.tsx'
import { CodeBlock } from '../ui/code.tsx'
import { asked, Filter } from '../ui/filter.tsx'
import { SelectField } from '../ui/form.tsx'
import { Empty, Heading } from '../ui/table.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

/** Each format: what it is, and the file that it is saved as. */
const formats = {
  curl: ['A shell script', 'story.sh'],
  vitest: ['A test for vitest', 'story.test.mjs'],
  pytest: ['A test for pytest', 'test_story.py'],
  json: ['The recording', 'story.json'],
} as const satisfies Record<StoryFormat, readonly [string, string]>

type StoryFormat = NonNullable<Parameters<Sandbox['story']>[0]>

/** A story can have 16 MiB; a page shows its beginning. */
const SHOWN = 50_000

export function storyPages(pages: Hono): void {
  pages.get('/story', page(storyPage))
  pages.get('/story/download', async (c) => {
    const visit = c.get('visit')
    const { body } = await ask(visit)
    const [, file] = formats[formatOf(visit)] ?? formats.curl
    const headers = {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Disposition': `attachment; filename="${file}"`,
    }
    return new Response(body as ReadableStream | null, { headers })
  })
}

function formatOf(visit: Visit): keyof typeof formats {
  return (visit.query('format') ?? 'curl') as keyof typeof formats
}

function ask(visit: Visit): Promise<Response> {
  return visit.send(`/sandbox/story?${new URLSearchParams({ format: formatOf(visit) })}`)
}

async function storyPage(visit: Visit): Promise<View> {
  const find = async () => beginningOf(await ask(visit))
  const { found, sent } = await asked(visit, { find, otherwise: null })
  const format = formatOf(visit)
  const body = (
    <>
      <Heading title="Story">
        {found !== null && (
          <a class="button" href={visit.to('story/download', { format })} download>
            Download {formats[format][1]}
          </a>
        )}
      </Heading>
      <p>
        The calls that changed something in this sandbox, as a script. Run against a running server,
        it makes a sandbox that ends in the same state: a bug report that anybody can try.
      </p>
      <Filter visit={visit} path="story" sent={sent} label="Which format" hasAll={false}>
        <SelectField
          name="format"
          label="Format"
          options={Object.entries(formats).map(([name, [what]]) => [name, what] as const)}
          sent={sent}
        />
      </Filter>
      {found === null ? (
        <Empty>
          <p>There is no whole story to tell.</p>
          <p>
            A <a href={visit.to('sandboxes/reset')}>reset</a> begins a new one, or{' '}
            <a href={visit.to('sandboxes')}>make a sandbox</a> and begin there.
          </p>
        </Empty>
      ) : (
        <CodeBlock text={found.text} label="The story" />
      )}
      {found?.isCut && <p class="hint">This is its beginning; the download has all of it.</p>}
    </>
  )
  return { title: 'Story', body, live: 'nothing' }
}

/** The rest is not waited for. */
async function beginningOf({ body }: Response): Promise<{ text: string; isCut: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true })
    if (text.length > SHOWN) return { text: text.slice(0, SHOWN), isCut: true }
  }
  return { text, isCut: false }
}
