/**
 * JSON in pieces: a document with long lists, written and read a part at a time, so that no string has to hold the
 * whole of it and nobody waits for all of it. The bytes are those of `JSON.stringify(document, null, 1)`.
 */

/** How many elements of a list are written at a time: some milliseconds' work. */
const PIECE_ELEMENTS = 250

/** A list is read in pieces of about this size: fewer take longer, and a string cannot hold all that a disk can. */
const PIECE_BYTES = 16 * 1024 * 1024

/** The document as JSON, indented by one space, piece by piece. */
export function* piecesOf(document: object, elements = PIECE_ELEMENTS): Generator<string> {
  let before = '{'
  for (const [key, value] of Object.entries(document)) {
    const isLong = Array.isArray(value) && value.length > elements
    for (const piece of isLong ? listPieces(key, value, elements) : [memberOf(key, value)]) {
      if (piece === '') continue
      yield before + piece
      before = ','
    }
  }
  yield before === '{' ? '{}' : '\n}'
}

/** One member as it stands between the braces; nothing for what JSON does not write. */
function memberOf(key: string, value: unknown): string {
  const text = JSON.stringify({ [key]: value }, null, 1)
  return text === '{}' ? '' : text.slice('{'.length, -'\n}'.length)
}

function* listPieces(key: string, list: readonly unknown[], elements: number): Generator<string> {
  const opening = `\n ${JSON.stringify(key)}: [`
  const closing = '\n ]'
  for (let from = 0; from < list.length; from += elements) {
    const text = memberOf(key, list.slice(from, from + elements))
    const isLast = from + elements >= list.length
    yield text.slice(from === 0 ? 0 : opening.length, isLast ? undefined : -closing.length)
  }
}

/** What stands between two members, and between two objects of a list that is a member. */
const BETWEEN_MEMBERS = '\n "'
const BETWEEN_ELEMENTS = '\n  },\n  {'

/** Reads what was written so. Throws `SyntaxError` for what is no JSON. */
export function documentIn(text: Buffer, pieceBytes = PIECE_BYTES): unknown {
  const end = text.length - '\n}'.length
  const isIndented =
    text.indexOf(`{${BETWEEN_MEMBERS}`) === 0 && text.toString('utf8', end) === '\n}'
  if (!isIndented || text.length <= pieceBytes) return JSON.parse(text.toString('utf8'))
  // No string holds a bare line break, so that these can stand nowhere else.
  const starts = positionsOf(text, BETWEEN_MEMBERS)
  const members = starts.flatMap((start, index) =>
    memberIn(text.subarray(start, starts[index + 1] ?? end), pieceBytes),
  )
  return Object.fromEntries(members)
}

function memberIn(text: Buffer, pieceBytes: number): [string, unknown][] {
  const body = text.at(-1) === 0x2c ? text.subarray(0, -1) : text
  const lineEnd = body.indexOf('\n', 1)
  const [, key] = /^\n (".*"): \[$/s.exec(body.toString('utf8', 0, Math.max(lineEnd, 0))) ?? []
  const closing = body.length - ']'.length
  const isLong = body.length > pieceBytes && body.toString('utf8', closing) === ']'
  if (key === undefined || !isLong) {
    return Object.entries(JSON.parse(`{${body.toString('utf8')}}`))
  }
  const list: unknown[] = []
  for (let from = lineEnd; from < closing; ) {
    const found = body.indexOf(BETWEEN_ELEMENTS, from + pieceBytes)
    const end = found === -1 ? closing : found + '\n  }'.length
    for (const each of JSON.parse(`[${body.toString('utf8', from, end)}]`)) list.push(each)
    from = end + ','.length
  }
  return [[JSON.parse(key), list]]
}

function positionsOf(text: Buffer, what: string): number[] {
  const positions: number[] = []
  for (let at = text.indexOf(what); at !== -1; at = text.indexOf(what, at + 1)) positions.push(at)
  return positions
}
