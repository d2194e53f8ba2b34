/**
 * How long the first tasks of a new user take, with the commands of README and the guides: npx tsx bench/new-user.ts
 * Needs npm's registry or its cache. Each figure is a ratio against a part of the same task that is not ours.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { commandIn, filesIn } from '../test/support/fences.ts'
import { type Figure, print } from './support/figures.ts'
import { inFolder } from './support/processes.ts'

const run = promisify(execFile)
const OURS = resolve('.')
const TEST = 'trial.test.ts'

/** Runs a line of a shell in a folder. Throws if it fails. */
async function type(folder: string, line: string, environment: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, ...environment }
  return (await run('sh', ['-c', line], { cwd: folder, env, maxBuffer: 2 ** 26 })).stdout
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

/** Starts what serves, waits for the first answer of /v1, does the work, and stops it. */
async function whileServed(
  { folder, line }: { folder: string; line: string },
  work: (url: string) => Promise<void> = async () => undefined,
): Promise<number> {
  const env = { ...process.env, SANDBOX_PORT: '0', SANDBOX_DATA: join(folder, 'data') }
  const startedAt = performance.now()
  const server = spawn('sh', ['-c', line], {
    ...{ cwd: folder, env, detached: true },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  let printed = ''
  let url: string | undefined
  for await (const text of server.stdout.setEncoding('utf8')) {
    printed += text
    url = /is ready at (http:\S+?)[,.]?\s/.exec(printed)?.[1]
    if (url !== undefined) break
  }
  if (url === undefined) throw new Error(`${line} did not serve: ${printed}`)
  await subscribe(url)
  const seconds = (performance.now() - startedAt) / 1000
  await work(url)
  if (server.pid !== undefined) process.kill(-server.pid)
  await ended
  return seconds
}

/** A documented call. Throws if it is refused. */
async function subscribe(url: string): Promise<void> {
  const headers = { Authorization: 'Bearer sk_sandbox_default' }
  const body = new URLSearchParams({ customer_id: 'cus_ada', plan: 'pro' })
  const answer = await fetch(`${url}/v1/subscriptions`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(await answer.text())
}

async function measure(place: string): Promise<Figure[]> {
  const clone = join(place, 'clone')
  const bare = join(place, 'bare')
  await type(place, `git clone --quiet ${OURS} bare`)
  const fetched = await secondsOf(() => type(bare, 'npm ci --ignore-scripts'))
  const cloned = await secondsOf(() => type(place, `git clone --quiet ${OURS} clone`))
  const served = await whileServed({ folder: clone, line: await commandIn('README.md', 'npm ci') })
  const again = await whileServed({ folder: clone, line: 'npm start' })
  const nodeStart = await secondsOf(() => run(process.execPath, ['-e', '0']))

  const shop = join(place, 'shop')
  await mkdir(shop)
  await type(clone, `npm pack --ignore-scripts --pack-destination ${place}`)
  const tarball = await type(place, 'ls -d "$PWD"/*.tgz')
  const install = (await commandIn('README.md', 'npm install')).replace(
    '../subscription-sandbox',
    tarball.trim(),
  )
  const shown = [
    ...(await filesIn('README.md')),
    ...(await filesIn('docs/guides/billing-questions.md')),
  ]
  const fileOf = (name: string) => shown.find((each) => each.name === name)?.text ?? ''
  let installed = 0
  const tested = await secondsOf(async () => {
    installed = await secondsOf(() => type(shop, install))
    await writeFile(join(shop, TEST), fileOf(TEST))
    await type(shop, `npx vitest run ${TEST}`)
  })
  const asked = await secondsOf(async () => {
    await writeFile(join(shop, 'shop.scenario.yaml'), fileOf('shop.scenario.yaml'))
    await type(
      shop,
      await commandIn('docs/guides/billing-questions.md', 'npx subscription-sandbox scenario run'),
    )
  })
  const reproduced = await secondsOf(async () => {
    const line = 'npx subscription-sandbox serve --data memory'
    await whileServed({ folder: shop, line }, async (url) => {
      const steps = [
        'payments fail --customer-id cus_ada',
        'clock advance P1M',
        'recording --format vitest > bug.test.js',
      ]
      for (const step of steps) {
        await type(shop, `npx subscription-sandbox ${step}`, { SANDBOX_URL: url })
      }
    })
    await type(shop, 'npx vitest run bug.test.js')
    await type(shop, 'git init --quiet && git add bug.test.js')
    await type(
      shop,
      "git -c user.name=me -c user.email=me@example.com commit --quiet -m 'A card fails'",
    )
  })
  await writeFile(
    join(shop, 'empty.test.js'),
    "import { test } from 'vitest'\ntest('empty', () => {})\n",
  )
  const stillEmpty = await secondsOf(() => type(shop, 'npx vitest run empty.test.js'))

  const figure = (measure: string, seconds: number, [against, base]: [string, number]): Figure => ({
    ...{ measure, against, ratio: seconds / base, target: null },
    behind: `${seconds.toFixed(1)} s, ${base.toFixed(1)} s`,
  })
  return [
    figure('clone to the first answer of /v1', cloned + served, [
      'npm ci without scripts',
      fetched,
    ]),
    figure('npm start again, to the first answer', again, ['a start of Node', nodeStart]),
    figure('empty folder to a passing test', tested, ['the npm install in it', installed]),
    figure('the 14-month question', asked, ['a start of Node', nodeStart]),
    figure('a bug by hand to its committed test', reproduced, [
      'vitest with an empty test',
      stillEmpty,
    ]),
  ]
}

print(await inFolder(measure))
