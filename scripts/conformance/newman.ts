/** newman calls every example of a document, as a collection of Postman: by itself, and through Prism, which validates. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { OpenAPIObject, OperationObject, ParameterObject } from 'openapi3-ts/oas31'
import { mapOperations } from '../../src/openapi/document-parts.ts'
import {
  apiKey,
  bothForms,
  npmInstall,
  readDocument,
  type Service,
  succeeds,
  type Tool,
} from './tool.ts'

const packages = ['openapi-to-postmanv2@6.3.3', 'newman@6.2.2']

export const newman: Tool = {
  needs: [],
  install: (folder) => [npmInstall(folder, ...packages)],
  forms: bothForms,
  passes: async (service) =>
    callsSucceed(service, service.url, examplesOf(await readDocument(service))),
}

/** The last version for Node.js 20. */
const prismVersion = '5.14.2'

/** It looks for `q[][pacticipant]`, which is required in its query, as `q%5b%5d%5bpacticipant%5d`, and does not find it. */
const leftOut = '/sandbox/broker/matrix'

export const prism: Tool = {
  needs: [],
  install: (folder) => [npmInstall(folder, ...packages, `@stoplight/prism-cli@${prismVersion}`)],
  forms: bothForms,
  passes: async (service) => {
    const { url, folder } = service
    const served = await readDocument(service)
    writeFileSync(`${folder}/served.json`, JSON.stringify(served))
    // `--errors` answers a request or an answer that does not fit the document with an error, which fails the call.
    const args = ['proxy', `${folder}/served.json`, url, '--errors', '--port', '0']
    const proxy = spawn(`${folder}/node_modules/.bin/prism`, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(proxy, 'exit')
    try {
      const examples = examplesOf(served)
      delete examples.paths?.[leftOut]
      return await callsSucceed(service, await addressOf(proxy.stdout), examples)
    } finally {
      proxy.kill()
      await ended
    }
  },
}

/** What Prism prints once it listens. */
async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const address = /listening on (http:\S+\d)/.exec(line)?.[1]
    if (address === undefined) continue
    // What nobody reads would stop it once the pipe is full.
    output.resume()
    return address
  }
  throw new Error('Prism ended before it listened.')
}

function examplesOf(served: OpenAPIObject): OpenAPIObject {
  return mapOperations(served, withExamplesAlone)
}

/** Whether every example of the document succeeds at the address. */
async function callsSucceed(service: Service, address: string, document: OpenAPIObject) {
  const { folder } = service
  writeFileSync(`${folder}/document.json`, JSON.stringify(document))
  const examples = 'parametersResolution=Example,requestParametersResolution=Example'
  const bin = `${folder}/node_modules/.bin`
  const convert = ['-s', 'document.json', '-o', 'collection.json', '-O', examples]
  if (!(await succeeds([`${bin}/openapi2postmanv2`, ...convert], service))) return false
  const collection = JSON.parse(readFileSync(`${folder}/collection.json`, 'utf8')) as Collection
  writeFileSync(`${folder}/collection.json`, JSON.stringify(withChecks(collection)))
  const run = [
    ...['run', 'collection.json', '--env-var', `baseUrl=${address}`],
    ...['--env-var', `bearerToken=${apiKey}`, '--timeout-request', '60000'],
  ]
  return succeeds([`${bin}/newman`, ...run], service)
}

/** The converter makes up a text for each query parameter without an example. */
function withExamplesAlone(operation: OperationObject): OperationObject {
  const parameters = (operation.parameters ?? []) as ParameterObject[]
  const kept = parameters.filter(({ required, examples, ...parameter }) => {
    return required === true || examples !== undefined || parameter.in !== 'query'
  })
  return { ...operation, parameters: kept }
}

interface Item {
  readonly item?: readonly Item[]
  readonly request?: { readonly body?: { readonly raw?: string } }
}

type Collection = Item & { readonly event?: readonly object[] }

/** Every request must succeed. */
function withChecks(collection: Collection): Collection {
  const status = 'pm.expect(pm.response.code, pm.response.text()).to.be.within(200, 299)'
  const script = { type: 'text/javascript', exec: [`pm.test('succeeds', () => ${status})`] }
  const checked = withRefreshToken(collection)
  return { ...checked, event: [...(collection.event ?? []), { listen: 'test', script }] }
}

/** The converter has one variable for every bearer token: what sends a refresh token gets its own. */
function withRefreshToken(item: Item): Item {
  const items = item.item && { item: item.item.map(withRefreshToken) }
  const raw = item.request?.body?.raw ?? '{}'
  const token = /"refresh_token": "(\w[\w-]*)"/.exec(raw)?.[1]
  const bearer = [{ key: 'token', value: token, type: 'string' }]
  const request = token !== undefined && {
    request: { ...item.request, auth: { type: 'bearer', bearer } },
  }
  return { ...item, ...items, ...request }
}
