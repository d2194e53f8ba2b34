/** The recording of a sandbox, as its calls ask for it. */
import { expect } from 'vitest'
import type { Shop } from './control.ts'

export async function recordingOf(
  shop: Shop,
  format = 'curl',
  sandboxId = 'default',
): Promise<string> {
  const headers = { 'Sandbox-Id': sandboxId }
  const response = await shop.app.request(`/sandbox/recording?format=${format}`, { headers })
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
  return response.text()
}

/** The calls of a recording as their statuses, methods and targets. */
export async function sentIn(shop: Shop): Promise<string[]> {
  const recording = await recordingOf(shop)
  return [...recording.matchAll(/^send (\d+ [A-Z]+ '[^']*')/gm)].map(([, sent = '']) => sent)
}

export const advance = (shop: Shop, by: string) => shop.post('/sandbox/clock/advance', { by })
