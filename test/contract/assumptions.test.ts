import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PactInteraction } from '../../src/contracts/pacts/pact-file.ts'
import { type ServedHere, serveHere } from '../support/command-line.ts'
import { assumedPacts, documentedPacts, publishedPact } from './support/published.ts'

let sandbox: ServedHere
beforeAll(async () => {
  sandbox = await serveHere()
})
afterAll(() => sandbox.stop())

it('has the documented pacts rest on the exceptions that contracts/README.md names, and on no other', async () => {
  const exceptions = await namedExceptions()
  const leanedOn = await leanedOnBy(documentedPacts)
  expect([...leanedOn].sort()).toEqual(exceptions)
})

it('would find an assumption among the documented pacts', async () => {
  const exceptions = await namedExceptions()
  const leanedOn = await leanedOnBy(assumedPacts)
  const found = [...leanedOn].filter((slug) => !exceptions.includes(slug))
  expect(found).toEqual(
    expect.arrayContaining([
      'error-codes',
      'coupon-refusals',
      'json-bodies',
      'unlisted-transitions',
    ]),
  )
})

/** The one list of exceptions: a table in the README beside the pacts. */
async function namedExceptions(): Promise<string[]> {
  const page = await readFile('contracts/README.md', 'utf8')
  const table = /<!-- exceptions:start -->([\s\S]*)<!-- exceptions:end -->/.exec(page)?.[1] ?? ''
  const reported = [...table.matchAll(/^\| (`[^|]*)\|/gm)].map((match) => match[1] ?? '')
  return reported
    .flatMap((cell) => [...cell.matchAll(/`([a-z-]+)`/g)].map((match) => match[1] ?? ''))
    .sort()
}

/** Every assumption that an answer to these pacts reports. */
async function leanedOnBy(files: readonly string[]): Promise<Set<string>> {
  const leanedOn = new Set<string>()
  for (const file of files) {
    for (const interaction of (await publishedPact(file)).interactions) {
      for (const slug of await reportedFor(interaction)) leanedOn.add(slug)
    }
  }
  return leanedOn
}

async function reportedFor({ states, request }: PactInteraction): Promise<string[]> {
  for (const { name, params } of states) await change('setup', name, params)
  const answer = await fetch(`${sandbox.url}${request.path}`, {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    ...(request.body === null ? {} : { body: request.body }),
  })
  await answer.arrayBuffer()
  for (const { name, params } of states) await change('teardown', name, params)
  return (answer.headers.get('Sandbox-Assumptions') ?? '').split(', ').filter((slug) => slug !== '')
}

async function change(action: string, state: string, params: object): Promise<void> {
  const answer = await fetch(`${sandbox.url}/sandbox/provider-states`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ action, state, params }),
  })
  if (!answer.ok) throw new Error(`${state}: ${await answer.text()}`)
}
