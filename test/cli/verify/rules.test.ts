import { expect, it, onTestFinished } from 'vitest'
import { matchersAt, rulesOf } from '../../../src/contracts/pacts/matching-rules.ts'
import { pactText } from '../../support/pacts.ts'
import { serveHttp } from '../../support/providers.ts'
import { verify, verifyScene } from '../../support/verify.ts'

const scene = verifyScene()

/** An example; the paths of the rules that let a value of its type pass, and of those that do not; and the path of the value. */
const overlapping: readonly [object, open: string[], pinned: string[], value: string[]][] = [
  [{ a: 'x' }, ['$.a'], ['$.*'], ['a']],
  [{ a: 'x' }, ['$.*'], ['$.a'], ['a']],
  [{ a: 'x' }, ['$'], ['$.a'], ['a']],
  [{ a: { b: 'x' } }, ['$.a'], ['$.*.*'], ['a', 'b']],
  [{ a: { b: { c: 'x' } } }, ['$.a.b'], ['$.*.*.*'], ['a', 'b', 'c']],
  [{ a: { b: 'x' } }, ['$.*'], ['$.a.b'], ['a', 'b']],
  [{ a: ['x'] }, ['$.a[*]'], ['$.a[0]'], ['a', '0']],
  [{ a: ['x'] }, ['$.a[0]'], ['$.a[*]'], ['a', '0']],
  [{ a: [{ b: 'x' }] }, ['$.a[*].b'], ['$.a[*].*'], ['a', '0', 'b']],
  [{ a: [{ b: 'x' }] }, ['$.a'], ['$.a[*].b'], ['a', '0', 'b']],
  [{ a: [{ b: 'x' }] }, ['$.a[*].b'], ['$.a[0].b'], ['a', '0', 'b']],
  [{ a: { b: 'x' } }, ['$.a[*]'], [], ['a', 'b']],
  [{ a: ['x'] }, ['$.a.*'], [], ['a', '0']],
]

const rulesFor = ([, open, pinned]: (typeof overlapping)[number]) => {
  const rule = (match: string) => (path: string) => [path, { matchers: [{ match }] }] as const
  return Object.fromEntries([...open.map(rule('type')), ...pinned.map(rule('equality'))])
}

/** Serves what was expected, with other texts in it. */
async function serveOthers() {
  const served = await serveHttp((incoming, outgoing) => {
    incoming.resume()
    const [example] = overlapping[Number(incoming.url?.slice(1))] ?? []
    outgoing.writeHead(200, { 'Content-Type': 'application/json', 'X-Colour': 'blue' })
    outgoing.end(JSON.stringify(example)?.replace('"x"', '"y"'))
  })
  onTestFinished(served.close)
  return ['--url', served.url, '--states', 'none']
}

it('takes that one of overlapping rules which the core takes', async () => {
  const interactions = overlapping.map((each, at) => ({
    description: `${at}`,
    request: { method: 'GET', path: `/${at}` },
    response: { status: 200, body: each[0], matchingRules: { body: rulesFor(each) } },
  }))
  const path = await scene.write(pactText(interactions))
  const verified = await verify([path, ...(await serveOthers())])
  const isOpen = overlapping.map((each) => {
    const matchers = matchersAt(
      rulesOf({ matchingRules: { body: rulesFor(each) } }),
      'body',
      each[3],
    )
    return matchers.length > 0 && matchers.every(({ match }) => match === 'type')
  })
  expect(verified.interactions.map(({ result }) => result === 'passed')).toEqual(isOpen)
})

it.each(['X-Colour', 'x-colour', '$.X-Colour', "$['X-Colour']", 'X-Colour[0]'])(
  'takes the rule of a header by the name %s as the core does',
  async (name) => {
    const header = { [name]: { matchers: [{ match: 'regex', regex: '[a-z]+' }] } }
    const response = { status: 200, headers: { 'X-Colour': 'red' }, matchingRules: { header } }
    const request = { method: 'GET', path: '/0' }
    const path = await scene.write(pactText([{ description: 'one', request, response }]))
    const [verified] = (await verify([path, ...(await serveOthers())])).interactions
    const isUnmatched = verified?.findings.some(({ code }) => code === 'rule.unmatched')
    expect(isUnmatched).toBe(verified?.result === 'failed')
  },
)
