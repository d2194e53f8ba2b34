/** The baseline: what a process of the same libraries costs that does nothing but answer. */
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()
  .get('/health/ready', (c) => c.json({ status: 'ready' }))
  .post('/echo', async (c) => c.json(await c.req.json()))
const server = createAdaptorServer({ fetch: app.fetch })
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`bare Hono is ready at http://127.0.0.1:${server.address().port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
