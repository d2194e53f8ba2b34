/** Figures: what a bench prints. Every one is a ratio against a baseline that was measured in the same run. */

/** What a ratio has to be. */
export type Target = { readonly atMost: number } | { readonly atLeast: number }

export interface Figure {
  readonly measure: string
  readonly against: string
  readonly ratio: number
  /** Null where nothing was promised. */
  readonly target: Target | null
  /** The figures behind the ratio, for the reader of one run: they say more about the machine than about us. */
  readonly behind: string
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Whether a figure is what was promised; one without a target is. */
export function holds({ ratio, target }: Figure): boolean {
  if (target === null) return true
  return 'atMost' in target ? ratio <= target.atMost : ratio >= target.atLeast
}

export function targetText(target: Target | null): string {
  if (target === null) return 'none'
  return 'atMost' in target ? `at most ${target.atMost}` : `at least ${target.atLeast}`
}

/** Prints figures as a table, or as JSON with `--json`. */
export function print(figures: readonly Figure[]): void {
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify(figures))
    return
  }
  const rows = figures.map((figure) => ({
    measure: figure.measure,
    against: figure.against,
    ratio: Number(figure.ratio.toFixed(2)),
    target: targetText(figure.target),
    holds: holds(figure) ? 'yes' : 'NO',
    behind: figure.behind,
  }))
  console.table(rows)
}
