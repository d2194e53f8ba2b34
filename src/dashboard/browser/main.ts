/** What pages do with scripts beyond what they do without: one file, `dashboard.js`. */
import './swap.ts'
import './live.ts'
import './forms.ts'
import './keys.ts'
import './scrub.ts'
import './strip.ts'
