/**
 * Transcripts: console sessions in Markdown, as commands with the output that they must print. A line that begins
 * with `$ ` is a command, the lines up to the next one are its output.
 */

export interface Exchange {
  readonly command: string
  readonly output: string
}

/** Every exchange in the console blocks of a page, in order. */
export function exchangesOf(page: string): Exchange[] {
  const blocks = [...page.matchAll(/```console\n([\s\S]*?)```/g)].map((match) => match[1] ?? '')
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const lines = text.split('\n')
        const last = lines.findIndex((line) => !line.endsWith('\\'))
        const command = lines.slice(0, last + 1).join('\n')
        return {
          command,
          output: lines
            .slice(last + 1)
            .join('\n')
            .trim(),
        }
      }),
  )
}

/** A script for bash that runs every command in one shell and marks where the output of each begins. */
export function scriptOf(exchanges: readonly Exchange[], mark: string): string {
  return exchanges.map(({ command }) => `echo '${mark}'\n${command}`).join('\n')
}

/** What a command printed, and what the page says, brought to one form: JSON by value, tokens by their kind. */
export function comparable(text: string): unknown {
  const masked = text.trim().replace(/\b([ar]t)_default_[\w-]{43}/g, '$1_default_...')
  try {
    return JSON.parse(masked)
  } catch {
    return masked
  }
}
