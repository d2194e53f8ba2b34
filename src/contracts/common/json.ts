/** JSON in a text that may hold something else. */

/** What the text says; undefined where it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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
