/** JSON in a text that may hold something else. */

/** What the text says; undefined where it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The same for who walks through it: what is nested deeper than a thousand levels is not JSON. */
export function treeIn(text: string): unknown {
  return isDeeper(text, 1000) ? undefined : jsonIn(text)
}

/** Whether JSON begins in the text and does not end: its fault is behind the last character. */
export function hasNoEnd(text: string): boolean {
  try {
    return JSON.parse(text) === undefined
  } catch (error) {
    const [, at, end] = / position (\d+)|(end of JSON input)$/.exec(String(error)) ?? []
    return end !== undefined || Number(at) === text.length
  }
}

/** The sentence of a refusal, where the provider gives one; else its body. */
export function reasonIn(body: string): string {
  const { detail = body } = Object(jsonIn(body)) as { detail?: unknown }
  return String(detail).trim()
}

/** Whether brackets outside of strings are nested deeper than `max` levels. */
export function isDeeper(text: string, max: number): boolean {
  let depth = 0
  for (const [token] of text.matchAll(/[[{\]}]|"[^"\\]*(?:\\.[^"\\]*)*"?/gs)) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    if (depth > max) return true
  }
  return false
}
