/** What a page shows. */
import type { Child } from 'hono/jsx'

export interface View {
  readonly title: string
  readonly body: Child
  /** What makes a browser with scripts load the page again; changes where it is absent, which are accepted requests. */
  readonly live?: 'changes' | 'requests' | 'nothing'
}
