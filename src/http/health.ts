/** Health: whether the process lives, and whether it is ready, which it is once every sandbox is loaded. */
import { Hono } from 'hono'

/** `/health/live` and `/health/ready`. The app is made after the store is loaded and the fixtures are applied. */
export function health(): Hono {
  return new Hono()
    .get('/health/live', (c) => c.json({ status: 'live' }))
    .get('/health/ready', (c) => c.json({ status: 'ready' }))
}
