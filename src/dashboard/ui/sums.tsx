/** Calculations: what is added up stands in one column. */
import type { Child, FC } from 'hono/jsx'

/** One line of a calculation. */
export type SumRow = readonly [label: Child, figure: Child]

/** A calculation, line by line; the last line is its result. */
export const Sums: FC<{ caption: string; rows: readonly SumRow[] }> = ({ caption, rows }) => (
  <table class="sums">
    <caption class="unseen">{caption}</caption>
    <tbody>
      {rows.map(([label, figure]) => (
        <tr>
          <th scope="row">{label}</th>
          <td class="right">{figure}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
