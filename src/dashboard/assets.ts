/** The stylesheet, the script and the icon of the pages. */
import { readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import { buildFolder } from '../version.ts'

const types = {
  'dashboard.css': 'text/css; charset=utf-8',
  'dashboard.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const

const folder = new URL('assets/dashboard/', buildFolder)

/** Under `-`, which is the id of no sandbox. */
export function assetRoutes(): Hono {
  const app = new Hono()
  for (const [name, type] of Object.entries(types)) {
    app.get(`/dashboard/-/${name}`, async (c) => {
      const bytes = new Uint8Array(await readFile(new URL(name, folder)))
      return c.body(bytes, 200, { 'Content-Type': type, 'Cache-Control': 'no-cache' })
    })
  }
  return app
}
