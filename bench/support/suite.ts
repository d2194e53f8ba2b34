/** The suite: runs every bench in a process of its own, so that none inherits the memory of the one before. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Figure } from './figures.ts'

const benches = [
  'create',
  'life',
  'mutation',
  'growth',
  'advance',
  'start',
  'sandboxes',
  'latency',
  'million',
  'verify',
  'dashboard',
] as const

/** Runs every bench and answers all figures. */
export async function runSuite(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const bench of benches) {
    const args = ['--import', 'tsx', `bench/${bench}.ts`, '--json']
    const { stdout } = await promisify(execFile)(process.execPath, args)
    figures.push(...(JSON.parse(stdout) as Figure[]))
  }
  return figures
}
