/** Files of the build that pages load, and how they are answered: with an entity tag, and compressed where that is accepted. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Context, Hono } from 'hono'
import { parseAccept } from 'hono/utils/accept'
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

const compressed = promisify(gzip)

/** Below this, compression saves no packet. */
const COMPRESSED_MIN_BYTES = 1024

/** Such as images, which are compressed already. */
const isText = (mediaType: string) => /^text\/|json|javascript|yaml|svg/.test(mediaType)

/** 200 with the content, or 304 where the client has it. The tag is weak, because both encodings have it. */
export async function answerFile(
  c: Context,
  content: string | Uint8Array<ArrayBuffer>,
  { 'Content-Type': mediaType, ...more }: { 'Content-Type': string; 'Cache-Control'?: string },
): Promise<Response> {
  const tag = `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`
  const canCompress = isText(mediaType) && content.length >= COMPRESSED_MIN_BYTES
  const headers = { ...more, ETag: tag, ...(canCompress && { Vary: 'Accept-Encoding' }) }
  if (has(c.req.header('if-none-match'), tag)) return c.body(null, 304, headers)
  const typed = { ...headers, 'Content-Type': mediaType }
  if (!canCompress || !acceptsGzip(c.req.header('accept-encoding'))) {
    return c.body(content, 200, typed)
  }
  const zipped = new Uint8Array(await compressed(content))
  return c.body(zipped, 200, { ...typed, 'Content-Encoding': 'gzip' })
}

function has(sent: string | undefined, tag: string): boolean {
  return (sent ?? '').split(',').some((each) => ['*', tag, tag.slice(2)].includes(each.trim()))
}

/** Whether gzip, or anything, is among the encodings, and not with a weight of zero. */
function acceptsGzip(accepted = ''): boolean {
  const weights = new Map(parseAccept(accepted).map(({ type, q }) => [type.toLowerCase(), q]))
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}
