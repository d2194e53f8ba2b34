/** schemathesis calls a sandbox with what a document allows and what it forbids, by all checks and phases. */
import { resolve } from 'node:path'
import { apiKey, succeeds, type Tool } from './tool.ts'

export const schemathesis: Tool = {
  needs: ['python3'],
  install: (folder) => [
    ['python3', '-m', 'venv', folder],
    [`${folder}/bin/python`, '-m', 'pip', 'install', '--quiet', 'schemathesis==4.32.5'],
  ],
  // The closed form says more of the answers, and the same of the requests.
  forms: ['closed'],
  passes: (service) =>
    succeeds(
      [
        `${service.folder}/bin/schemathesis`,
        ...['--config-file', resolve('scripts/conformance/schemathesis.toml')],
        ...['run', service.document, '--url', service.url],
        ...['--header', `Authorization: Bearer ${apiKey}`, '--checks', 'all'],
        ...['--phases', 'examples,coverage,fuzzing,stateful', '--continue-on-failure'],
        // Without a limit of time: with one, the tool goes on with new requests until it is over.
        ...['--seed', '11', '--max-examples', '20'],
        // What one run found must not be where the next one begins.
        ...['--generation-database', 'none'],
      ],
      service,
    ),
}
