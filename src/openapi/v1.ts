/** The document of the documented surface: what goes into openapi.yaml and is served as /openapi.yaml. */
import type { OpenAPIObject } from 'openapi3-ts/oas31'
import { v1Operations } from '../operations/v1.ts'
import { errorOf } from '../wire/common/errors.ts'
import { license, sandboxHeader, sandboxHeaders } from './common.ts'
import { buildDocument } from './document.ts'
import answers from './examples/v1-answers.json' with { type: 'json' }
import { v1Calls } from './examples/v1-calls.ts'
import { sometimesObject } from './responses.ts'

const assumptionsHeader = sandboxHeader(
  'The assumptions that shaped this answer beyond the interface, by slug.',
  'status-names, subscription-fields, success-status',
)

/** The document of /v1; `version` is that of the product. */
export function v1Document(version: string): OpenAPIObject {
  return buildDocument({
    operations: v1Operations,
    info: {
      title: 'Subscription, Coupon and Token Refresh service',
      version,
      description:
        'Recurring subscriptions, coupons and discounts, and the token refresh operation: the six documented operations, as the sandbox serves them. `x-interface` names the section of the interface document that a field or an answer comes from, or the assumption that fills a gap; `GET /sandbox/assumptions` lists them all.',
      license,
    },
    tags: [
      { name: 'Subscriptions', description: 'Recurring billing of a customer. Sections 3 and 4.' },
      { name: 'Authentication', description: 'Exchanging a refresh token. Sections 4 and 5.' },
    ],
    responseHeaders: { ...sandboxHeaders, 'Sandbox-Assumptions': assumptionsHeader },
    requestHeaders: {},
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An API key such as `sk_sandbox_default`, or an access token that a refresh answered.',
        'x-interface': '5',
        ...sometimesObject([
          'access-tokens-on-subscription-calls',
          'key-and-token-scopes',
          'access-token-lifetime',
        ]),
      },
      refreshToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'The refresh token, the same as in the body.',
        'x-interface': '5',
      },
    },
    security: { api_key: 'apiKey', refresh_token: 'refreshToken' },
    examples: { calls: v1Calls(), answers },
    errors: { mediaType: 'application/json', schema: errorOf },
  })
}
