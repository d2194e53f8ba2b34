/** Commands as a POSIX shell takes them. */

/** One word of a command, which the shell hands on as it is. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
