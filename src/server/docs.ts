/**
 * The reference at /docs: Swagger UI over the served documents, without a single request beyond this process. Its
 * assets are copied by the build; the page that starts it is written here.
 */
import { readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import { answerFile, fileRoutes } from '../dashboard/assets.ts'
import { guardWrites } from '../http/guard.ts'
import { EXAMPLE_REFRESH_TOKEN, exampleSandboxes } from '../openapi/examples/call.ts'
import { apiKeyOf } from '../sandbox/sandbox-types.ts'
import { serialQueue } from '../sandbox/serial-queue.ts'
import { buildFolder } from '../version.ts'
import { serveText } from './documents.ts'

/** A document to choose from in the reference. */
type Document = Readonly<Record<'name' | 'url', string>>

const htmlType = 'text/html; charset=UTF-8'

const assets = {
  folder: 'swagger-ui',
  types: {
    'swagger-ui.css': 'text/css; charset=utf-8',
    'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
    'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
    'favicon-32x32.png': 'image/png',
  },
  cacheControl: 'max-age=3600',
}

/** Swagger UI leaves the margin to the page, wastes height, and lets long paths and names run out of a narrow screen. */
const ownStyle = `
.swagger-ui .response-col_links { display: none; }
body { margin: 0; }
.swagger-ui tr.folded td { padding: 3px 0; font-size: 13px; }
.swagger-ui .highlight-code > .microlight, .swagger-ui .highlight-code pre { max-height: 18em; }
.swagger-ui .opblock .opblock-section-header { min-height: 36px; padding: 4px 20px; }
#examples { margin: 8px 20px; font: 14px sans-serif; }
#examples a { color: inherit; }
.dark-mode .swagger-ui :is(.examples-select__section-label, .response__extension, .parameter__extension) { color: #c4c8ca; }
.swagger-ui textarea.body-param__text { min-height: 4em; max-height: 18em; field-sizing: content; }
.swagger-ui .operation-link pre { max-height: 1.5em; overflow: hidden; }
.swagger-ui .response-control-examples:has([hidden]) { display: none; }
.swagger-ui .opblock-summary-path { word-break: break-word; }
@media (max-width: 640px) {
  .swagger-ui .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .wrapper { box-sizing: border-box; padding: 0 8px; }
  .swagger-ui .opblock-body, .swagger-ui .model-box, .swagger-ui table { max-width: 100%; overflow-x: auto; }
  .swagger-ui table { display: block; }
  .swagger-ui .parameters-col_description input, .swagger-ui select { max-width: 100%; min-width: 0; }
  .swagger-ui .servers > label { margin-right: 0; }
}
`

/** Scripts and requests from here only. Swagger UI sets styles inline and draws its icons from data URLs. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Reference - subscription-sandbox</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/own.css">
  </head>
  <body>
    <p id="examples">The operations act on the sandbox <code>examples</code>, which is made anew when this page opens and is not stored. For another one: its key under Authorize, its name in Sandbox-Id. <a href="/docs/errors">All errors</a></p>
    <main id="reference"></main>
    <noscript>This page needs JavaScript; /openapi.yaml does not.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/swagger-ui-standalone-preset.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

/**
 * An app that serves the reference of these documents under /docs; mount it at the root. Its page has the sandboxes of
 * the examples made again whenever it is opened, so that each operation succeeds as it opens.
 */
export function docsApp(documents: readonly Document[], makeExamples: () => Promise<void>): Hono {
  const app = new Hono()
  const queue = serialQueue()
  app.use('/docs/*', async (c, next) => {
    await next()
    c.res.headers.set('Content-Security-Policy', contentSecurityPolicy)
    c.res.headers.set('X-Content-Type-Options', 'nosniff')
    c.res.headers.set('Referrer-Policy', 'no-referrer')
  })
  app.on('GET', ['/docs', '/docs/'], (c) => answerFile(c, page, { 'Content-Type': htmlType }))
  const errors = new URL('openapi/errors.html', buildFolder)
  app.get('/docs/errors', (c) => serveText(c, () => readFile(errors, 'utf8'), htmlType))
  app.post('/docs/examples', async (c) => {
    guardWrites(c)
    await queue(makeExamples)
    return c.body(null, 204)
  })
  const written = [
    ['own.css', 'text/css', ownStyle],
    ['start.js', 'text/javascript', startScript(documents)],
  ] as const
  for (const [name, type, text] of written) {
    const headers = { 'Content-Type': `${type}; charset=utf-8` }
    app.get(`/docs/${name}`, (c) => answerFile(c, text, headers))
  }
  app.route('/', fileRoutes('/docs', assets))
  return app
}

/** The key and the refresh token of the examples are filled in: they are no secret, and every first call needs one. */
function startScript(documents: readonly Document[]): string {
  return `// It fills in the example of a schema, and so would send filters that the example of the call does not have.
const withoutFilters = (spec) => {
  const operations = Object.values(spec.paths ?? {}).flatMap(Object.values)
  for (const { schema, required } of operations.flatMap((each) => each.parameters ?? []))
    if (schema && !required) delete schema.example
  return spec
}
const fold = ({ React: { createElement, useState } }) => ({
  statePlugins: { spec: { wrapActions: { updateJsonSpec: (update) => (spec) => update(withoutFilters(spec)) } } },
  wrapComponents: {
    // Until the operation is resolved it has no parameters, and a press would do nothing.
    execute: (Execute) => (props) =>
      props.specSelectors.specResolvedSubtree(['paths', props.path, props.method])
        ? createElement(Execute, props)
        : null,
    // A refusal shows what it means, and the rest when it is asked for.
    response: (Response) => (props) => {
      const [isOpen, open] = useState(!/^([45]|default)/.test(props.code))
      if (isOpen) return createElement(Response, props)
      const more = { type: 'button', title: 'Show more', onClick: () => open(true) }
      return createElement(
        'tr',
        { className: 'response folded' },
        createElement('td', { className: 'response-col_status' }, createElement('button', more, props.code)),
        createElement('td', { colSpan: 2 }, props.response.get('description').replaceAll('\`', '')),
      )
    },
    headers: (Headers) => (props) =>
      createElement('details', null, createElement('summary', null, 'Headers'), createElement(Headers, props)),
    // It fills in the first example, so that it is there, but not shown, where there is nothing to choose from.
    ExamplesSelect: (Select) => (props) => {
      const values = props.examples.map((example) => example.get('value')).toSet()
      return createElement('div', { hidden: values.size < 2 }, createElement(Select, props))
    },
  },
})
const ui = SwaggerUIBundle({
  urls: ${JSON.stringify(documents)},
  dom_id: '#reference',
  layout: 'StandaloneLayout',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [fold],
  validatorUrl: null,
  deepLinking: true,
  showExtensions: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  onComplete: () => {
    ui.preauthorizeApiKey('apiKey', '${apiKeyOf(exampleSandboxes.main)}')
    ui.preauthorizeApiKey('refreshToken', '${EXAMPLE_REFRESH_TOKEN}')
  },
})
// Swagger UI leaves most controls without a name.
const names = { '#servers': 'Server', '.examples-select-element': 'Example', '.body-param__text': 'Body' }
const label = () => {
  for (const control of document.querySelectorAll('#reference :is(select, input, textarea):not([aria-label])')) {
    const parameter = control.labels.length === 0 ? control.closest('tr[data-param-name]') : null
    const [, name = parameter?.dataset.paramName] =
      Object.entries(names).find(([selector]) => control.matches(selector)) ?? []
    if (name) control.setAttribute('aria-label', name)
  }
}
new MutationObserver(label).observe(document.querySelector('#reference'), { childList: true, subtree: true })
fetch('/docs/examples', { method: 'POST' }).then(async (answer) => {
  const note = document.querySelector('#examples')
  if (!answer.ok) note.textContent = 'The examples could not be made. ' + (await answer.json()).detail
  note.dataset.made = answer.ok
})
`
}
