/** Files of the build that pages load, and how they are answered: with an entity tag, and compressed where that is accepted. */
import { readFile } from 'node:fs/promises'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import { etag } from 'hono/etag'
import { buildFolder } from '../version.ts'

interface FileRoutes {
  readonly folder: string
  /** The media type of each file, by its name. */
  readonly types: Readonly<Record<string, string>>
  readonly cacheControl: string
}

/** The stylesheet, the script and the icon of the dashboard, under `-`, which is the id of no sandbox. */
export function assetRoutes(): Hono {
  const types = {
    'dashboard.css': 'text/css; charset=utf-8',
    'dashboard.js': 'text/javascript; charset=utf-8',
    'icon.svg': 'image/svg+xml',
  }
  return fileRoutes('/dashboard/-', { folder: 'dashboard', types, cacheControl: 'no-cache' })
}

/** Each by its own path: a parameter beside a fixed path would keep Hono from its fastest router, for every request. */
export function fileRoutes(path: string, { folder, types, cacheControl }: FileRoutes): Hono {
  const app = new Hono()
  for (const [name, type] of Object.entries(types)) {
    app.get(`${path}/${name}`, async (c) => {
      // A file that is not there is one that the build has not copied.
      const file = new URL(`assets/${folder}/${name}`, buildFolder)
      const bytes = await readFile(file).catch(() => null)
      if (bytes === null) return c.notFound()
      const headers = { 'Content-Type': type, 'Cache-Control': cacheControl }
      return answerFile(c, new Uint8Array(bytes), headers)
    })
  }
  return app
}

/** Not images, which are compressed already. */
const zipped = compress({ encoding: 'gzip', contentTypeFilter: /^text\/|json|javascript|yaml|svg/ })
/** Weak, because both encodings have one tag. */
const tagged = etag({ weak: true })

/** 200 with the content, or 304 where the client has it. */
export async function answerFile(
  c: Context,
  content: string | Uint8Array<ArrayBuffer>,
  headers: { 'Content-Type': string; 'Cache-Control'?: string },
): Promise<Response> {
  await zipped(c, async () => {
    await tagged(c, async () => {
      c.res = c.body(content, 200, headers)
    })
  })
  return c.res
}
