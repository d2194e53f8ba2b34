/** Every bench, one after another, as one table; as JSON with `--json`. */
import { print } from './support/figures.ts'
import { runSuite } from './support/suite.ts'

print(await runSuite())
