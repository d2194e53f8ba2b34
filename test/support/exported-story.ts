/** The story of a sandbox, as its calls ask for it. */
import { expect } from 'vitest'
import type { Shop } from './control.ts'

export async function storyOf(shop: Shop, format = 'curl', sandboxId = 'default'): Promise<string> {
  const headers = { 'Sandbox-Id': sandboxId }
  const response = await shop.app.request(`/sandbox/story?format=${format}`, { headers })
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
  return response.text()
}

/** The calls of a story as their statuses, methods and targets. */
export async function sentIn(shop: Shop): Promise<string[]> {
  const story = await storyOf(shop)
  return [...story.matchAll(/^send (\d+ [A-Z]+ '[^']*')/gm)].map(([, sent = '']) => sent)
}

export const advance = (shop: Shop, by: string) => shop.post('/sandbox/clock/advance', { by })
