/**
 * Creating subscriptions over loopback - form, authenticated, validated - against a bare Hono JSON echo on the same
 * server. The client and every server have a process each; rounds take turns.
 */
import { type Figure, median, print } from './support/figures.ts'
import { answersPerSecond, type Post } from './support/load.ts'
import { inFolder, serveBare, serveSandbox } from './support/processes.ts'

const LOAD = { connections: 32, forMs: 1500 }
const WARM_UP = { connections: 32, forMs: 2000 }
const ROUNDS = 5

const form = 'customer_id=cus_ada&plan=basic&trial_period_days=14'
const json = JSON.stringify(Object.fromEntries(new URLSearchParams(form)))

function creation(url: string): Post {
  return { url, path: '/v1/subscriptions', type: 'application/x-www-form-urlencoded', body: form }
}

async function measure(folder: string): Promise<Figure[]> {
  const [bare, memory, durable] = await Promise.all([
    serveBare(),
    serveSandbox('memory'),
    serveSandbox(folder),
  ])
  const echo: Post = { url: bare.url, path: '/echo', type: 'application/json', body: json }
  const posts = [echo, creation(memory.url), creation(durable.url)]
  for (const post of posts) await answersPerSecond(post, WARM_UP)
  const rounds: number[][] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const rates: number[] = []
    for (const post of posts) rates.push(await answersPerSecond(post, LOAD))
    rounds.push(rates)
  }
  await Promise.all([bare.stop(), memory.stop(), durable.stop()])
  return [
    figure('create a subscription, in memory', rounds, { of: 1, atLeast: 0.55 }),
    figure('create a subscription, durable', rounds, { of: 2, atLeast: 0.33 }),
  ]
}

function figure(
  measure: string,
  rounds: readonly number[][],
  { of, atLeast }: { readonly of: number; readonly atLeast: number },
): Figure {
  const rate = (rates: readonly number[], index: number) => rates[index] ?? Number.NaN
  const ratio = median(rounds.map((rates) => rate(rates, of) / rate(rates, 0)))
  const [own, bare] = [of, 0].map((index) => median(rounds.map((rates) => rate(rates, index))))
  return {
    measure,
    against: 'a bare Hono JSON echo, answers per second',
    ratio,
    target: { atLeast },
    behind: `${own?.toFixed(0)}/s, ${bare?.toFixed(0)}/s`,
  }
}

print(await inFolder(measure))
