/** Pacts for tests: small ones, built from what a test is about. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isUnreadable, type PactFile, readPact } from '../../src/contracts/pacts/pact-file.ts'

type Parts = Readonly<Record<string, unknown>>

const key = { Authorization: 'Bearer sk_sandbox_default' }
const form = { ...key, 'Content-Type': 'application/x-www-form-urlencoded' }

/** A request that creates a subscription. */
export const create: Parts = {
  method: 'POST',
  path: '/v1/subscriptions',
  headers: form,
  body: 'customer_id=cus_ada&plan=pro',
}

/** An interaction that creates a subscription; `response` is what the consumer relies on. */
export function creates(description: string, response: Parts, more: Parts = {}): Parts {
  return { description, request: create, response, ...more }
}

/** A pact of version 3, as text: an interaction begins on every seventh line or so, as tools write them. */
export function pactText(interactions: readonly Parts[], more: Parts = {}): string {
  const parties = { consumer: { name: 'web' }, provider: { name: 'subscription-service' } }
  const metadata = { pactSpecification: { version: '3.0.0' } }
  return JSON.stringify({ ...parties, interactions, metadata, ...more }, null, 2)
}

/** The same, read. */
export function pactOf(interactions: readonly Parts[], more: Parts = {}): PactFile {
  const read = readPact('pact.json', pactText(interactions, more))
  if (isUnreadable(read)) throw new Error(JSON.stringify(read))
  return read
}

/** Writes a pact to a folder, and answers its path. */
export async function writePact(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

/** The line, from 1, on which a text first stands. */
export function lineOf(text: string, wanted: string): number {
  return text.slice(0, text.indexOf(wanted)).split('\n').length
}
