/** The recording of this sandbox: a script that ends in the same state, to read and to download. */
import type { Sandbox } from '../../library/sandbox.ts'
import { Filter, filteredList } from '../forms/form.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { Empty } from '../ui/table.tsx'
import { CodeBlock } from '../ui/values.tsx'

/** Each format: its description, and the name of its file. */
const formats = {
  curl: ['A shell script', 'recording.sh'],
  vitest: ['A test for vitest', 'recording.test.mjs'],
  pytest: ['A test for pytest', 'test_recording.py'],
  json: ['The recording', 'recording.json'],
} as const satisfies Record<RecordingFormat, readonly [string, string]>
type RecordingFormat = NonNullable<Parameters<Sandbox['recording']>[0]>

/** A recording can have 16 MiB; a page shows its beginning. */
const SHOWN = 50_000

const NONE =
  'There is no complete recording.\nA [reset](sandboxes/reset) begins a new one, or [make a sandbox](sandboxes) and begin there.'

export const recordingPages: PageTable = {
  recording: { show: recordingPage },
  'recording/download': {
    show: async (page) => {
      const { body } = await readScript(page)
      const [, file] = formats[formatOf(page)]
      const headers = {
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Disposition': `attachment; filename="${file}"`,
      }
      return new Response(body as ReadableStream | null, { headers })
    },
  },
}

const formatOf = (page: PageContext) => (page.query('format') ?? 'curl') as RecordingFormat

function readScript(page: PageContext): Promise<Response> {
  return page.send(`/sandbox/recording?${new URLSearchParams({ format: formatOf(page) })}`)
}

async function recordingPage(page: PageContext): Promise<View> {
  const { found, form } = await filteredList(page, () => readScript(page).then(readBeginning))
  const format = formatOf(page)
  const options = Object.fromEntries(Object.entries(formats).map(([name, [what]]) => [name, what]))
  const body = [
    <Filter form={form} label="Format" fields={[{ name: 'format', options }]} hasAll={false} />,
    found === null ? <Empty text={NONE} /> : <CodeBlock text={found.text} label="The recording" />,
    found?.isCut && <p class="hint">This is its beginning; the download has all of it.</p>,
  ]
  const text =
    'The calls that changed something in this sandbox, as a script. Run against a running server, it makes a sandbox that ends in the same state: a bug report that anybody can try.'
  const actions = found !== null && (
    <a class="button" href={page.to('recording/download', { format })} download>
      Download {formats[format][1]}
    </a>
  )
  return { title: 'Recording', text, actions, body, live: 'nothing' }
}

/** The rest is not waited for. */
async function readBeginning({ body }: Response): Promise<{ text: string; isCut: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true })
    if (text.length > SHOWN) return { text: text.slice(0, SHOWN), isCut: true }
  }
  return { text, isCut: false }
}
