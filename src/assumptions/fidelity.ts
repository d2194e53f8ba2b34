/** docs/fidelity.md: what is documented, what is assumed and what is not implemented, row by row. */
import { documentedRows } from './documented.ts'
import { type AssumptionSlug, assumptions } from './register.ts'

/** The whole page as Markdown, made from the documented rows and the register. */
export function fidelityPage(): string {
  const lines = documentedRows.map(
    ({ section, subject, says, implemented, gaps }) =>
      `| ${section} | ${subject} | ${says} | ${implemented ? gaps.map(link).join(' ') : 'not implemented'} |`,
  )
  const entries = assumptions.map((entry) => {
    const options = 'options' in entry ? `\`${settingKey(entry.slug)}\`: ${entry.options}` : 'fixed'
    return `| <a id="${entry.slug}"></a>\`${entry.slug}\` | ${entry.section} | ${entry.question} | ${entry.choice} | ${options} |`
  })
  return `# Fidelity

Made by \`npm run fidelity\` from \`src/assumptions/\`; a test fails when the two differ.

## Documented

What the interface document says, by its section, in this project's words. The last column names the assumptions
that fill what a row leaves open; a row without one is documented in full.

| section | subject | the document says | filled in by |
|---|---|---|---|
${lines.join('\n')}

## Assumed

What the sandbox decides because the document does not. Every answer of /v1 names those that shaped it in the header
\`Sandbox-Assumptions\`; \`GET /sandbox/assumptions\` serves this list; a setting can be changed with
\`PATCH /sandbox/settings\`.

| assumption | section | left open | what the sandbox does | setting and options |
|---|---|---|---|---|
${entries.join('\n')}
`
}

function link(slug: AssumptionSlug): string {
  return `[\`${slug}\`](#${slug})`
}

function settingKey(slug: string): string {
  return slug.replaceAll('-', '_')
}
