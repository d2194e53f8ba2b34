/** Every kind of damage that a file may come to: what is in its place afterwards. */

export const kinds = [
  'flipped',
  'cut at a line end',
  'cut within a line',
  'line doubled',
  'lines swapped',
  'line removed',
  'deleted',
  'a folder in its place',
  "another sandbox's in its place",
  'emptied',
  'garbage appended',
] as const
type Kind = (typeof kinds)[number]

export interface Damage {
  readonly kind: Kind
  /** Where, for messages. */
  readonly at: number
  /** What the file holds then; null where there is none, and `folder` where there is a folder. */
  readonly bytes: Buffer | null | 'folder'
}

export interface DamageParts {
  readonly bytes: Buffer
  /** The file of the same name that another sandbox has, if it has one. */
  readonly others: Buffer | undefined
  /** Of how many bytes one is flipped; four times as many lie between two cuts. */
  readonly every: number
}

/** Each damage of a file, one after another. */
export function* damagesOf({ bytes, others, every }: DamageParts): Generator<Damage> {
  yield { kind: 'deleted', at: 0, bytes: null }
  yield { kind: 'a folder in its place', at: 0, bytes: 'folder' }
  yield { kind: 'emptied', at: 0, bytes: Buffer.alloc(0) }
  if (others !== undefined && !others.equals(bytes)) {
    yield { kind: "another sandbox's in its place", at: 0, bytes: others }
  }
  for (const text of ['x', '\n', '{"sum":"', '{"a":1}\n', 'a line\nand another\n']) {
    const garbage = Buffer.from(text)
    yield { kind: 'garbage appended', at: bytes.length, bytes: Buffer.concat([bytes, garbage]) }
  }
  yield* lineDamages(bytes)
  yield* cuts(bytes, every)
  yield* flips(bytes, every)
}

function* lineDamages(bytes: Buffer): Generator<Damage> {
  const lines = linesOf(bytes)
  for (const [at, line] of lines.entries()) {
    const [before, after] = [lines.slice(0, at), lines.slice(at + 1)]
    yield { kind: 'line removed', at, bytes: Buffer.concat([...before, ...after]) }
    yield { kind: 'line doubled', at, bytes: Buffer.concat([...before, line, line, ...after]) }
    // With the next one, and with the last, which is the mark.
    for (const index of new Set([0, after.length - 1])) {
      const other = after[index]
      if (other === undefined || other.equals(line)) continue
      const swapped = [...before, other, ...after.with(index, line)]
      yield { kind: 'lines swapped', at, bytes: Buffer.concat(swapped) }
    }
  }
}

function* cuts(bytes: Buffer, every: number): Generator<Damage> {
  const ends = new Set<number>()
  let end = 0
  for (const line of linesOf(bytes)) {
    end += line.length
    ends.add(end)
    if (end < bytes.length) {
      yield { kind: 'cut at a line end', at: end, bytes: bytes.subarray(0, end) }
    }
  }
  for (let at = 1; at < bytes.length; at += at < bytes.length - 80 ? 4 * every : 1) {
    if (!ends.has(at)) yield { kind: 'cut within a line', at, bytes: bytes.subarray(0, at) }
  }
}

/** One bit of a byte, another one each time. */
function* flips(bytes: Buffer, every: number): Generator<Damage> {
  for (let at = 0; at < bytes.length; at += every) {
    const flipped = Buffer.from(bytes)
    flipped[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
    yield { kind: 'flipped', at, bytes: flipped }
  }
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from) + 1
    lines.push(bytes.subarray(from, end || bytes.length))
    from = end || bytes.length
  }
  return lines
}
