/** A surface for tests of the checks alone: one operation of each kind, answering what it was handed. */
import type { Hono } from 'hono'
import * as z from 'zod'
import { initialSettings, type Settings } from '../../src/assumptions/register.ts'
import { errorEnvelope } from '../../src/http/envelopes.ts'
import type { Surface } from '../../src/http/pipeline.ts'
import { resetAssumptions } from '../../src/http/request/context.ts'
import { router, serveErrors } from '../../src/http/router.ts'
import {
  type BodyDeclaration,
  type Declaration,
  ok,
  type Route,
  route,
} from '../../src/surface/operation.ts'
import { RefusalError } from '../../src/surface/refusals.ts'

export const formType = 'application/x-www-form-urlencoded'
export const jsonType = 'application/json'

/** An operation that echoes its body. */
export function echo(path: `/${string}`, body: BodyDeclaration): Route {
  const answer = ({ body: received }: { body: unknown }) => ok(received)
  return route({ ...plain, operationId: `echo${path}`, path, body, answer })
}

const plain = {
  method: 'post',
  tag: 'Echo',
  summary: 'Echo',
  description: 'Answers what it was sent.',
  source: 'sandbox',
  security: 'api_key',
  replies: { 200: { description: 'The same.', schema: z.unknown(), source: 'sandbox' } },
  refusals: [],
} as const satisfies Omit<Declaration, 'operationId' | 'path'>

/** Operations with the settings of a test, for whoever says Bearer key. */
export function serving(routes: readonly Route[], settings: Partial<Settings> = {}): Hono {
  const surface: Surface = {
    prefixes: ['/v1'],
    admit: resetAssumptions,
    envelope: errorEnvelope,
    authenticate: (c) => {
      if (c.req.header('Authorization') === 'Bearer key') return
      throw new RefusalError('unauthorized', 'Authorization is not that of the test.')
    },
    settings: () => ({ ...initialSettings, ...settings }),
    report: (defect) => {
      throw defect
    },
  }
  const app = router(surface, routes)
  serveErrors(app, { surfaces: [surface], elsewhere: surface, routes })
  return app
}

/** Posts a body; answers the status and what the body says. */
export async function post(
  app: Hono,
  path: string,
  sent: {
    readonly body?: NonNullable<RequestInit['body']>
    readonly type?: string
    readonly method?: string
  },
) {
  const response = await app.request(path, {
    method: sent.method ?? 'POST',
    headers: {
      Authorization: 'Bearer key',
      ...(sent.type === undefined ? {} : { 'Content-Type': sent.type }),
    },
    ...(sent.body === undefined ? {} : { body: sent.body }),
  })
  const text = await response.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  return { status: response.status, headers: response.headers, body }
}
