/** Prints how the ring of nginx places 100,000 sandboxes with 3 to 300 processes: npx tsx bench/ring.ts */
import { ringTable } from './support/ring-table.ts'

console.log(ringTable())
